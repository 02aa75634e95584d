//! Compiles each lab's Rust reference, and every shipped Rust mutant of it, into the program; and
//! the YAML files of the shipped pack once more as JSON, which is read many times faster.
//!
//! The edits are applied by `src/mutate.rs`, the very code that the program uses, and the
//! result is named by its hash. A mutant that cannot be applied, or whose text is not Rust,
//! stops the build with the name of its file.
//!
//! `IDEMLAB_EMBED=worksheet` leaves the catalogue out: a build for tests only, which is made many
//! times over (see CONTRIBUTING.md). What is left out is built with cargo when it is run.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, process};

#[path = "src/kit/labs.rs"]
mod labs;
#[path = "src/mutate.rs"]
#[expect(dead_code, reason = "the build needs only a part of it")]
mod mutate;
#[path = "src/pack/raw.rs"]
#[expect(dead_code, reason = "the build reads only the edits")]
mod raw;

/// The variable that says how many mutants are compiled in: `worksheet` or, by default, all.
const EMBED: &str = "IDEMLAB_EMBED";

fn main() {
    println!("cargo::rerun-if-changed=exercises");
    println!("cargo::rerun-if-changed=mutants");
    println!("cargo::rerun-if-changed=src");
    println!("cargo::rerun-if-env-changed={EMBED}");
    println!("cargo::rustc-env=IDEMLAB_SOURCES={}", program_hash());
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let mut problems = Vec::new();
    let mut code = String::new();
    let mut table = String::new();
    let catalogue = match env::var(EMBED).as_deref() {
        Ok("worksheet") => false,
        Ok("all") | Err(_) => true,
        Ok(other) => {
            println!("cargo::error={EMBED} is `worksheet` or `all`, and not `{other}`");
            process::exit(1);
        }
    };
    for lab in labs::RUST_LABS {
        let subjects = sources(lab.id, catalogue, &mut problems);
        for (hash, text) in &subjects {
            let file = out.join(format!("subject_{hash}.rs"));
            write_if_changed(&file, text);
            let name = &hash[..16];
            let _ = write!(
                code,
                "#[allow(warnings, clippy::all, clippy::pedantic, clippy::nursery)]\n\
                 #[path = {:?}]\nmod s{name};\n",
                file.display().to_string()
            );
            let value = lab.value("crate::kit", &format!("s{name}"));
            let _ = writeln!(table, "(\"{hash}\", Compiled::{}({value})),", lab.kind);
        }
    }
    let pack = pack_as_json(&mut problems);
    if !problems.is_empty() {
        for problem in problems {
            println!("cargo::error={problem}");
        }
        process::exit(1);
    }
    write_if_changed(&out.join("pack.rs"), &pack);
    write_if_changed(
        &out.join("subjects.rs"),
        &format!(
            "{code}\n/// Every compiled subject by the hash of its source.\npub(super) static TABLE: &[(&str, Compiled)] = &[\n{table}];\n"
        ),
    );
}

/// Writes what every YAML file of the shipped pack says, as paths and JSON texts, by path.
fn pack_as_json(problems: &mut Vec<String>) -> String {
    let mut texts = BTreeMap::new();
    for path in files_in("exercises").into_iter().chain(files_in("mutants")) {
        if path.extension().is_none_or(|ending| ending != "yaml") {
            continue;
        }
        let shown = path.display().to_string().replace('\\', "/");
        let text = fs::read_to_string(&path).unwrap_or_default();
        match serde_yaml::from_str::<serde_json::Value>(text.trim_start_matches('\u{feff}')) {
            Ok(value) => {
                texts.insert(shown, value.to_string());
            }
            Err(error) => problems.push(format!("{shown}: {error}")),
        }
    }
    let texts: Vec<(String, String)> = texts.into_iter().collect();
    format!("&{texts:?}")
}

/// Names the program by its own sources, so that no result of another program is taken for one
/// of this.
fn program_hash() -> String {
    let files = files_in("src").into_iter();
    let texts = files.filter_map(|file| fs::read_to_string(file).ok());
    mutate::hash(&texts.collect::<Vec<String>>().join("\0"))
}

/// Lists the files in a folder and all folders in it, by path.
fn files_in(folder: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![PathBuf::from(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// Collects the reference of a lab and its mutants, by hash; those of the catalogue only if asked.
fn sources(lab: &str, catalogue: bool, problems: &mut Vec<String>) -> BTreeMap<String, String> {
    let file = format!("exercises/{lab}/rust/reference.rs");
    let reference = fs::read_to_string(&file)
        .unwrap_or_else(|error| panic!("failed to read {file}: {error}"))
        .replace("\r\n", "\n");
    let mut subjects = BTreeMap::new();
    add(&mut subjects, &file, reference.clone(), problems);
    let starter = format!("exercises/{lab}/rust/starter.rs");
    if let Ok(text) = fs::read_to_string(&starter) {
        add(&mut subjects, &starter, text, problems);
    }
    for path in mutant_files(Path::new("mutants").join(lab).as_path()) {
        let shown = path.display().to_string();
        match mutated(&path, &reference, catalogue) {
            Ok(Some(text)) => add(&mut subjects, &shown, text, problems),
            Ok(None) => {}
            Err(problem) => problems.push(format!("{shown}: {problem}")),
        }
    }
    subjects
}

fn add(
    subjects: &mut BTreeMap<String, String>,
    file: &str,
    text: String,
    problems: &mut Vec<String>,
) {
    match syn::parse_file(&text) {
        Ok(_) => {
            subjects.insert(mutate::hash(&text), text);
        }
        Err(error) => {
            let at = error.span().start();
            problems.push(format!(
                "{file}: the Rust source is not valid at its line {}: {error}",
                at.line
            ));
        }
    }
}

fn mutant_files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "yaml")
        })
        .collect();
    files.sort();
    files
}

/// Applies the Rust edits of a mutant; none if it has none for this track or is left out.
fn mutated(path: &Path, reference: &str, catalogue: bool) -> Result<Option<String>, String> {
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    let mutant: raw::Mutant = serde_yaml::from_str(text.trim_start_matches('\u{feff}'))
        .map_err(|error| error.to_string())?;
    let edits = mutant.edits_in.get("rust").unwrap_or(&mutant.edits);
    if edits.is_empty() || !(catalogue || mutant.origin == "worksheet") {
        return Ok(None);
    }
    mutate::apply(
        reference,
        edits
            .iter()
            .map(|edit| (edit.find.as_str(), edit.replace.as_str())),
    )
    .map(Some)
    .map_err(|error| error.to_string())
}

/// Leaves a file alone that holds the text already, so that nothing is compiled for nothing.
fn write_if_changed(path: &Path, text: &str) {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return;
    }
    fs::write(path, text)
        .unwrap_or_else(|error| panic!("failed to write {}: {error}", path.display()));
}
