//! `idemlab check`: proves a pack.

use std::path::PathBuf;

use super::print::{complain, print};
use super::{Exit, signal};
use crate::cli::{Check, CheckFormat, Cli};
use crate::lab::Fault;
use crate::lab::check::{Cache, Checked};
use crate::model::Problem;
use crate::pack;
use crate::report::{github, json, problems};
use crate::worksheet::counted;

/// Checks a pack and reports every problem.
pub fn check(cli: &Cli, arguments: &Check) -> Result<Exit, Exit> {
    let folder = arguments.folder.as_ref().or(cli.pack.as_ref());
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        complain(&format!(
            "there is no folder {}; name the folder of a pack",
            folder.display()
        ));
        return Err(Exit::Usage);
    }
    let draft = pack::read(folder.map(PathBuf::as_path));
    let mut cache = cache(arguments);
    let interrupt = signal::interrupt_of_signals();
    let checked = crate::lab::check::check(&draft, &mut cache, &interrupt).map_err(|fault| {
        complain(&fault.to_string());
        match fault {
            Fault::Interrupted => Exit::Interrupted,
            _ => Exit::Fault,
        }
    })?;
    print(&report(&checked, arguments.format))?;
    let wrong = checked.problems.iter().any(Problem::is_error);
    Ok(if wrong { Exit::Pack } else { Exit::Right })
}

fn cache(arguments: &Check) -> Cache {
    use etcetera::BaseStrategy as _;
    if arguments.no_cache {
        return Cache::none();
    }
    match etcetera::choose_base_strategy() {
        Ok(base) => Cache::open(&base.cache_dir().join("idemlab"), env!("IDEMLAB_SOURCES")),
        Err(_) => Cache::none(),
    }
}

fn report(checked: &Checked, format: CheckFormat) -> String {
    match format {
        CheckFormat::Json => json::problems(&checked.problems, checked.mutants, checked.tests),
        CheckFormat::Github => github::problems(&checked.problems),
        CheckFormat::Text => text(checked),
    }
}

fn text(checked: &Checked) -> String {
    let errors = checked
        .problems
        .iter()
        .filter(|problem| problem.is_error())
        .count();
    let warnings = checked.problems.len() - errors;
    format!(
        "{}{} and {}: {}, {} ({} run now)\n",
        problems::text(&checked.problems),
        counted(checked.mutants, "mutant"),
        counted(checked.tests, "test"),
        counted(errors, "error"),
        counted(warnings, "warning"),
        counted(checked.ran, "result"),
    )
}
