//! `idemlab new`: makes a mutant or a test with an instructor, and proves it.

mod ask;
mod fields;
mod fragments;
mod mutant;
mod test;

use std::path::{Path, PathBuf};

use super::Exit;
use super::print::complain;
use crate::cli::{Cli, New};
use crate::model::{Pack, Problem};
use crate::pack::{self, Sources};
use crate::report::problems;

/// Makes what is asked for.
pub fn new(cli: &Cli, what: &New) -> Result<Exit, Exit> {
    let folder = cli.pack.clone().unwrap_or_else(|| PathBuf::from("."));
    match what {
        New::Mutant(arguments) => mutant::mutant(&folder, arguments),
        New::Test(arguments) => test::test(&folder, arguments),
    }
}

/// Opens the pack to write into. A folder that is none yet is one on top of the shipped labs.
///
/// Problems of its labs are errors. Those of its other mutants are not this command's business.
fn open(folder: &Path) -> Result<(Pack, Sources), Exit> {
    let draft = pack::read(Some(folder));
    let wrong: Vec<Problem> = draft
        .problems
        .into_iter()
        .filter(|problem| problem.is_error() && problem.id != "no-pack")
        .collect();
    let (labs, others): (Vec<Problem>, Vec<Problem>) = wrong
        .into_iter()
        .partition(|problem| problem.file.starts_with("exercises/"));
    if !labs.is_empty() {
        eprint!("{}", problems::text(&labs));
        complain("the labs of this pack have problems; nothing can be proved on top of them");
        return Err(Exit::Pack);
    }
    if let Some(other) = others.first() {
        eprintln!(
            "note: other files of the pack have problems ({} and so on); `idemlab check` tells them",
            other.file
        );
    }
    Ok((draft.pack, draft.sources))
}
