//! The page about a learner's own code is typed as it stands: commands in their order, and the
//! code between them into the file that it names.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::{read, root};

#[test]
fn the_page_about_your_own_code_shows_what_happens() {
    let place = tempfile::tempdir().unwrap();
    let mut typist = Typist {
        home: place.path().to_owned(),
        folder: place.path().to_owned(),
        commands: 0,
    };
    let page = read(&root().join("book/src/own.md"));
    let mut into = None;
    for (place, part) in page.split("```").enumerate() {
        if place % 2 == 0 {
            let marker = part.split("<!-- append: ").nth(1);
            into = marker.and_then(|rest| rest.split(" -->").next());
        } else if let (Some(file), Some(code)) = (into, part.strip_prefix("python\n")) {
            let path = typist.folder.join(file);
            let mut file = fs::OpenOptions::new().append(true).open(path).unwrap();
            write!(file, "\n\n{code}").unwrap();
        } else if let Some(session) = part.strip_prefix("text\n$ ") {
            for step in session.split("\n$ ") {
                typist.types(step);
            }
        }
    }
    assert_eq!(typist.commands, 4, "commands of the page");
}

struct Typist {
    home: PathBuf,
    folder: PathBuf,
    commands: usize,
}

impl Typist {
    /// Types a line, and looks whether the lines below it are what is said.
    fn types(&mut self, step: &str) {
        let (line, expected) = step.split_once('\n').unwrap_or((step, ""));
        if let Some(folder) = line.strip_prefix("cd ") {
            self.folder = self.folder.join(folder);
            return;
        }
        let arguments = line.strip_prefix("idemlab ").unwrap().split_whitespace();
        let output = Command::new(env!("CARGO_BIN_EXE_idemlab"))
            .args(arguments)
            .current_dir(&self.folder)
            .env("HOME", &self.home)
            .env("XDG_DATA_HOME", &self.home)
            .env("USERPROFILE", &self.home)
            .env("APPDATA", &self.home)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(stderr.is_empty(), "{line}: {stderr}");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(
            fits(expected.trim_end(), said.trim_end()),
            "`{line}` says:\n{said}\nand not:\n{expected}"
        );
        self.commands += 1;
    }
}

/// Tells whether a text is as expected; `[..]` stands for anything in a line, and a line `...` for
/// any lines.
fn fits(expected: &str, said: &str) -> bool {
    let pattern = expected
        .replace("\n...\n", "\n[...]")
        .replace("\n...", "\n[...]");
    let mut rest = said;
    for (place, part) in pattern.split("[...]").enumerate() {
        for (inner, part) in part.split("[..]").enumerate() {
            let first = place == 0 && inner == 0;
            let Some(at) = rest.find(part).filter(|at| !first || *at == 0) else {
                return false;
            };
            if inner > 0 && rest[..at].contains('\n') {
                return false;
            }
            rest = &rest[at + part.len()..];
        }
    }
    rest.is_empty() || pattern.ends_with("[...]") || pattern.ends_with("[..]")
}
