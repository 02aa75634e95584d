//! `idemlab.yaml`: which lab, in which language, in which file.

use crate::model::{Lab, Pack, Problem, Track};
use crate::pack::{Form, Step::Key, WorkspaceForm};

use super::inside::bad_path;

/// The name of the manifest.
pub const MANIFEST: &str = "idemlab.yaml";

/// What a folder is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    /// Name of the lab.
    pub lab: String,
    /// What runs it.
    pub engine: Engine,
    /// The file under test, inside the folder; a program of one's own may have none.
    pub source: Option<String>,
    /// What it is for.
    pub purpose: Purpose,
}

/// What runs a learner's code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Engine {
    /// A track of the lab.
    Track(Track),
    /// A program that speaks the lab's protocol.
    Program {
        /// The program and its arguments; never empty.
        command: Vec<String>,
        /// What is run once before it; empty if nothing is.
        build: Vec<String>,
        /// What its language is called.
        language: String,
    },
}

impl Engine {
    /// Returns the track, unless it is a program.
    #[must_use]
    pub const fn track(&self) -> Option<Track> {
        match self {
            Self::Track(track) => Some(*track),
            Self::Program { .. } => None,
        }
    }

    /// Returns the name of the track or of the language.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Track(track) => track.id(),
            Self::Program { language, .. } => language,
        }
    }
}

/// What a folder is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Purpose {
    /// The learner writes the functions.
    #[default]
    Write,
    /// A copy of the reference, changed to see which tests notice.
    Break,
}

impl Purpose {
    /// Returns the name used in the manifest.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Write => "write",
            Self::Break => "break",
        }
    }
}

/// A manifest with the places of what it says.
#[derive(Debug, Clone)]
pub struct Read {
    pub manifest: Manifest,
    form: Form<WorkspaceForm>,
}

impl Read {
    /// Finds the lab and looks whether it has the track.
    pub fn lab<'p>(&self, pack: &'p Pack) -> Result<&'p Lab, Vec<Problem>> {
        let mut form = self.form.clone();
        let Some(lab) = pack.lab(&self.manifest.lab) else {
            let known = pack.labs.iter().map(|lab| lab.id.as_str());
            form.unknown(
                "unknown-lab",
                &[Key("lab")],
                "lab",
                &self.manifest.lab,
                known,
            );
            return Err(form.take_problems());
        };
        if let Some(track) = self.manifest.engine.track()
            && lab.source(track).is_none()
        {
            let known = lab.sources.iter().map(|source| source.track.id());
            let what = format!("track in lab {}", lab.id);
            form.unknown("unknown-track", &[Key("track")], &what, track.id(), known);
            return Err(form.take_problems());
        }
        Ok(lab)
    }
}

/// Reads a manifest; reports everything that is wrong with it.
pub fn read(bytes: Vec<u8>) -> Result<Read, Vec<Problem>> {
    let mut form = Form::<WorkspaceForm>::read(MANIFEST, bytes)?;
    form.format(form.value.format);
    let engine = engine(&mut form);
    let source = form.value.source.as_deref();
    let source = source.map(|source| source.trim_start_matches("./").to_owned());
    if let Some(why) = source.as_deref().and_then(bad_path) {
        let help = "write the path inside this folder, with `/` between its parts";
        form.report("bad-path", &[Key("source")], why, help);
    }
    let lab = form.value.lab.clone();
    if bad_path(&lab).is_some() || lab.contains('/') {
        let help = "`idemlab list` names the labs";
        form.report(
            "unknown-lab",
            &[Key("lab")],
            "this is no name of a lab",
            help,
        );
    }
    let purpose = purpose(&mut form);
    let problems = form.take_problems();
    let Some(engine) = engine.filter(|_| problems.is_empty()) else {
        return Err(problems);
    };
    let usual = engine.track().map(|track| usual_name(&lab, track));
    let manifest = Manifest {
        source: source.or(usual),
        lab,
        engine,
        purpose,
    };
    Ok(Read { manifest, form })
}

/// Names the file of a track as `start` makes it.
#[must_use]
pub fn usual_name(lab: &str, track: Track) -> String {
    let extension = match track {
        Track::Rust => "rs",
        Track::Python => "py",
        // Its scripts have the names of their functions; this one has the most to it.
        Track::Shell => return "apply.sh".to_owned(),
    };
    format!("{lab}.{extension}")
}

fn engine(form: &mut Form<WorkspaceForm>) -> Option<Engine> {
    let (track, command) = (form.value.track.clone(), form.value.command.clone());
    match (track, command) {
        (Some(_), Some(_)) => {
            let title = "there are both a track and a command";
            let help = "keep `track:`, or keep `command:` for a language that has no track";
            form.report("two-engines", &[Key("command")], title, help);
            None
        }
        (None, None) => {
            let title = "there is neither a track nor a command";
            let help = "add `track: python`, `rust` or `shell`, or the `command:` that runs it";
            form.report("two-engines", &[], title, help);
            None
        }
        (Some(name), None) => {
            for (key, is) in [
                ("build", form.value.build.is_some()),
                ("language", form.value.language.is_some()),
            ] {
                if is {
                    let title = format!("`{key}` has no meaning beside a track");
                    form.report("two-engines", &[Key(key)], &title, "take it out");
                }
            }
            let track = Track::parse(&name);
            if track.is_none() {
                let known = Track::ALL.map(Track::id);
                form.unknown("unknown-track", &[Key("track")], "track", &name, known);
            }
            track.map(Engine::Track)
        }
        (None, Some(command)) => program(form, command),
    }
}

fn program(form: &mut Form<WorkspaceForm>, command: Vec<String>) -> Option<Engine> {
    let build = form.value.build.clone();
    for (key, words) in [("command", Some(&command)), ("build", build.as_ref())] {
        let odd = words.is_some_and(|words| {
            let nul = words.iter().any(|word| word.contains('\0'));
            nul || words
                .first()
                .is_none_or(|program| program.trim().is_empty())
        });
        if odd {
            let help = "begin with the program: [node, retention.js]";
            form.report("empty-text", &[Key(key)], "there is no program in it", help);
        }
    }
    let program = command.first()?.clone();
    let name = program.rsplit('/').next().unwrap_or(&program).to_owned();
    let language = form.value.language.clone().unwrap_or(name);
    Some(Engine::Program {
        command,
        build: build.unwrap_or_default(),
        language,
    })
}

fn purpose(form: &mut Form<WorkspaceForm>) -> Purpose {
    match form.value.purpose.as_deref() {
        None | Some("write") => Purpose::Write,
        Some("break") => Purpose::Break,
        Some(other) => {
            let other = other.to_owned();
            let known = [Purpose::Write.id(), Purpose::Break.id()];
            form.unknown("unknown-word", &[Key("purpose")], "purpose", &other, known);
            Purpose::Write
        }
    }
}
