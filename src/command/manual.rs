//! `idemlab completions` and `idemlab man`: the command line told to shells and to `man`.

use std::path::Path;

use clap::CommandFactory as _;
use clap_complete::Shell;
use clap_mangen::Man;

use super::Exit;
use super::print::{complain, print};
use crate::cli::Cli;

/// Prints what lets `shell` complete the commands and options.
pub fn completions(shell: Shell) -> Result<Exit, Exit> {
    let mut written = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "idemlab", &mut written);
    print(&String::from_utf8_lossy(&written))?;
    Ok(Exit::Right)
}

/// Prints the manual page, or writes one for each command into `folder`.
pub fn man(folder: Option<&Path>) -> Result<Exit, Exit> {
    let Some(folder) = folder else {
        let mut written = Vec::new();
        let rendered = Man::new(Cli::command()).render(&mut written);
        rendered.map_err(|error| {
            complain(&format!("failed to write the manual page: {error}"));
            Exit::Fault
        })?;
        print(&String::from_utf8_lossy(&written))?;
        return Ok(Exit::Right);
    };
    let written = std::fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(Cli::command(), folder));
    match written {
        Ok(()) => Ok(Exit::Right),
        Err(error) => {
            complain(&format!(
                "failed to write into {}: {error}",
                folder.display()
            ));
            Err(Exit::Fault)
        }
    }
}
