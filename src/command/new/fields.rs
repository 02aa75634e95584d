//! The fields that mutants and tests have in common, asked for and checked.

use std::fs;
use std::io::Read as _;

use super::ask::Ask;
use crate::command::{Exit, choose};
use crate::model::{Lab, Pack, Step};

/// Finds the lab: the one that is named, the only one, the only one that has a step of that name,
/// or the one that is chosen.
pub fn lab<'p>(
    pack: &'p Pack,
    given: Option<&str>,
    step: Option<&str>,
    ask: &mut Ask,
) -> Result<&'p Lab, Exit> {
    if let Some(id) = given {
        return choose::lab(pack, id);
    }
    if let Some(name) = step {
        let has = |lab: &&Lab| lab.steps.iter().any(|step| step.id == name);
        let mut labs = pack.labs.iter().filter(has);
        if let (Some(lab), None) = (labs.next(), labs.next()) {
            return Ok(lab);
        }
    }
    let place = match pack.labs.len() {
        1 => 0,
        _ if ask.can() => {
            let names: Vec<String> = pack
                .labs
                .iter()
                .map(|lab| format!("{:<10} {}", lab.id, lab.title))
                .collect();
            ask.one_of("Which lab?", &names)?
        }
        _ => {
            ask.missing("--lab");
            0
        }
    };
    pack.labs.get(place).ok_or(Exit::Pack)
}

/// Finds the step, by number or function.
pub fn step<'l>(
    lab: &'l Lab,
    given: Option<&str>,
    ask: &mut Ask,
) -> Result<Option<&'l Step>, Exit> {
    let find = |text: &str| {
        let step = match text.parse::<u32>() {
            Ok(number) => lab.step(number),
            Err(_) => lab.steps.iter().find(|step| step.id == text),
        };
        step.ok_or_else(|| {
            let steps = lab.steps.iter();
            let names: Vec<String> = steps
                .map(|step| format!("{} {}", step.number, step.id))
                .collect();
            format!(
                "lab {} has no step `{text}`; there are: {}",
                lab.id,
                names.join(", ")
            )
        })
    };
    if given.is_none() && ask.can() {
        let names: Vec<String> = lab
            .steps
            .iter()
            .map(|step| format!("{}: {}", step.id, step.title))
            .collect();
        let place = ask.one_of("Which step?", &names)?;
        return Ok(lab.steps.get(place));
    }
    ask.field("--step", given, "", &find)
}

/// Checks a name: small letters, digits and hyphens.
pub fn name(text: &str) -> Result<String, String> {
    let right = |sign: char| sign.is_ascii_lowercase() || sign.is_ascii_digit() || sign == '-';
    if text.is_empty() || !text.chars().all(right) || text.starts_with('-') || text.ends_with('-') {
        return Err("a name has small letters, digits and hyphens, such as purge-takes-all".into());
    }
    Ok(text.to_owned())
}

/// Checks a sentence: there is one.
pub fn sentence(text: &str) -> Result<String, String> {
    if text.is_empty() {
        return Err("say it in a sentence".to_owned());
    }
    Ok(text.to_owned())
}

/// Reads the text of a flag: the text itself, `-` for standard input, or `@FILE`.
pub fn text(flag: &str, given: &str) -> Result<String, String> {
    let read = match given {
        "-" => {
            let mut text = String::new();
            let read = std::io::stdin().read_to_string(&mut text);
            read.map(|_| text)
                .map_err(|error| format!("failed to read standard input: {error}"))?
        }
        file if file.starts_with('@') => fs::read_to_string(&file[1..])
            .map_err(|error| format!("failed to read {}: {error}", &file[1..]))?,
        text => text.to_owned(),
    };
    let text = read.replace("\r\n", "\n");
    let text = text.strip_suffix('\n').unwrap_or(&text);
    if text.trim().is_empty() && given != text {
        return Err(format!("{flag} reads nothing from {given}"));
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_can_be_that_of_a_file() {
        assert!(name("purge-takes-all-2").is_ok());
        for wrong in ["", "../x", "A", "a b", "-a", "a-", "a.yaml", "키"] {
            assert!(name(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_text_is_itself_or_that_of_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("f");
        fs::write(&file, "  a\r\nb\n").unwrap();
        let flag = format!("@{}", file.display());
        assert_eq!(text("--find", &flag).as_deref(), Ok("  a\nb"));
        assert_eq!(text("--find", "a").as_deref(), Ok("a"));
        assert_eq!(text("--replace", "").as_deref(), Ok(""));
        assert!(text("--find", "@no/such/file").is_err());
    }
}
