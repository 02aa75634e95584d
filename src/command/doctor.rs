//! `idemlab doctor`: what this machine has, and what that means for the lab.

use std::fmt::Write as _;
use std::io::IsTerminal as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::list::track_states;
use super::print::print;
use super::{Exit, choose};
use crate::cli::{Cli, Format, ReportFormat};
use crate::model::{Pack, Track};
use crate::progress;
use crate::run::{Confinement, Scratch};

/// One thing that was looked at.
struct Finding {
    name: String,
    good: bool,
    words: String,
}

/// Tells what this machine has.
pub fn doctor(cli: &Cli, arguments: &Format) -> Result<Exit, Exit> {
    let pack = choose::pack(cli)?;
    let findings = findings(cli, &pack);
    print(&match arguments.format {
        ReportFormat::Text => text(&findings),
        ReportFormat::Json => json_text(&findings),
    })?;
    Ok(Exit::Right)
}

fn findings(cli: &Cli, pack: &Pack) -> Vec<Finding> {
    let mut findings = vec![program()];
    findings.extend(tracks(pack));
    if pack
        .labs
        .iter()
        .any(|lab| lab.source(Track::Shell).is_some())
    {
        findings.push(tool("bash", "--version", "the shell track"));
        findings.push(tool("sqlite3", "-version", "the shell track"));
    }
    findings.extend([
        tool("cargo", "--version", "Rust sources of your own"),
        scratch(),
        confinement(),
        progress_file(cli),
        terminal(),
    ]);
    findings
}

fn program() -> Finding {
    Finding {
        name: "idemlab".to_owned(),
        good: true,
        words: format!(
            "{} on {} {}, SQLite {}",
            env!("CARGO_PKG_VERSION"),
            std::env::consts::OS,
            std::env::consts::ARCH,
            rusqlite::version()
        ),
    }
}

fn tracks(pack: &Pack) -> Vec<Finding> {
    let mut findings = Vec::new();
    for lab in &pack.labs {
        for track in track_states(lab) {
            findings.push(Finding {
                name: format!("{} in {}", lab.id, track.id),
                good: track.ready,
                words: track.why.unwrap_or_else(|| "ready".to_owned()),
            });
        }
    }
    findings
}

fn tool(name: &str, flag: &str, needed_for: &str) -> Finding {
    let answer = Command::new(name)
        .arg(flag)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output();
    let version = answer.ok().filter(|answer| answer.status.success());
    let words = version.as_ref().map(|answer| {
        let text = String::from_utf8_lossy(&answer.stdout);
        text.lines().next().unwrap_or_default().to_owned()
    });
    Finding {
        name: name.to_owned(),
        good: words.is_some(),
        words: words.unwrap_or_else(|| format!("not found; needed for {needed_for} only")),
    }
}

fn scratch() -> Finding {
    let (good, words) = match Scratch::new() {
        Ok(scratch) => (
            true,
            scratch.path().parent().map(where_it_is).unwrap_or_default(),
        ),
        Err(error) => (
            false,
            format!("{error}; set IDEMLAB_SCRATCH to a folder that can be written"),
        ),
    };
    Finding {
        name: "scratch folder".to_owned(),
        good,
        words,
    }
}

fn confinement() -> Finding {
    let confinement = Confinement::detect();
    let (applied, lacking) = (confinement.applied(), confinement.lacking());
    let mut words = if applied.is_empty() {
        "nothing".to_owned()
    } else {
        applied.join(", ")
    };
    if !lacking.is_empty() {
        let _ = write!(words, "; lacking: {}", lacking.join("; "));
    }
    Finding {
        name: "confinement".to_owned(),
        good: confinement.is_enough(),
        words,
    }
}

fn where_it_is(folder: &Path) -> String {
    format!("in {}", folder.display())
}

fn progress_file(cli: &Cli) -> Finding {
    let path = cli.progress.clone().or_else(progress::default_path);
    let (good, words) = match path {
        None => (
            false,
            "there is no home folder; name a file with --progress".to_owned(),
        ),
        Some(path) if !path.exists() => (true, format!("{}, made when needed", path.display())),
        Some(path) => match progress::Progress::open(&path) {
            Ok(_) => (true, path.display().to_string()),
            Err(error) => (false, error.to_string()),
        },
    };
    Finding {
        name: "progress file".to_owned(),
        good,
        words,
    }
}

fn terminal() -> Finding {
    let is = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    let size = ratatui::crossterm::terminal::size();
    let words = match (is, size) {
        (false, _) => "none here: the worksheet comes as plain lines".to_owned(),
        (true, Ok((columns, rows))) => format!("{columns} columns by {rows} rows"),
        (true, Err(error)) => format!("its size is unknown: {error}"),
    };
    Finding {
        name: "terminal".to_owned(),
        good: true,
        words,
    }
}

fn text(findings: &[Finding]) -> String {
    let mut text = String::new();
    let width = findings
        .iter()
        .map(|finding| finding.name.len())
        .max()
        .unwrap_or(0);
    for finding in findings {
        let mark = if finding.good { "ok     " } else { "missing" };
        let _ = writeln!(text, "{mark}  {:width$}  {}", finding.name, finding.words);
    }
    text
}

fn json_text(findings: &[Finding]) -> String {
    let findings: Vec<Value> = findings
        .iter()
        .map(|finding| json!({"name": finding.name, "ok": finding.good, "words": finding.words}))
        .collect();
    format!("{:#}\n", json!({"version": 1, "findings": findings}))
}
