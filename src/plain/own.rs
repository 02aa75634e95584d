//! The learner's own code in plain lines: where the folder is, and one run whenever it is asked
//! for. Nothing is watched, since lines that come on their own would disturb whoever reads.

use std::io::{BufRead, Write};

use super::{Plain, Stop};
use crate::lab::{
    Bench, Fault, Found, OwnCode, Upto, bench_track, find_folder, folder_needs, make_folder,
};
use crate::report::trial;
use crate::workspace::{Purpose, Workspace};

impl<R: BufRead, W: Write> Plain<'_, R, W> {
    /// Runs the tests of the learner's own code up to a step, until Enter goes on.
    pub(super) fn own(&mut self, step: u32) -> Result<(), Stop> {
        let here = std::env::current_dir()?;
        let workspace = match find_folder(&here, &self.lab.id, Purpose::Write) {
            Found::There(workspace) => workspace,
            Found::Broken(error) => {
                return self.say(&format!("\nYour folder cannot be used: {error}"));
            }
            Found::Nothing(folder) => {
                let made = self.offer(&folder)?;
                let Some(workspace) = made else {
                    return Ok(());
                };
                workspace
            }
        };
        let root = workspace.root().to_owned();
        self.say(&format!("\nYOUR CODE in {}\n", root.display()))?;
        loop {
            // It may have been changed since.
            match Workspace::open(&root) {
                Ok(workspace) => self.run_own(&workspace, step)?,
                Err(error) => self.say(&format!("Your folder cannot be used: {error}"))?,
            }
            self.say("\nr runs it again, once you have saved; Enter goes back; q leaves.")?;
            loop {
                match self.line()?.as_str() {
                    "" => return Ok(()),
                    "r" => break,
                    _ => self.say("r, Enter or q.")?,
                }
            }
        }
    }

    /// Offers to make a folder; none if that was not wanted or cannot be done.
    fn offer(&mut self, folder: &std::path::Path) -> Result<Option<Workspace>, Stop> {
        self.say(&format!(
            "\nThere is no code of yours for this lab here yet. m makes a folder for it in {}:\n{}\nEnter goes back; q leaves.",
            self.track,
            folder.display()
        ))?;
        if let Some(why) = folder_needs(self.lab, self.track) {
            self.say(&format!("Before that: {why}."))?;
        }
        loop {
            match self.line()?.as_str() {
                "" => return Ok(None),
                "m" => break,
                _ => self.say("m, Enter or q.")?,
            }
        }
        match make_folder(folder, self.lab, self.track, Purpose::Write) {
            Ok(workspace) => Ok(Some(workspace)),
            Err(why) => {
                self.say(&format!("It was not made: {why}"))?;
                Ok(None)
            }
        }
    }

    fn run_own(&mut self, workspace: &Workspace, step: u32) -> Result<(), Stop> {
        let code = match OwnCode::of(workspace) {
            Ok(code) => code,
            Err(nothing) => return self.say(&format!("Nothing was run: {nothing}")),
        };
        let track = bench_track(self.lab, &code);
        let ran = Bench::new(self.lab, track, self.interrupt.clone())
            .and_then(|bench| bench.trial(&code, Upto::Step(step)));
        match ran {
            Ok(ran) => {
                let attempts = self.progress.predictions(&self.lab.id)?;
                let text = trial::text(self.lab, &ran, &attempts);
                self.say(text.trim_end())
            }
            Err(Fault::Interrupted) => Err(Stop::Interrupted),
            Err(fault) => self.say(&format!("Nothing was run: {fault}")),
        }
    }
}
