//! The pack that is compiled into the program.

use include_dir::{Dir, include_dir};

use super::PackFile;

static EXERCISES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/exercises");
static MUTANTS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/mutants");
/// What the YAML files say, as JSON, by path; written by `build.rs`.
static AS_JSON: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/pack.rs"));

/// Lists the files of the shipped pack, by path.
pub fn files() -> Vec<PackFile> {
    let mut files = Vec::new();
    collect("exercises", &EXERCISES, &mut files);
    collect("mutants", &MUTANTS, &mut files);
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

fn collect(top: &str, folder: &Dir<'_>, files: &mut Vec<PackFile>) {
    for file in folder.files() {
        if let (Some(path), Some(text)) = (file.path().to_str(), file.contents_utf8()) {
            let path = format!("{top}/{}", path.replace('\\', "/"));
            let known = AS_JSON.binary_search_by_key(&path.as_str(), |(path, _)| path);
            files.push(PackFile {
                path,
                text: text.to_owned(),
                proved: known.ok().map(|place| AS_JSON[place].1),
            });
        }
    }
    for inner in folder.dirs() {
        collect(top, inner, files);
    }
}
