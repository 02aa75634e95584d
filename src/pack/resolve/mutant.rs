//! Resolves `mutants/<lab>/<id>.yaml`.

use super::Step::{Item, Key};
use super::lab::by_track;
use super::{PackFile, Parsed, Reporter, parse, raw};
use crate::model::{Edit, Lab, Mutant, Origin, Problem};

/// Returns the mutant with the id of its lab.
pub fn resolve(
    file: &PackFile,
    labs: &[Lab],
    problems: &mut Vec<Problem>,
) -> Option<(String, Mutant)> {
    let Parsed { value: raw, places } = parse::<raw::Mutant>(file, problems)?;
    let mut reporter = Reporter::new(file, &places, problems);
    reporter.format(raw.format);
    let Some(lab) = labs.iter().find(|lab| lab.id == raw.lab) else {
        let known = labs.iter().map(|lab| lab.id.as_str());
        reporter.unknown("unknown-lab", &[Key("lab")], "lab", &raw.lab, known);
        return None;
    };
    let id = file.path.rsplit('/').next()?.trim_end_matches(".yaml");
    if lab.mutant(id).is_some() {
        let title = format!("lab {} has a mutant `{id}` already", lab.id);
        reporter.report("duplicate-id", &[], &title, "give the file another name");
    }
    if file.path != format!("mutants/{}/{id}.yaml", lab.id) {
        let title = format!("a mutant of lab {} belongs in mutants/{}/", lab.id, lab.id);
        reporter.report(
            "wrong-folder",
            &[Key("lab")],
            &title,
            "move the file, or name another lab",
        );
    }
    if lab.step(raw.step).is_none() {
        let title = format!("lab {} has no step {}", lab.id, raw.step);
        let help = format!("its steps are 1 to {}", lab.steps.len());
        reporter.report("unknown-step", &[Key("step")], &title, &help);
    }
    check_texts(&raw, lab, &mut reporter);
    let edits = |edits: Vec<raw::Edit>| -> Vec<Edit> {
        edits
            .into_iter()
            .map(|edit| Edit {
                find: edit.find,
                replace: edit.replace,
            })
            .collect()
    };
    let mutant = Mutant {
        id: id.to_owned(),
        step: raw.step,
        origin: origin(&raw.origin, &mut reporter),
        edits_in: by_track(&raw.edits_in, &[Key("edits_in")], &mut reporter)
            .into_iter()
            .map(|(track, list)| (track, edits(list)))
            .collect(),
        caught_by_in: by_track(&raw.caught_by_in, &[Key("caught_by_in")], &mut reporter),
        survives_in: by_track(&raw.survives_in, &[Key("survives_in")], &mut reporter),
        edits: edits(raw.edits),
        title: raw.title,
        report: raw.report,
        belief: raw.belief,
        caught_by: raw.caught_by,
        survives: raw.survives,
        lesson: raw.lesson,
        equivalent: raw.equivalent,
    };
    Some((lab.id.clone(), mutant))
}

fn check_texts(raw: &raw::Mutant, lab: &Lab, reporter: &mut Reporter<'_>) {
    reporter.not_empty(&[Key("title")], "title", &raw.title);
    reporter.not_empty(&[Key("belief")], "belief", &raw.belief);
    reporter.not_empty(&[Key("lesson")], "lesson", &raw.lesson);
    if raw.edits.is_empty() && raw.edits_in.is_empty() {
        let help = "give `edits`, or `edits_in` for a track";
        reporter.report("no-edits", &[], "the mutant changes nothing", help);
    }
    if raw.origin == "field" && raw.report.is_none() {
        let help = "add `report:` with a link to the public report";
        reporter.report(
            "no-report",
            &[Key("origin")],
            "a mutant from the field names its report",
            help,
        );
    }
    let everywhere = [("caught_by", &raw.caught_by), ("survives", &raw.survives)];
    let some_tracks = raw
        .caught_by_in
        .iter()
        .map(|(track, ids)| ("caught_by_in", track, ids))
        .chain(
            raw.survives_in
                .iter()
                .map(|(track, ids)| ("survives_in", track, ids)),
        );
    for (field, ids) in everywhere {
        check_tests(&[Key(field)], ids, lab, reporter);
    }
    for (field, track, ids) in some_tracks {
        check_tests(&[Key(field), Key(track)], ids, lab, reporter);
    }
}

fn check_tests(way: &[super::Step<'_>], ids: &[String], lab: &Lab, reporter: &mut Reporter<'_>) {
    for (place, id) in ids.iter().enumerate() {
        if lab.test(id).is_none() {
            let mut way = way.to_vec();
            way.push(Item(place));
            let known = lab.tests.iter().map(|test| test.id.as_str());
            reporter.unknown("unknown-test", &way, "test", id, known);
        }
    }
}

fn origin(name: &str, reporter: &mut Reporter<'_>) -> Origin {
    match name {
        "worksheet" => Origin::Worksheet,
        "field" => Origin::Field,
        "craft" => Origin::Craft,
        other => {
            let known = ["worksheet", "field", "craft"];
            reporter.unknown("unknown-origin", &[Key("origin")], "origin", other, known);
            Origin::Craft
        }
    }
}
