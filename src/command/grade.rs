//! `idemlab grade` and `idemlab merge`.

mod out;
mod sight;

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use self::out::Output;
use self::sight::Sight;
use super::print::complain;
use super::run::report_fault;
use super::{Exit, choose, signal};
use crate::cli::{Cli, Grade, Merge, ReportFormat};
use crate::grade::{self, ClassFault, Found, Grader, Part, Session, SessionError};
use crate::gradebook::{Gradebook, Shard, Status, Submission, VERSION};
use crate::model::Pack;
use crate::mutate;
use crate::run::Confinement;

/// Grades submissions.
pub fn grade(cli: &Cli, arguments: &Grade) -> Result<Exit, Exit> {
    let pack = choose::pack(cli)?;
    let output = Output::choose(&arguments.report)?;
    let part = match &arguments.shard {
        Some(text) => Some(Part::parse(text).map_err(|why| usage(&why))?),
        None => None,
    };
    let all = grade::find(&arguments.paths).map_err(|error| usage(&error.to_string()))?;
    if all.is_empty() {
        complain("there is nothing to grade: no submission was found");
        return Err(Exit::Ungraded);
    }
    let roll: Vec<String> = all.iter().map(|found| found.path.clone()).collect();
    let found: Vec<Found> = match part {
        Some(part) => all.into_iter().filter(|found| part.holds(found)).collect(),
        None => all,
    };
    output.fits(found.len())?;
    let confined = confinement(arguments.unconfined)?;
    let cores = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let jobs = arguments
        .jobs
        .unwrap_or(cores)
        .get()
        .min(found.len().max(1));
    let interrupt = signal::interrupt_of_signals();
    let grader = Grader::new(&pack, confined, jobs, interrupt);
    let place = Place::choose(arguments, &grader, &roll);
    let session = Mutex::new(place.open()?);
    let sight = Sight::new(found.len());
    let tell = |news: grade::News<'_>| sight.show(&news);
    let ended = grade::grade(&grader, &found, &session, jobs, &tell);
    sight.end();
    ended.map_err(|fault| report_class_fault(&pack, fault, &place))?;
    let session = session
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    let head = Gradebook {
        version: VERSION,
        complete: true,
        pack: grader.id().to_owned(),
        shard: part.map(|part| Shard {
            number: part.number,
            of: part.of,
            roll,
        }),
        submissions: Vec::new(),
    };
    let results = found.iter().map(|one| {
        let result = session.result(grade::key(&grader, one))?;
        result.ok_or_else(|| SessionError::Gone(one.path.clone()))
    });
    let exit = output.write(head, results, &pack)?;
    drop(session);
    place.done();
    Ok(exit)
}

/// Puts the parts of a class together.
pub fn merge(cli: &Cli, arguments: &Merge) -> Result<Exit, Exit> {
    let pack = choose::pack(cli)?;
    let output = Output::choose(&arguments.report)?;
    let mut parts = Vec::new();
    let mut unread = false;
    for file in &arguments.files {
        match read(file) {
            Ok(part) => parts.push((file.display().to_string(), part)),
            Err(why) => {
                complain(&format!("failed to read {}: {why}", file.display()));
                unread = true;
            }
        }
    }
    if unread {
        return Err(Exit::Usage);
    }
    let mut merged = grade::merge(parts).map_err(|problems| {
        for problem in &problems {
            complain(problem);
        }
        complain("nothing was merged");
        Exit::Usage
    })?;
    output.fits(merged.submissions.len())?;
    let results = std::mem::take(&mut merged.submissions);
    output.write(merged, results.into_iter().map(Ok), &pack)
}

fn read(file: &Path) -> Result<Gradebook, String> {
    let text = fs::read_to_string(file).map_err(|error| error.to_string())?;
    serde_json::from_str(&text).map_err(|error| format!("it is no result of `grade`: {error}"))
}

fn usage(why: &str) -> Exit {
    complain(why);
    Exit::Usage
}

/// Looks what this machine has to keep submissions in; without it nothing is graded unasked.
fn confinement(unconfined: bool) -> Result<Option<Confinement>, Exit> {
    if unconfined {
        return Ok(None);
    }
    let confinement = Confinement::detect();
    if confinement.is_enough() {
        return Ok(Some(confinement));
    }
    let lacking = confinement.lacking().join("; ");
    complain(&format!(
        "this machine cannot keep a submission in ({lacking}): it could read and change whatever \
         you can. Grade on Linux, or give --unconfined for code that you trust"
    ));
    Err(Exit::Ungraded)
}

/// How the whole of it ends: what is not graded before what is wrong.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Ending {
    ungraded: bool,
    red: bool,
}

impl Ending {
    /// Takes note of a result.
    pub fn see(&mut self, submission: &Submission) {
        self.ungraded |= submission.status == Status::Ungraded;
        let mut tests = submission.steps.iter().flat_map(|step| &step.tests);
        self.red |= tests.any(|test| test.counts_against() || test.verdict == "not_run");
    }

    /// Returns the exit code.
    pub const fn exit(self) -> Exit {
        match self {
            Self { ungraded: true, .. } => Exit::Ungraded,
            Self { red: true, .. } => Exit::Failed,
            Self { .. } => Exit::Right,
        }
    }
}

/// Where the results so far are kept.
struct Place {
    file: Option<PathBuf>,
    /// Whether it was named: then it stays when all is done.
    named: bool,
}

impl Place {
    /// Takes the file that was named, or one in the cache that belongs to this very class.
    fn choose(arguments: &Grade, grader: &Grader<'_>, roll: &[String]) -> Self {
        use etcetera::BaseStrategy as _;
        if let Some(file) = &arguments.session {
            return Self {
                file: Some(file.clone()),
                named: true,
            };
        }
        let here: Vec<String> = arguments
            .paths
            .iter()
            .map(|path| fs::canonicalize(path).unwrap_or_else(|_| path.clone()))
            .map(|path| grade::spelt(path.as_os_str()))
            .collect();
        let shard = arguments.shard.clone().unwrap_or_default();
        let confined = if arguments.unconfined {
            "unconfined"
        } else {
            "confined"
        };
        let parts = [
            &here.join("\0"),
            &roll.join("\0"),
            &shard,
            grader.id(),
            confined,
        ]
        .map(str::to_owned);
        let name = &mutate::hash(&parts.join("\0\0"))[..16];
        let base = etcetera::choose_base_strategy().ok();
        let folder = base.map(|base| base.cache_dir().join("idemlab").join("grade"));
        let folder = folder.filter(|folder| fs::create_dir_all(folder).is_ok());
        if folder.is_none() {
            eprintln!(
                "note: there is no cache folder to write to, so a kill would cost all results"
            );
        }
        let file = folder.map(|folder| folder.join(name).with_extension("db"));
        if let Some(file) = file.as_ref().filter(|_| arguments.fresh) {
            remove(file);
        }
        Self { file, named: false }
    }

    fn open(&self) -> Result<Session, Exit> {
        Session::open(self.file.as_deref()).map_err(|error| {
            complain(&error.to_string());
            Exit::Fault
        })
    }

    /// Removes the file, unless somebody named it.
    fn done(&self) {
        if let Some(file) = self.file.as_ref().filter(|_| !self.named) {
            remove(file);
        }
    }
}

fn remove(file: &Path) {
    for end in ["", "-wal", "-shm"] {
        let mut name = file.as_os_str().to_owned();
        name.push(end);
        let _ = fs::remove_file(name);
    }
}

fn report_class_fault(pack: &Pack, fault: ClassFault, place: &Place) -> Exit {
    match fault {
        ClassFault::Interrupted => {
            let how = match &place.file {
                Some(_) => "; what is graded is kept: the same command goes on from there",
                None => "",
            };
            complain(&format!("interrupted; nothing is left running{how}"));
            Exit::Interrupted
        }
        ClassFault::Session(error) => {
            complain(&error.to_string());
            Exit::Fault
        }
        ClassFault::Fault(fault) => match pack.labs.first() {
            Some(lab) => report_fault(lab, &fault, ReportFormat::Text),
            None => Exit::Fault,
        },
    }
}
