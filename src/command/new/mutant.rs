//! `idemlab new mutant`.

use std::fmt::Write as _;
use std::path::Path;

use super::ask::Ask;
use super::fields;
use super::fragments::{self, Pasted, Placed};
use crate::cli::{NewMutant, ReportFormat};
use crate::command::print::{complain, print};
use crate::command::{Exit, run};
use crate::lab::make::{self, Proof, Shown};
use crate::model::{Lab, Mutant, Origin, Pack, Step, Track};
use crate::pack::{self, SchemaKind};
use crate::report::problems;
use crate::worksheet::counted;

/// Makes a mutant and proves it.
pub fn mutant(folder: &Path, arguments: &NewMutant) -> Result<Exit, Exit> {
    let pack = super::open(folder)?;
    let mut ask = Ask::new();
    let (name, step) = (arguments.lab.as_deref(), arguments.step.as_deref());
    let lab = fields::lab(&pack, name, step, &mut ask)?;
    let step = fields::step(lab, arguments.step.as_deref(), &mut ask)?;
    let pasted = fragments::read(arguments, lab, step, &mut ask)?;
    let words = Words::read(arguments, lab, &mut ask)?;
    ask.finish()?;
    let (Some(step), Some(words)) = (step, words) else {
        return Err(Exit::Usage);
    };
    let making = Making {
        folder,
        pack: &pack,
        lab,
        step,
        words,
        arguments,
    };
    making.make(&pasted, &mut ask)
}

/// What an author says about a mutant.
struct Words {
    id: String,
    title: String,
    origin: Origin,
    report: Option<String>,
    belief: String,
    lesson: String,
}

impl Words {
    fn read(arguments: &NewMutant, lab: &Lab, ask: &mut Ask) -> Result<Option<Self>, Exit> {
        let new_id = |text: &str| {
            let id = fields::name(text)?;
            match lab.mutant(&id) {
                Some(_) => Err(format!("lab {} has a mutant `{id}` already", lab.id)),
                None => Ok(id),
            }
        };
        let id = arguments.id.as_deref();
        let id = ask.field("--id", id, "What is its name (its file's too)?", &new_id)?;
        let title = arguments.title.as_deref();
        let question = "What does the changed code do, in a sentence?";
        let title = ask.field("--title", title, question, &fields::sentence)?;
        let origin = arguments.origin.as_deref();
        let question = "Where does it come from: field (a public report) or craft?";
        let origin = ask.field("--origin", origin, question, &origin_of)?;
        let report = arguments.report.as_deref();
        let report = match (origin, report) {
            (Some(Origin::Field), _) | (_, Some(_)) => {
                ask.field("--report", report, "What is the link to the report?", &link)?
            }
            _ => None,
        };
        let belief = arguments.belief.as_deref();
        let question = "Why does somebody write it? Say it in their words.";
        let belief = ask.field("--belief", belief, question, &fields::sentence)?;
        let lesson = arguments.lesson.as_deref();
        let question = "What is to be taken away from it?";
        let lesson = ask.field("--lesson", lesson, question, &fields::sentence)?;
        let whole = (|| {
            Some(Self {
                id: id?,
                title: title?,
                origin: origin?,
                report,
                belief: belief?,
                lesson: lesson?,
            })
        })();
        Ok(whole)
    }
}

fn origin_of(text: &str) -> Result<Origin, String> {
    match text {
        "field" => Ok(Origin::Field),
        "craft" => Ok(Origin::Craft),
        other => Err(format!("`{other}` is neither field nor craft")),
    }
}

fn link(text: &str) -> Result<String, String> {
    let is_link = ["https://", "http://"]
        .iter()
        .any(|start| text.len() > start.len() && text.starts_with(start));
    if is_link && !text.contains(char::is_whitespace) {
        Ok(text.to_owned())
    } else {
        Err(format!("`{text}` is not a link; it begins with https://"))
    }
}

/// A mutant that is being made, and for what.
struct Making<'a> {
    folder: &'a Path,
    pack: &'a Pack,
    lab: &'a Lab,
    step: &'a Step,
    words: Words,
    arguments: &'a NewMutant,
}

impl Making<'_> {
    fn make(&self, pasted: &Pasted, ask: &mut Ask) -> Result<Exit, Exit> {
        let placed = pasted.place(self.lab, self.step, ask)?;
        self.tell_left_out(&placed)?;
        let mutant = self.mutant(placed.clone());
        self.refuse_old(&mutant, &placed)?;
        let mut proofs = self.prove(&mutant, &placed, ask)?;
        let kept = self.judge(placed, &proofs)?;
        let tracks: Vec<Track> = kept.iter().map(|(track, _)| *track).collect();
        proofs.retain(|proof| tracks.contains(&proof.track));
        let promises = make::promises(self.lab, self.step.number, &tracks, &proofs);
        let mutant = Mutant {
            caught_by: promises.caught_by,
            caught_by_in: promises.caught_by_in,
            survives: promises.survives,
            ..self.mutant(kept)
        };
        self.write(&mutant)
    }

    fn prove(&self, mutant: &Mutant, placed: &Placed, ask: &Ask) -> Result<Vec<Proof>, Exit> {
        print("every test, twice; the first Rust build takes a minute or two\n")?;
        let prove = |(track, _): &(Track, _)| {
            let proof = make::prove(self.lab, *track, mutant, ask.interrupt())
                .map_err(|fault| run::report_fault(self.lab, &fault, ReportFormat::Text))?;
            self.tell(&proof)?;
            Ok(proof)
        };
        placed.iter().map(prove).collect()
    }

    fn mutant(&self, placed: Placed) -> Mutant {
        let (edits, edits_in) = make::edits_by_track(self.lab, placed);
        let words = &self.words;
        Mutant {
            id: words.id.clone(),
            step: self.step.number,
            title: words.title.clone(),
            origin: words.origin,
            report: words.report.clone(),
            belief: words.belief.clone(),
            edits,
            edits_in,
            caught_by: Vec::new(),
            caught_by_in: Vec::new(),
            survives: Vec::new(),
            survives_in: Vec::new(),
            lesson: words.lesson.clone(),
            equivalent: self.arguments.equivalent.clone(),
        }
    }

    fn tell_left_out(&self, placed: &Placed) -> Result<(), Exit> {
        for source in &self.lab.sources {
            if !placed.iter().any(|(track, _)| *track == source.track) {
                let track = source.track;
                print(&format!(
                    "{track}: its reference has not the fragment, so the mutant is not for this \
                     track (--find-in {track}=TEXT and --replace-in {track}=TEXT would add it)\n"
                ))?;
            }
        }
        Ok(())
    }

    /// Refuses a mutant that is the reference, or another mutant.
    fn refuse_old(&self, mutant: &Mutant, placed: &Placed) -> Result<(), Exit> {
        for (track, _) in placed {
            if let Some(other) = make::same_as(self.lab, *track, mutant) {
                complain(&format!(
                    "in the {track} track this is the same text as {other}; nothing was written"
                ));
                return Err(Exit::Failed);
            }
        }
        Ok(())
    }

    fn tell(&self, proof: &Proof) -> Result<(), Exit> {
        let track = proof.track;
        print(&match &proof.shown {
            Shown::Ran(cells) => format!(
                "{track}: {} of {} caught it, twice\n",
                proof.caught_by(self.lab).len(),
                counted(cells.len(), "test")
            ),
            Shown::NotBuilt(_) => format!("{track}: it does not build\n"),
            Shown::NotReady(why) => format!("{track}: not proved, {why}\n"),
        })?;
        for (test, why) in proof.doubtful(self.lab) {
            print(&format!("  not counted: {} ({why})\n", test.id))?;
        }
        Ok(())
    }

    /// Decides whether the mutant is worth a file, and in which tracks.
    fn judge(&self, placed: Placed, proofs: &[Proof]) -> Result<Placed, Exit> {
        for proof in proofs {
            if let Shown::NotBuilt(words) = &proof.shown {
                complain(&format!(
                    "the mutant does not build in the {} track; nothing was written",
                    proof.track
                ));
                eprintln!("{words}");
                return Err(Exit::Failed);
            }
        }
        let ran: Vec<&Proof> = proofs.iter().filter(|one| one.cells().is_some()).collect();
        if ran.is_empty() {
            complain("no track of the mutant can be run here, so nothing was written");
            return Err(Exit::Ungraded);
        }
        if self.arguments.equivalent.is_some() {
            return refuse_if_told(&ran).map(|()| placed);
        }
        let green = |proof: &&&Proof| proof.caught_by(self.lab).is_empty();
        let green: Vec<Track> = ran.iter().filter(green).map(|one| one.track).collect();
        if green.len() == ran.len() && !self.arguments.draft {
            self.complain_of_silence();
            return Err(Exit::Failed);
        }
        if green.len() == ran.len() {
            return Ok(placed);
        }
        for track in &green {
            print(&format!(
                "{track}: no test tells it there, so the mutant is not for this track\n"
            ))?;
        }
        let kept = placed
            .into_iter()
            .filter(|(track, _)| !green.contains(track));
        Ok(kept.collect())
    }

    fn complain_of_silence(&self) {
        complain("no test catches this mutant, so nothing was written");
        eprintln!(
            "  to write the test that does: idemlab new test --step {}\n  \
             if no test can: --equivalent REASON\n  \
             to keep the file meanwhile: --draft",
            self.step.number
        );
    }

    fn write(&self, mutant: &Mutant) -> Result<Exit, Exit> {
        let file_error = |error: make::FileError| {
            complain(&error.to_string());
            match error {
                make::FileError::There(_) => Exit::Usage,
                make::FileError::Write { .. } => Exit::Fault,
            }
        };
        let (way, schema) =
            make::schema(self.folder, SchemaKind::Mutant, "../../").map_err(file_error)?;
        let yaml = make::mutant_yaml(&self.lab.id, mutant, &way);
        let path = format!("mutants/{}/{}.yaml", self.lab.id, mutant.id);
        // What is written is what was proved, or it is not written.
        match pack::read_mutant(self.pack, &path, &yaml) {
            Ok(read) if read.edits == mutant.edits && read.edits_in == mutant.edits_in => {}
            Ok(_) => {
                complain("the file would not say what was proved; nothing was written");
                return Err(Exit::Fault);
            }
            Err(broken) => {
                eprint!("{}", problems::text(&broken.0));
                complain("nothing was written");
                return Err(Exit::Usage);
            }
        }
        make::create(&self.folder.join(&path), &yaml).map_err(file_error)?;
        print(&told(mutant))?;
        print(&format!("wrote {path}\n"))?;
        if let Some(schema) = schema {
            print(&format!("wrote {schema}, for your editor\n"))?;
        }
        Ok(Exit::Right)
    }
}

fn refuse_if_told(ran: &[&Proof]) -> Result<(), Exit> {
    for proof in ran {
        let red = proof.cells().into_iter().flatten();
        let mut red = red.filter(|(_, cell)| cell.word.is_red());
        if let Some((test, _)) = red.next() {
            complain(&format!(
                "`{test}` tells it from the reference in the {} track, so it is not \
                 equivalent; nothing was written",
                proof.track
            ));
            return Err(Exit::Failed);
        }
    }
    Ok(())
}

/// Says what the file promises.
fn told(mutant: &Mutant) -> String {
    let mut text = String::new();
    let mut list = |what: &str, ids: &[String]| {
        if !ids.is_empty() {
            let _ = writeln!(text, "{what} {}", ids.join(", "));
        }
    };
    list("caught by", &mutant.caught_by);
    for (track, ids) in &mutant.caught_by_in {
        list(&format!("caught in {track} by"), ids);
    }
    list("missed by", &mutant.survives);
    text
}
