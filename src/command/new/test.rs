//! `idemlab new test`.

use std::path::Path;

use super::ask::Ask;
use super::fields;
use crate::cli::{NewTest, ReportFormat};
use crate::command::print::{complain, print};
use crate::command::{Exit, run};
use crate::lab::make::{self, TestHead, Verdict};
use crate::model::{Lab, Pack, Step, Test};
use crate::pack::{self, Broken, SchemaKind};
use crate::report::{human, problems};
use crate::worksheet::counted;

/// How many mutants are named.
const NAMED: usize = 8;

/// Makes a test and proves it.
pub fn test(folder: &Path, arguments: &NewTest) -> Result<Exit, Exit> {
    let pack = super::open(folder)?;
    let mut ask = Ask::new();
    let (name, step) = (arguments.lab.as_deref(), arguments.step.as_deref());
    let lab = fields::lab(&pack, name, step, &mut ask)?;
    let step = fields::step(lab, arguments.step.as_deref(), &mut ask)?;
    let head = head(arguments, lab, step, &mut ask)?;
    let body = body(arguments, &mut ask)?;
    ask.finish()?;
    let (Some(step), Some(head), Some(body)) = (step, head, body) else {
        return Err(Exit::Usage);
    };
    let path = format!(
        "exercises/{}/tests/{}-{}.yaml",
        lab.id, step.number, step.id
    );
    let copy = needs_exercises(folder, arguments, lab, &mut ask)?;
    let item = make::test_yaml(&head, &body);
    let test = read(&pack, lab, &head, &path, &body, &item)?;
    prove(arguments, lab, &test, &ask)?;
    if copy {
        let files = make::copy_shipped(folder).map_err(|error| file_error(&error))?;
        print(&format!("copied the shipped pack: {files} files\n"))?;
    }
    let (way, schema) =
        make::schema(folder, SchemaKind::Tests, "../../../").map_err(|error| file_error(&error))?;
    make::append(&folder.join(&path), &make::header(&way), &item)
        .map_err(|error| file_error(&error))?;
    print(&format!("added it to {path}\n"))?;
    if let Some(schema) = schema {
        print(&format!("wrote {schema}, for your editor\n"))?;
    }
    Ok(Exit::Right)
}

fn file_error(error: &make::FileError) -> Exit {
    complain(&error.to_string());
    Exit::Fault
}

fn head(
    arguments: &NewTest,
    lab: &Lab,
    step: Option<&Step>,
    ask: &mut Ask,
) -> Result<Option<TestHead>, Exit> {
    let new_id = |text: &str| {
        let id = fields::name(text)?;
        match lab.test(&id) {
            Some(_) => Err(format!("lab {} has a test `{id}` already", lab.id)),
            None => Ok(id),
        }
    };
    let id = ask.field(
        "--id",
        arguments.id.as_deref(),
        "What is its name?",
        &new_id,
    )?;
    let title = arguments.title.as_deref();
    let question = "Which behaviour does it show, in a sentence?";
    let title = ask.field("--title", title, question, &fields::sentence)?;
    let clause = clause(arguments, lab, step, ask)?;
    Ok((|| {
        Some(TestHead {
            id: id?,
            step: step?.number,
            title: title?,
            clause: clause?,
            success: arguments.success,
            guard: arguments.guard.clone(),
        })
    })())
}

/// Finds the promise: one of the step, or of an earlier one.
fn clause(
    arguments: &NewTest,
    lab: &Lab,
    step: Option<&Step>,
    ask: &mut Ask,
) -> Result<Option<String>, Exit> {
    let last = step.map_or(u32::MAX, |step| step.number);
    let mut clauses = Vec::new();
    for step in lab.steps.iter().rev().filter(|step| step.number <= last) {
        clauses.extend(&step.promises);
    }
    if arguments.clause.is_none() && ask.can() {
        let names: Vec<String> = clauses
            .iter()
            .map(|clause| format!("{}: {}", clause.id, clause.text))
            .collect();
        let place = ask.one_of("Which promise does it hold to?", &names)?;
        return Ok(clauses.get(place).map(|clause| clause.id.clone()));
    }
    let known: Vec<&str> = clauses.iter().map(|clause| clause.id.as_str()).collect();
    let own: Vec<&str> = step
        .into_iter()
        .flat_map(|step| step.promises.iter().map(|clause| clause.id.as_str()))
        .collect();
    let find = |text: &str| {
        if known.contains(&text) {
            return Ok(text.to_owned());
        }
        Err(match pack::nearest(text, &known, 1)[..] {
            [near, ..] => format!("there is no promise `{text}`; did you mean `{near}`?"),
            [] => format!(
                "there is no promise `{text}`; those of the step are: {}",
                own.join(", ")
            ),
        })
    };
    ask.field("--clause", arguments.clause.as_deref(), "", &find)
}

fn body(arguments: &NewTest, ask: &mut Ask) -> Result<Option<String>, Exit> {
    let body = match &arguments.yaml {
        Some(given) => fields::text("--yaml", given),
        None if ask.can() => {
            Ok(ask.lines("What is its YAML: given rows, if any, and the script?")?)
        }
        None => {
            ask.missing("--yaml");
            return Ok(None);
        }
    };
    Ok(body
        .map_err(|why| ask.wrong(&format!("--yaml: {why}")))
        .ok())
}

/// Tells whether the shipped exercises must be copied first; refuses if nobody said so.
fn needs_exercises(
    folder: &Path,
    arguments: &NewTest,
    lab: &Lab,
    ask: &mut Ask,
) -> Result<bool, Exit> {
    if folder
        .join("exercises")
        .join(&lab.id)
        .join("lab.yaml")
        .is_file()
    {
        return Ok(false);
    }
    if arguments.with_exercises {
        return Ok(true);
    }
    let why = format!(
        "a pack of mutants alone cannot carry tests of the shipped lab {}",
        lab.id
    );
    if ask.can() {
        let choices = [
            "copy the shipped lab and its mutants into this pack".to_owned(),
            "leave".to_owned(),
        ];
        if ask.one_of(
            &format!("This pack has no exercises/, and {why}."),
            &choices,
        )? == 0
        {
            return Ok(true);
        }
    } else {
        complain(&format!(
            "{why}; --with-exercises copies the lab and its mutants into this pack first, which \
             then replaces the shipped one"
        ));
    }
    Err(Exit::Usage)
}

/// Reads the test twice: as a probe, for places in what was given, and as it will be written.
fn read(
    pack: &Pack,
    lab: &Lab,
    head: &TestHead,
    path: &str,
    body: &str,
    item: &str,
) -> Result<Test, Exit> {
    let tell = |broken: Broken| {
        eprint!("{}", problems::text(&broken.0));
        complain(&format!("{broken}; nothing was written"));
        Exit::Pack
    };
    let probe = pack::read_probe(lab, head.step, body).map_err(tell)?;
    let tests = pack::read_tests(pack, &lab.id, path, item).map_err(tell)?;
    match <[Test; 1]>::try_from(tests) {
        Ok([test]) if test.script == probe.script && test.given == probe.given => Ok(test),
        _ => {
            complain(
                "the YAML means something else below `- id:`; write `given:` and `script:` at \
                 the beginning of their lines",
            );
            Err(Exit::Usage)
        }
    }
}

fn prove(arguments: &NewTest, lab: &Lab, test: &Test, ask: &Ask) -> Result<(), Exit> {
    let mut caught = 0;
    let mut proved = false;
    for source in &lab.sources {
        let track = source.track;
        let verdict = make::try_test(lab, track, test, ask.interrupt())
            .map_err(|fault| run::report_fault(lab, &fault, ReportFormat::Text))?;
        match verdict {
            Verdict::NotReady(why) => print(&format!("{track}: not proved, {why}\n"))?,
            Verdict::Contradicts(report) => {
                let mut with = lab.clone();
                with.tests.push(test.clone());
                eprint!("{}", human::run(&with, &report));
                complain(
                    "the reference does not pass it, so it contradicts the contract; nothing was \
                     written",
                );
                return Err(Exit::Failed);
            }
            Verdict::Right(catches) => {
                proved = true;
                caught += catches.caught.len();
                print(&format!(
                    "{track}: the reference passes it; it catches {} of {}{}\n",
                    catches.caught.len(),
                    counted(catches.ran, "mutant"),
                    named(&catches.caught)
                ))?;
            }
        }
    }
    if !proved {
        complain("no track can be run here, so nothing was written");
        return Err(Exit::Ungraded);
    }
    if caught == 0 && !arguments.success && arguments.guard.is_none() {
        complain(
            "it catches no mutant, so nothing was written; --success marks a plain test, and \
             --guard REASON says why it is there",
        );
        return Err(Exit::Failed);
    }
    Ok(())
}

fn named(ids: &[String]) -> String {
    let more = if ids.len() > NAMED { ", …" } else { "" };
    let few: Vec<&str> = ids.iter().take(NAMED).map(String::as_str).collect();
    if few.is_empty() {
        String::new()
    } else {
        format!(": {}{more}", few.join(", "))
    }
}
