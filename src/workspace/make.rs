//! What a new workspace is made of, and how it is laid down: nothing that is there is changed.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use crate::model::{Kind, Lab, Step, Task, Track};

use super::{ANSWERS, MANIFEST, PROBES, Purpose};

/// A file of a new workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewFile {
    /// Its path inside the folder, with `/` between the parts.
    pub inside: String,
    /// Its text.
    pub text: String,
}

/// What became of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Laid {
    /// It was written.
    Made,
    /// Something was there already; it is as it was.
    Left,
}

/// Lists the files of a new workspace, `begin` being what the file under test begins with.
#[must_use]
pub fn files(lab: &Lab, track: Track, purpose: Purpose, source: &str, begin: &str) -> Vec<NewFile> {
    let file = |inside: &str, text: String| NewFile {
        inside: inside.to_owned(),
        text,
    };
    let mut files = vec![
        file(MANIFEST, manifest(lab, track, purpose, source)),
        file(source, begin.to_owned()),
    ];
    if purpose == Purpose::Write {
        for task in &lab.tasks {
            files.push(file(&format!("{ANSWERS}/{}.md", task.id), answer(task)));
        }
        files.push(file(PROBES, probes(lab)));
    }
    files.push(file("README.md", readme(lab, track, purpose, source)));
    if (track, purpose) == (Track::Shell, Purpose::Write) {
        for folder in &lab.folders {
            let inside = folder.files.iter();
            files.extend(
                inside.map(|(name, text)| file(&format!("{}/{name}", folder.name), text.clone())),
            );
        }
    }
    files
}

/// Names the scripts of a lab in the shell track, in the order of their steps.
#[must_use]
pub fn scripts(lab: &Lab) -> Vec<String> {
    let functions = lab.functions_up_to(u32::MAX).into_iter();
    functions.map(|function| format!("{function}.sh")).collect()
}

/// Writes the files that are not there yet below `folder`, each of them whole or not at all.
///
/// # Errors
///
/// Names the file that cannot be written; those before it are there.
pub fn lay<'f>(
    folder: &Path,
    files: &'f [NewFile],
) -> Result<Vec<(&'f str, Laid)>, (String, io::Error)> {
    let laid = files.iter().map(|file| {
        let laid = lay_one(&folder.join(&file.inside), &file.text);
        laid.map(|laid| (file.inside.as_str(), laid))
            .map_err(|error| (file.inside.clone(), error))
    });
    laid.collect()
}

fn lay_one(path: &Path, text: &str) -> io::Result<Laid> {
    if path.symlink_metadata().is_ok() {
        return Ok(Laid::Left);
    }
    let folder = path.parent().unwrap_or_else(|| Path::new("."));
    fs::create_dir_all(folder)?;
    let mut part = new_file(folder)?;
    part.write_all(text.as_bytes())?;
    match part.persist_noclobber(path) {
        Ok(_) => Ok(Laid::Made),
        Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Ok(Laid::Left),
        Err(error) => Err(error.error),
    }
}

/// Makes a file that gets its name only once it is whole, with the rights of any new file.
///
/// # Errors
///
/// Fails when nothing can be written into `folder`.
pub fn new_file(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".idemlab-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

fn manifest(lab: &Lab, track: Track, purpose: Purpose, source: &str) -> String {
    let mut text = format!(
        "# What this folder is, for idemlab.\nformat: 1\nlab: {}\ntrack: {track}\nsource: {source}\n",
        lab.id
    );
    if purpose == Purpose::Break {
        let _ = writeln!(text, "purpose: {}", purpose.id());
    }
    text
}

fn answer(task: &Task) -> String {
    // The end of a comment inside of it would make the rest an answer.
    let text = task.text.replace("-->", "-- >");
    let wrapped = textwrap::fill(text.trim(), 80);
    format!(
        "<!--\n{}\n\n{wrapped}\n\nWrite below this comment. A comment is no answer.\n-->\n\n",
        task.title.replace("-->", "-- >")
    )
}

fn probes(lab: &Lab) -> String {
    let mut text = "\
# Tests of your own, in the form of the lab's tests. Each is aimed at a mutant: it is valid if
# the reference passes it, and catches the mutant if that does not. `idemlab list` names the
# mutants; `idemlab hand-in --check` says what each test here is worth.
"
    .to_owned();
    for table in &lab.tables {
        let columns = table.columns.join(", ");
        let _ = writeln!(text, "# A row of {} is [{columns}].", table.name);
    }
    text.push_str("format: 1\nprobes:\n");
    let calls = |step: &&Step| lab.worksheet_mutant(step.number).is_some();
    let steps = || lab.steps.iter().filter(calls);
    let Some(step) = steps()
        .find(|step| !step.arguments.is_empty())
        .or_else(|| steps().next())
    else {
        return text;
    };
    if let Some(mutant) = lab.worksheet_mutant(step.number) {
        let _ = writeln!(
            text,
            "#  - mutant: {}      # or, for that of its step: `step: {}`",
            mutant.id, step.number
        );
    }
    let _ = writeln!(
        text,
        "#    script:\n#      - call: {}",
        step.function.as_deref().unwrap_or(&step.id)
    );
    if !step.arguments.is_empty() {
        let values = step.arguments.iter();
        let values = values.filter(|argument| argument.kind != Kind::Callback);
        let arguments = values.map(|argument| {
            let value = match argument.kind {
                Kind::Text => "k",
                Kind::Number | Kind::Integer => "10",
                Kind::Json | Kind::Callback => "{a: 1}",
                Kind::List => "[]",
            };
            format!("{}: {value}", argument.name)
        });
        let arguments: Vec<String> = arguments.collect();
        let _ = writeln!(text, "#        with: {{{}}}", arguments.join(", "));
    }
    if step.answers_truth {
        text.push_str("#        returns: true\n");
    }
    text
}

/// Says which files are to be kept, and what is in them.
fn records(lab: &Lab, track: Track) -> String {
    let grading = lab.grading();
    let items = grading.records_in(Some(track)).map(|record| {
        let text = format!("`{}` is to be kept: {}", record.file, record.text.trim());
        let options = textwrap::Options::new(98)
            .initial_indent("- ")
            .subsequent_indent("  ");
        textwrap::fill(&text, options) + "\n"
    });
    items.collect()
}

fn readme(lab: &Lab, track: Track, purpose: Purpose, source: &str) -> String {
    let (yours, piece) = match (track, &*scripts(lab)) {
        (Track::Shell, [first @ .., last]) if !first.is_empty() => {
            let first = first.join("`, `");
            let yours = format!("`{first}` and `{last}` are yours to write.\n ");
            (yours, "script")
        }
        _ => (format!("`{source}` is yours to write."), "function"),
    };
    match purpose {
        Purpose::Write => format!(
            "\
# {id}: {title}

Lab `{id}` of idemlab, written by yourself in {track}.

- {yours} What each {piece} promises stands with it.
- `idemlab test` runs the first step that is not green yet, and all steps before it.
  `idemlab test 3` runs the steps up to 3. `idemlab test --watch` runs again when you save.
- `{ANSWERS}/` has one file for each written task.
- `{PROBES}` is for tests of your own.
{records}- `idemlab hand-in` says what is missing and makes one file to hand in.
",
            id = lab.id,
            title = lab.title,
            records = records(lab, track)
        ),
        Purpose::Break => format!(
            "\
# {id}, to be broken

`{source}` is a copy of the reference of lab `{id}` in {track}. Change one line of it, say which
tests will notice, and see:

    idemlab test --predict ID,ID

Without `--predict` the names of the tests are listed. The first prediction about a change is
kept in `breaks.json`.
",
            id = lab.id
        ),
    }
}
