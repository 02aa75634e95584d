//! `idemlab` without a command: the lab on the screen, or as plain lines.

use std::io::{self, IsTerminal as _};
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::print::{complain, print};
use super::{Exit, choose, signal};
use crate::cli::Cli;
use crate::lab::Fault;
use crate::model::{Pack, Track};
use crate::plain::{self, End, Plain, Stop};
use crate::progress::{self, Progress};
use crate::tui::{self, TuiExit};
use crate::worksheet::next_in_order;

/// Opens the lab.
pub fn worksheet(cli: &Cli) -> Result<Exit, Exit> {
    let mut pack = choose::pack(cli)?;
    if let Some(name) = &cli.lab {
        let id = choose::lab(&pack, name)?.id.clone();
        // Both faces open the first one.
        pack.labs.sort_by_key(|lab| lab.id != id);
    }
    if let Some(rate) = cli.rate {
        let steps = pack.labs.iter_mut().flat_map(|lab| &mut lab.steps);
        for storage in steps.filter_map(|step| step.storage.as_mut()) {
            storage.rates = vec![rate];
        }
    }
    let (mut progress, notice) = open_progress(cli);
    remember_track(cli, &pack, &mut progress)?;
    let on_screen = io::stdin().is_terminal() && io::stdout().is_terminal();
    // Such a terminal knows no way to move the cursor.
    let dumb = std::env::var_os("TERM").is_some_and(|name| name == "dumb");
    if cli.plain || !on_screen || dumb {
        return plain(&pack, &mut progress, notice.as_deref());
    }
    screen(pack, progress, notice)
}

/// Stores the language that was asked for, as the key on the screen does.
fn remember_track(cli: &Cli, pack: &Pack, progress: &mut Progress) -> Result<(), Exit> {
    let (Some(name), Some(lab)) = (&cli.track, pack.labs.first()) else {
        return Ok(());
    };
    let track = choose::track(lab, name)?;
    if let Err(error) = progress.set("track", track.id()) {
        complain(&error.to_string());
    }
    Ok(())
}

/// Opens the lab on the screen.
fn screen(pack: Pack, progress: Progress, notice: Option<String>) -> Result<Exit, Exit> {
    // A panic has given the terminal back and told itself; here it only becomes an exit code.
    match catch_unwind(AssertUnwindSafe(|| tui::run(pack, progress, notice))) {
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

fn plain(pack: &Pack, progress: &mut Progress, notice: Option<&str>) -> Result<Exit, Exit> {
    if let Some(notice) = notice {
        eprintln!("note: {notice}");
    }
    let Some(lab) = pack.labs.first() else {
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
