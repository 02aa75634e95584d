//! `idemlab start`: makes a workspace, or finishes one that is half made.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::print::{complain, print};
use super::{Exit, choose, own};
use crate::cli::{Cli, Start};
use crate::lab;
use crate::model::{Lab, Track};
use crate::progress::{self, Progress};
use crate::workspace::{self, Laid, MANIFEST, NewFile, OpenError, Purpose, Workspace};

/// Makes what is not there yet, and says what to do next.
pub fn start(cli: &Cli, arguments: &Start) -> Result<Exit, Exit> {
    let pack = choose::pack(cli)?;
    let lab = choose::lab(&pack, &arguments.lab)?;
    let purpose = if arguments.to_break {
        Purpose::Break
    } else {
        Purpose::Write
    };
    let folder = folder(lab, purpose, arguments);
    if folder.exists() && !folder.is_dir() {
        complain(&format!(
            "{} is there and is no folder; name another",
            folder.display()
        ));
        return Err(Exit::Usage);
    }
    let plan = plan(cli, lab, purpose, arguments, &folder)?;
    let files = plan.files(lab, purpose)?;
    let laid = workspace::lay(&folder, &files).map_err(|(file, error)| {
        let path = folder.join(file);
        complain(&format!("failed to write {}: {error}", path.display()));
        Exit::Fault
    })?;
    print(&text(lab, &plan, purpose, &folder, &laid))?;
    Ok(Exit::Right)
}

/// Which language, in which file.
struct Plan {
    track: Track,
    source: String,
}

/// Chooses the folder: this one, if it is such a workspace already and no other is named.
fn folder(lab: &Lab, purpose: Purpose, arguments: &Start) -> PathBuf {
    if let Some(folder) = &arguments.folder {
        return folder.clone();
    }
    let here = Workspace::open(Path::new("."));
    let fits = |there: Workspace| {
        let manifest = there.manifest();
        manifest.lab == lab.id && manifest.purpose == purpose
    };
    match here {
        Ok(there) if fits(there.clone()) => PathBuf::from("."),
        _ => PathBuf::from(lab::folder_name(&lab.id, purpose)),
    }
}

/// Reads what is there already: it settles the language and the name of the file.
fn plan(
    cli: &Cli,
    lab: &Lab,
    purpose: Purpose,
    arguments: &Start,
    folder: &Path,
) -> Result<Plan, Exit> {
    let asked = match &arguments.track {
        Some(name) => Some(choose::track(lab, name)?),
        None => None,
    };
    let there = match Workspace::open(folder) {
        Ok(there) => there,
        Err(OpenError::NoManifest(_)) => {
            let track = asked
                .or_else(|| of_the_worksheet(cli, lab))
                .unwrap_or_default();
            let source = workspace::usual_name(&lab.id, track);
            return Ok(Plan { track, source });
        }
        Err(error) => return Err(own::cannot_open(&error, Some(folder), Exit::Usage)),
    };
    let manifest = there.manifest();
    let (track, source) = (manifest.engine.track(), manifest.source.clone());
    let other = manifest.lab != lab.id
        || manifest.purpose != purpose
        || asked.is_some_and(|asked| track != Some(asked));
    match (track, source) {
        (Some(track), Some(source)) if !other => Ok(Plan { track, source }),
        _ => {
            complain(&format!(
                "{} is a workspace already, for lab {} in {} ({}); name another folder",
                folder.display(),
                manifest.lab,
                manifest.engine.name(),
                manifest.purpose.id()
            ));
            Err(Exit::Usage)
        }
    }
}

/// Returns the language that was chosen in the worksheet, if there is a progress file.
fn of_the_worksheet(cli: &Cli, lab: &Lab) -> Option<Track> {
    let path = cli.progress.clone().or_else(progress::default_path)?;
    let name = path
        .is_file()
        .then(|| Progress::open(&path).ok()?.setting("track").ok()?)??;
    Track::parse(&name).filter(|track| lab.source(*track).is_some())
}

impl Plan {
    fn files(&self, lab: &Lab, purpose: Purpose) -> Result<Vec<NewFile>, Exit> {
        lab::folder_files(lab, self.track, purpose, &self.source).ok_or_else(|| {
            complain(&format!(
                "lab {} has nothing to begin with in {}",
                lab.id, self.track
            ));
            Exit::Usage
        })
    }
}

fn text(lab: &Lab, plan: &Plan, purpose: Purpose, folder: &Path, laid: &[(&str, Laid)]) -> String {
    let mut text = format!(
        "lab {} in {}, in folder {}\n\n",
        lab.id,
        plan.track,
        folder.display()
    );
    let (editor, own): (Vec<_>, Vec<_>) = laid
        .iter()
        .copied()
        .partition(|(file, _)| *file == "Cargo.toml" || file.starts_with("kit/"));
    let (brought, own): (Vec<_>, Vec<_>) = own
        .into_iter()
        .partition(|(file, _)| brought_along(lab, file).is_some());
    for (file, laid) in own {
        let about = about(file, plan, purpose);
        let _ = writeln!(
            text,
            "  {}  {file:<28} {}",
            word(laid),
            or_left(laid, about)
        );
    }
    for folder in &lab.folders {
        let mut files = brought.iter();
        let Some((_, laid)) =
            files.find(|(file, _)| brought_along(lab, file) == Some(&folder.name))
        else {
            continue;
        };
        let (name, about) = (
            format!("{}/", folder.name),
            or_left(*laid, "what the lab brings along"),
        );
        let _ = writeln!(text, "  {}  {name:<28} {about}", word(*laid));
    }
    if let Some((_, laid)) = editor.first() {
        let files = "Cargo.toml, kit/";
        let about = or_left(*laid, "for your editor only");
        let _ = writeln!(text, "  {}  {files:<28} {about}", word(*laid));
    }
    let text = text
        .lines()
        .map(str::trim_end)
        .collect::<Vec<_>>()
        .join("\n");
    let next = match purpose {
        Purpose::Write => "idemlab test",
        Purpose::Break => "idemlab test --predict ID,ID",
    };
    let mut text = format!("{text}\n\nNext: ");
    if folder != Path::new(".") {
        let _ = write!(text, "cd {}, ", folder.display());
    }
    let verb = match purpose {
        Purpose::Write => "write the first function of",
        Purpose::Break => "change a line of",
    };
    let scripts = workspace::scripts(lab);
    let (verb, file) = match (plan.track, purpose, scripts.first()) {
        (Track::Shell, Purpose::Write, Some(first)) => ("write", first),
        (Track::Shell, Purpose::Break, _) => ("change a line of a script, say of", &plan.source),
        _ => (verb, &plan.source),
    };
    let _ = writeln!(text, "{verb} {file}, and run `{next}`.");
    if let Some(missing) = lab::folder_needs(lab, plan.track) {
        let _ = writeln!(text, "Before that: {missing}.");
    }
    text
}

/// Names the folder of the lab's own that a file lies in, if it does.
fn brought_along<'l>(lab: &'l Lab, file: &str) -> Option<&'l str> {
    let (folder, _) = file.split_once('/')?;
    lab.folder(folder).map(|folder| folder.name.as_str())
}

const fn word(laid: Laid) -> &'static str {
    match laid {
        Laid::Made => "made",
        Laid::Left => "left",
    }
}

const fn or_left(laid: Laid, about: &'static str) -> &'static str {
    match laid {
        Laid::Made => about,
        Laid::Left => "it was there, and is as it was",
    }
}

fn about(file: &str, plan: &Plan, purpose: Purpose) -> &'static str {
    let is_script =
        plan.track == Track::Shell && Path::new(file).extension() == Some("sh".as_ref());
    match (file, purpose) {
        (MANIFEST, _) => "what this folder is",
        ("probes.yaml", _) => "tests of your own",
        ("README.md", _) => "how it goes on",
        (file, Purpose::Write) if file == plan.source || is_script => "yours to write",
        (file, Purpose::Break) if file == plan.source || is_script => {
            "the reference, yours to break"
        }
        _ => "yours to answer",
    }
}
