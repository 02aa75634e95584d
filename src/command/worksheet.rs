//! `idemlab` without a command: the lab on the screen, or as plain lines.

use std::io::{self, IsTerminal as _};
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::print::{complain, print};
use super::{Exit, choose, signal};
use crate::cli::Cli;
use crate::lab::Fault;
use crate::model::{Lab, Pack, Track};
use crate::plain::{self, End, Plain, Stop};
use crate::progress::{self, Progress};
use crate::tui::{self, TuiExit};
use crate::worksheet::{is_step_done, lab_to_open, next_in_order, put_in_order};
use crate::workspace::Workspace;

/// Opens the lab.
pub fn worksheet(cli: &Cli) -> Result<Exit, Exit> {
    let mut pack = choose::pack(cli)?;
    let reads_terminal = io::stdin().is_terminal();
    if reads_terminal {
        put_in_order(&mut pack);
    }
    let named = match &cli.lab {
        Some(name) => Some(choose::lab(&pack, name)?.id.clone()),
        None => None,
    };
    if let Some(rate) = cli.rate {
        let steps = pack.labs.iter_mut().flat_map(|lab| &mut lab.steps);
        for storage in steps.filter_map(|step| step.storage.as_mut()) {
            storage.rates = vec![rate];
        }
    }
    let (mut progress, notice) = open_progress(cli);
    let at = match named {
        Some(id) => pack.labs.iter().position(|lab| lab.id == id),
        // A script's answers must not meet another lab because somebody has learned meanwhile.
        None if !reads_terminal => None,
        None => where_to_open(&pack, &progress),
    };
    let at = at.unwrap_or(0);
    remember_track(cli, pack.labs.get(at), &mut progress)?;
    let on_screen = reads_terminal && io::stdout().is_terminal();
    // Such a terminal knows no way to move the cursor.
    let dumb = std::env::var_os("TERM").is_some_and(|name| name == "dumb");
    if cli.plain || !on_screen || dumb {
        return plain(&pack, at, &mut progress, notice.as_deref());
    }
    screen(pack, at, progress, notice)
}

/// Finds the lab to open: that of the folder one is in, the one last worked in or the one after
/// it; none for a newcomer, who begins with the first.
fn where_to_open(pack: &Pack, progress: &Progress) -> Option<usize> {
    let here = std::env::current_dir().ok();
    if let Some(workspace) = here.and_then(|here| Workspace::find(&here).ok())
        && let Ok(own) = workspace.lab(pack)
    {
        return pack.labs.iter().position(|lab| lab.id == own.id);
    }
    let last = progress.last_lab().ok().flatten()?;
    let is_over = |lab: &Lab| {
        let (Ok(attempts), Ok(answers)) =
            (progress.predictions(&lab.id), progress.answers(&lab.id))
        else {
            return false;
        };
        let mut steps = lab.steps.iter();
        steps.all(|step| is_step_done(lab, step, &attempts, &|task| answers.contains_key(task)))
    };
    lab_to_open(pack, &last, &is_over)
}

/// Stores the language that was asked for, as the key on the screen does.
fn remember_track(cli: &Cli, lab: Option<&Lab>, progress: &mut Progress) -> Result<(), Exit> {
    let (Some(name), Some(lab)) = (&cli.track, lab) else {
        return Ok(());
    };
    let track = choose::track(lab, name)?;
    if let Err(error) = progress.set("track", track.id()) {
        complain(&error.to_string());
    }
    Ok(())
}

/// Opens the lab on the screen.
fn screen(pack: Pack, at: usize, progress: Progress, notice: Option<String>) -> Result<Exit, Exit> {
    // A panic has given the terminal back and told itself; here it only becomes an exit code.
    match catch_unwind(AssertUnwindSafe(|| tui::run(pack, at, progress, notice))) {
        Ok(Ok(TuiExit::Left)) => Ok(Exit::Right),
        Ok(Ok(TuiExit::Interrupted)) => Ok(Exit::Interrupted),
        Ok(Err(error)) => {
            complain(&format!(
                "failed to open the screen: {error}; --plain works without"
            ));
            Err(Exit::Fault)
        }
        Err(_) => Err(Exit::Fault),
    }
}

/// Opens the progress file; if that fails, the lab opens without one and says so.
fn open_progress(cli: &Cli) -> (Progress, Option<String>) {
    let Some(path) = cli.progress.clone().or_else(progress::default_path) else {
        let notice = "there is no home folder, so nothing is saved; name a file with --progress";
        return (Progress::in_memory(), Some(notice.to_owned()));
    };
    match Progress::open(&path) {
        Ok(progress) => (progress, None),
        Err(error) => {
            let notice = format!("nothing is saved in this session: {error}");
            (Progress::in_memory(), Some(notice))
        }
    }
}

fn plain(
    pack: &Pack,
    at: usize,
    progress: &mut Progress,
    notice: Option<&str>,
) -> Result<Exit, Exit> {
    if let Some(notice) = notice {
        eprintln!("note: {notice}");
    }
    let Some(lab) = pack.labs.get(at) else {
        complain("this pack has no lab");
        return Err(Exit::Pack);
    };
    let track = match progress.setting("track") {
        Ok(Some(name)) => Track::parse(&name).filter(|track| lab.source(*track).is_some()),
        _ => None,
    };
    let track = track.unwrap_or_default();
    match plain::map(pack, lab, progress) {
        Ok(map) => print(&map)?,
        Err(error) => complain(&error.to_string()),
    }
    let interrupt = signal::interrupt_of_signals();
    let mut plain = Plain::new(
        io::stdin().lock(),
        io::stdout().lock(),
        lab,
        track,
        progress,
        interrupt,
    );
    signal::leave_while(plain.waiting());
    match plain.run() {
        Ok(End::Finished) => {
            if let Some(next) = next_in_order(pack, lab) {
                let next = &next.id;
                print(&format!(
                    "The next in the suggested order: `idemlab --lab {next}`.\n"
                ))?;
            }
            Ok(Exit::Right)
        }
        Ok(End::Left) => Ok(Exit::Right),
        Ok(End::Interrupted) => Ok(Exit::Interrupted),
        // The reader of our lines has gone: that is a way to leave.
        Err(Stop::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Exit::Right),
        Err(stop @ Stop::Fault(Fault::NotReady(_))) => {
            complain(&format!("{stop}; `idemlab --track rust` works without it"));
            Err(Exit::Ungraded)
        }
        Err(stop) => {
            complain(&stop.to_string());
            Err(Exit::Fault)
        }
    }
}
