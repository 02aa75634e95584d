//! Holds what `ARCHITECTURE.md` promises: who may import whom, how long a file may be, how it
//! begins, and that no file names the machine it was written on.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr as _;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use May::{AllBut, Only};

/// What a module may import of the program; itself always.
#[derive(Debug, Clone, Copy)]
enum May {
    /// These modules and no others.
    Only(&'static [&'static str]),
    /// Every module but these.
    AllBut(&'static [&'static str]),
}

/// The import table. A longer path overrides a shorter one for the files below it.
const TABLE: &[(&str, May)] = &[
    ("model", Only(&[])),
    ("mutate", Only(&[])),
    ("kit", Only(&[])),
    ("pack", Only(&["model", "mutate"])),
    ("run", Only(&["model"])),
    ("run/track", Only(&["model", "mutate"])),
    ("run/track/rust", Only(&["model", "mutate", "kit"])),
    ("verdict", Only(&["model", "run"])),
    ("event", Only(&["model", "verdict"])),
    (
        "lab",
        Only(&[
            "model",
            "mutate",
            "pack",
            "run",
            "verdict",
            "event",
            "workspace",
        ]),
    ),
    (
        "worksheet",
        Only(&["model", "mutate", "verdict", "event", "run"]),
    ),
    ("workspace", Only(&["model", "mutate", "pack", "event"])),
    ("gradebook", Only(&["model"])),
    (
        "grade",
        AllBut(&["plain", "tui", "report", "progress", "command", "cli"]),
    ),
    (
        "report",
        Only(&["model", "verdict", "event", "worksheet", "gradebook"]),
    ),
    ("progress", Only(&["model", "verdict", "event"])),
    ("plain", AllBut(&["tui", "command", "cli"])),
    (
        "tui",
        Only(&["model", "mutate", "verdict", "event", "worksheet"]),
    ),
    ("tui/worker", AllBut(&["plain", "report", "command", "cli"])),
    ("command", AllBut(&[])),
    ("cli", Only(&[])),
    ("lib", Only(&[])),
    ("main", Only(&["command"])),
];

/// The most lines that a file under `src/` may have, its tests left out.
const LONGEST: usize = 500;

/// The hosts that a file may link to. A link to another one is added here on purpose.
const HOSTS: &[&str] = &[
    "crates.io",
    "datatracker.ietf.org",
    // What real interfaces do with a key, named in the book's page on `charge`.
    "docs.aws.amazon.com",
    "docs.banked.com",
    "docs.stripe.com",
    "docs.rs",
    "doc.rust-lang.org",
    "github.com",
    "gradescope-autograders.readthedocs.io",
    "insta.rs",
    "json-schema.org",
    // Named in the schema of mutation testing reports.
    "prismjs.com",
    "keepachangelog.com",
    "no-color.org",
    "rust-lang.github.io",
    "rustup.rs",
    "semver.org",
    "sqlite.org",
    "stryker-mutator.io",
    "www.apache.org",
    "www.checkout.com",
    "www.python.org",
    "www.rust-lang.org",
    "www.sqlite.org",
    // The name of SVG's own vocabulary.
    "www.w3.org",
];

#[test]
fn modules_import_only_what_the_table_allows() {
    let mut wrong = String::new();
    for file in source_files().filter(|file| !is_test_file(file)) {
        let module = module(&file);
        let Some((scope, may)) = rule(&module) else {
            let _ = writeln!(
                wrong,
                "{}: module {module} is not in the table",
                shown(&file)
            );
            continue;
        };
        let text = read(&file);
        let top = module.split('/').next().unwrap_or_default();
        for (line, used) in imports(&text, depth(&module)) {
            let allowed = match may {
                Only(known) => known.contains(&used.as_str()),
                AllBut(known) => !known.contains(&used.as_str()),
            };
            if used != top && !allowed && is_module(&used) {
                let _ = writeln!(
                    wrong,
                    "{}:{line}: `{scope}` may not import `{used}`; the rule is {may:?}",
                    shown(&file)
                );
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn every_top_module_is_in_the_table() {
    let known: BTreeSet<&str> = TABLE.iter().map(|(scope, _)| *scope).collect();
    let missing: BTreeSet<String> = source_files()
        .map(|file| {
            module(&file)
                .split('/')
                .next()
                .unwrap_or_default()
                .to_owned()
        })
        .filter(|top| !known.contains(top.as_str()))
        .collect();
    assert!(missing.is_empty(), "not in the import table: {missing:?}");
}

#[test]
fn no_source_file_is_too_long() {
    let mut long = String::new();
    for file in source_files().filter(|file| !is_test_file(file)) {
        let text = read(&file);
        let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or("");
        let lines = code.lines().count();
        if lines > LONGEST {
            let _ = writeln!(
                long,
                "{}: {lines} lines; a file has at most {LONGEST} without its tests",
                shown(&file)
            );
        }
    }
    assert!(long.is_empty(), "\n{long}");
}

#[test]
fn every_source_file_says_what_it_is_for() {
    let silent: Vec<String> = source_files()
        .filter(|file| !is_test_file(file))
        .filter(|file| !read(file).starts_with("//! "))
        .map(|file| shown(&file))
        .collect();
    assert!(silent.is_empty(), "no `//!` line at the top of: {silent:?}");
}

#[test]
fn every_dependency_says_what_it_is_for() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let lines: Vec<&str> = manifest.lines().collect();
    let (mut inside, mut count) = (false, 0);
    for pair in lines.windows(2) {
        if pair[1].starts_with('[') {
            inside = pair[1].ends_with("dependencies]");
        } else if inside && pair[1].contains(" = ") {
            count += 1;
            assert!(pair[0].starts_with("# "), "Cargo.toml: why {}?", pair[1]);
        }
    }
    assert!(count > 30, "only {count} dependencies were found");
}

#[test]
fn no_file_names_this_machine_or_an_unknown_host() {
    let here: Vec<String> = places_of_this_machine();
    let mut wrong = String::new();
    for file in project_files() {
        let Ok(text) = fs::read_to_string(&file) else {
            continue;
        };
        for (place, line) in text.lines().enumerate() {
            if let Some(path) = here.iter().find(|path| line.contains(path.as_str())) {
                let _ = writeln!(wrong, "{}:{}: the path {path}", shown(&file), place + 1);
            }
            let may_link_anywhere = file.starts_with(root().join("mutants"));
            for host in hosts(line).filter(|_| !may_link_anywhere) {
                if !HOSTS.contains(&host) {
                    let _ = writeln!(wrong, "{}:{}: the host {host}", shown(&file), place + 1);
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn imports_are_found_however_they_are_written() {
    let text = "//! `crate::doc` is prose.\n\
                use crate::{lab::{Bench, Fault}, model};\n\
                use super::super::verdict::judge;\n\
                use super::sibling;\n\
                fn f() { crate::run::x(\"crate::text\") }\n\
                #[cfg(test)]\n\
                mod tests { use crate::tui; use super::*; }\n";
    let found = imports(text, 2);
    let found: Vec<(usize, &str)> = found
        .iter()
        .map(|(line, used)| (*line, used.as_str()))
        .collect();
    assert_eq!(
        found,
        [(2, "lab"), (2, "model"), (3, "verdict"), (5, "run")]
    );
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(file: &Path) -> String {
    fs::read_to_string(file)
        .unwrap_or_else(|error| panic!("failed to read {}: {error}", file.display()))
        .replace("\r\n", "\n")
}

/// Writes a file's path inside the project, with `/` between its parts.
fn shown(file: &Path) -> String {
    let inside = file.strip_prefix(root()).unwrap_or(file);
    inside.to_string_lossy().replace('\\', "/")
}

fn source_files() -> impl Iterator<Item = PathBuf> {
    let mut files = Vec::new();
    collect(&root().join("src"), &mut files);
    files
        .into_iter()
        .filter(|file| file.extension().is_some_and(|extension| extension == "rs"))
}

/// Lists the files of the project: without what was built and what belongs to git.
fn project_files() -> Vec<PathBuf> {
    let mut files = Vec::new();
    collect(root(), &mut files);
    files
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = path.file_name().and_then(|name| name.to_str());
        if matches!(name, Some("target" | ".git" | "__pycache__")) {
            continue;
        }
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.push(path);
        }
    }
    files.sort();
}

fn is_test_file(file: &Path) -> bool {
    file.components().any(|part| part.as_os_str() == "tests")
        && file.starts_with(root().join("src"))
        || file.file_name().is_some_and(|name| name == "tests.rs")
}

/// Names a file's module by its path: `run/track/rust`.
fn module(file: &Path) -> String {
    shown(file)
        .trim_start_matches("src/")
        .trim_end_matches(".rs")
        .to_owned()
}

/// Counts the steps from a module up to the crate.
fn depth(module: &str) -> usize {
    match module {
        "lib" | "main" => 0,
        _ => module.split('/').count(),
    }
}

fn rule(module: &str) -> Option<(&'static str, May)> {
    TABLE
        .iter()
        .filter(|(scope, _)| {
            module
                .strip_prefix(scope)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
        .max_by_key(|(scope, _)| scope.len())
        .copied()
}

/// Tells whether a name is that of a module; the crate's root has a few other names.
fn is_module(name: &str) -> bool {
    let src = root().join("src");
    src.join(format!("{name}.rs")).exists() || src.join(name).is_dir()
}

/// Finds the top modules that a source names, each with its line; test modules left out.
fn imports(text: &str, depth: usize) -> Vec<(usize, String)> {
    let tokens = TokenStream::from_str(text).expect("a source file is made of Rust tokens");
    let mut found = Vec::new();
    search(tokens, depth, &mut found);
    found
}

fn search(tokens: TokenStream, depth: usize, found: &mut Vec<(usize, String)>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    while at < tokens.len() {
        match (&tokens[at], tokens.get(at + 1), tokens.get(at + 2)) {
            (
                TokenTree::Ident(word),
                Some(TokenTree::Ident(name)),
                Some(TokenTree::Group(body)),
            ) if word == "mod" => {
                if name != "tests" {
                    search(body.stream(), depth + 1, found);
                }
                at += 3;
            }
            (TokenTree::Ident(word), ..) if word == "crate" || word == "idemlab" => {
                at += 1;
                if let Some(after) = after_colons(&tokens, at) {
                    name(&tokens, after, found);
                }
            }
            (TokenTree::Ident(word), ..) if word == "super" => {
                at = climb(&tokens, at, depth, found);
            }
            (TokenTree::Group(group), ..) => {
                search(group.stream(), depth, found);
                at += 1;
            }
            _ => at += 1,
        }
    }
}

/// Follows `super::super::…`, which names a top module when it climbs as far as the crate.
fn climb(
    tokens: &[TokenTree],
    mut at: usize,
    depth: usize,
    found: &mut Vec<(usize, String)>,
) -> usize {
    let mut climbed = 0;
    while matches!(tokens.get(at), Some(TokenTree::Ident(word)) if word == "super") {
        climbed += 1;
        at += 1;
        match after_colons(tokens, at) {
            Some(after) => at = after,
            None => return at,
        }
    }
    if climbed == depth {
        name(tokens, at, found);
    }
    at
}

fn after_colons(tokens: &[TokenTree], at: usize) -> Option<usize> {
    let colon =
        |at: usize| matches!(tokens.get(at), Some(TokenTree::Punct(sign)) if sign.as_char() == ':');
    (colon(at) && colon(at + 1)).then_some(at + 2)
}

/// Notes the name at `at`, or each name that opens an entry of the braces there.
fn name(tokens: &[TokenTree], at: usize, found: &mut Vec<(usize, String)>) {
    match tokens.get(at) {
        Some(TokenTree::Ident(name)) => {
            found.push((name.span().start().line, name.to_string()));
        }
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
            let inner: Vec<TokenTree> = group.stream().into_iter().collect();
            let mut opens = true;
            for token in &inner {
                match token {
                    TokenTree::Ident(name) if opens => {
                        found.push((name.span().start().line, name.to_string()));
                        opens = false;
                    }
                    TokenTree::Punct(sign) => opens = sign.as_char() == ',',
                    _ => opens = false,
                }
            }
        }
        _ => {}
    }
}

/// Lists the paths that only this machine has, as far as they can be told from others.
fn places_of_this_machine() -> Vec<String> {
    let mut places = vec![root().display().to_string()];
    places.push(concat!("/work", "/").to_owned());
    places.extend(
        std::env::var("HOME")
            .ok()
            .filter(|home| home.len() > 1)
            .map(|home| format!("{home}/")),
    );
    places
}

/// Iterates over the hosts of the web addresses in a line.
fn hosts(line: &str) -> impl Iterator<Item = &str> {
    line.split("://").skip(1).filter_map(|rest| {
        let end = rest
            .find(|sign: char| !(sign.is_ascii_alphanumeric() || sign == '.' || sign == '-'))
            .unwrap_or(rest.len());
        let host = rest[..end].trim_end_matches('.');
        host.contains('.').then_some(host)
    })
}
