//! `idemlab` without a command: the worksheet, on the screen where there is one.

use std::io::{IsTerminal as _, stdin, stdout};
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::Exit;
use crate::cli::Cli;
use crate::model::Pack;
use crate::pack;
use crate::progress::{Progress, default_path};
use crate::tui::{self, TuiExit};

/// Opens the worksheet.
pub fn open(cli: &Cli) -> Exit {
    let pack = match load(cli) {
        Ok(pack) => pack,
        Err(exit) => return exit,
    };
    let (progress, notice) = progress(cli);
    if !cli.plain && stdin().is_terminal() && stdout().is_terminal() {
        return screen(pack, progress, notice);
    }
    Exit::Usage
}

fn load(cli: &Cli) -> Result<Pack, Exit> {
    let loaded = match &cli.pack {
        Some(folder) => pack::load(folder),
        None => pack::shipped(),
    };
    loaded.map_err(|broken| {
        for problem in &broken.0 {
            eprintln!("{problem}");
        }
        Exit::Pack
    })
}

/// Opens the progress file; if it cannot be used it is left alone, and the lab opens without.
fn progress(cli: &Cli) -> (Progress, Option<String>) {
    let Some(path) = cli.progress.clone().or_else(default_path) else {
        let notice = "there is no data folder, so nothing is saved; name a file with --progress";
        return (Progress::in_memory(), Some(notice.to_owned()));
    };
    match Progress::open(&path) {
        Ok(progress) => (progress, None),
        Err(error) => {
            let notice = format!("nothing is saved this time: {error}");
            (Progress::in_memory(), Some(notice))
        }
    }
}

fn screen(pack: Pack, progress: Progress, notice: Option<String>) -> Exit {
    // A panic has given the terminal back and told itself; here it only becomes an exit code.
    match catch_unwind(AssertUnwindSafe(|| tui::run(pack, progress, notice))) {
        Ok(Ok(TuiExit::Left)) => Exit::Right,
        Ok(Ok(TuiExit::Interrupted)) => Exit::Interrupted,
        Ok(Err(error)) => {
            eprintln!("error: failed to open the screen: {error}; --plain works without");
            Exit::Fault
        }
        Err(_) => Exit::Fault,
    }
}
