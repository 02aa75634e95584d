//! The documents say what is so: console blocks are run, examples are loaded and run, links
//! lead somewhere, lines are not too long.

mod own;
#[cfg(unix)]
mod screen;
#[cfg(unix)]
mod svg;

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// How wide prose may be, in characters.
const WIDTH: usize = 100;

#[test]
fn console_blocks_show_what_the_program_says() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path().to_str().unwrap();
    trycmd::TestCases::new()
        .env("HOME", home)
        .env("XDG_DATA_HOME", home)
        .env("USERPROFILE", home)
        .env("APPDATA", home)
        .env("NO_COLOR", "1")
        .env("COLUMNS", "100")
        .case("README.md")
        .case("book/src/*.md");
}

#[test]
fn the_pack_of_the_formats_page_loads_and_its_tests_pass() {
    let pack = tempfile::tempdir().unwrap();
    let files = example_files();
    assert_eq!(files.len(), 5);
    for (path, text) in &files {
        write(&pack.path().join(path), text);
    }
    let reference = "exercises/retention/rust/reference.rs";
    write(&pack.path().join(reference), &read(&root().join(reference)));

    let list = succeeds(idemlab(&["list"], &pack, ""));
    for name in [
        "setup-once",
        "reserve-for-all",
        "key-is-reserved-once",
        "kill",
    ] {
        assert!(list.contains(name), "{name} in:\n{list}");
    }
    let run = succeeds(idemlab(&["run", "retention"], &pack, ""));
    assert!(run.contains("8 of 8 tests passed"), "{run}");
    // Its source is that of a shipped mutant, so it runs; none of these tests sees it.
    let arguments = ["run", "retention", "--mutant", "setup-once"];
    let mutant = idemlab(&arguments, &pack, "");
    assert_eq!(mutant.status.code(), Some(1));
}

#[test]
fn the_formats_page_names_every_field() {
    let page = read(&root().join("book/src/formats.md"));
    let raw = read(&root().join("src/pack/raw.rs"));
    let mut renamed = None;
    for line in raw.lines().map(str::trim_start) {
        if let Some((_, name)) = line.split_once("rename = \"") {
            renamed = name.split('"').next();
        }
        let Some((name, _)) = line
            .strip_prefix("pub ")
            .and_then(|field| field.split_once(": "))
        else {
            continue;
        };
        let field = renamed.take().unwrap_or(name);
        let written = [format!("{field}:"), format!("{{{field}:")];
        assert!(
            written.iter().any(|text| page.contains(text.as_str())),
            "field `{field}` is not in the formats page"
        );
    }
}

#[test]
fn the_problems_page_has_a_heading_for_each_problem_and_no_other() {
    let page = read(&root().join("book/src/problems.md"));
    let headings = page.lines().filter_map(|line| line.strip_prefix("### "));
    let explained: BTreeSet<&str> = headings.collect();
    let of_packs = idemlab::model::PROBLEM_IDS.into_iter();
    let of_folders = idemlab::model::WORKSPACE_PROBLEM_IDS;
    let known: BTreeSet<&str> = of_packs.chain(of_folders).collect();
    assert_eq!(explained, known);
}

#[test]
fn the_sessions_of_the_book_can_be_typed() {
    let page = read(&root().join("book/src/worksheet.md"));
    let (_, after) = page.split_once("<!-- session: walk -->").unwrap();
    let block = after.split("```").nth(1).unwrap();
    let block = block.trim_start_matches("text\n");
    let (mut input, mut expected) = (String::from("\n"), String::new());
    for line in block.lines() {
        if let Some(typed) = line.strip_prefix('>') {
            input.push_str(typed.strip_prefix(' ').unwrap_or(typed));
            input.push('\n');
            expected.push_str("> ");
        } else {
            expected.push_str(line);
            expected.push('\n');
        }
    }
    let place = tempfile::tempdir().unwrap();
    let output = succeeds(idemlab(
        &["--plain", "--progress", "mine.db"],
        &place,
        &input,
    ));
    let mut rest = output.as_str();
    for part in expected.split("...\n").flat_map(|part| part.split("[..]")) {
        let Some(at) = rest.find(part) else {
            panic!("not in the session, or not in this order:\n{part}\nof:\n{output}");
        };
        rest = &rest[at + part.len()..];
    }
}

#[cfg(unix)]
#[test]
fn the_pictures_are_what_the_screen_shows() {
    let readme = read(&root().join("README.md"));
    let place = tempfile::tempdir().unwrap();
    let mut screen = screen::Screen::open(place.path(), &[]);
    let down = "\u{1b}[B";
    screen.press("", "q quit");
    is_drawn("home", &screen);
    drop(screen);
    let mut screen = screen::Screen::open(place.path(), &["--lab", "retention"]);
    screen.press("", "q quit");
    for (keys, text) in [("\r", "[Contract]"), ("\r", "predict ·")] {
        screen.press(keys, text);
    }
    is_drawn("fragment", &screen);
    for (keys, text) in [
        ("\r", "ctrl-d I don't know"),
        ("set it up a second time\r", "two processes"),
        (down, "(•) rows"),
        (down, "(•) error"),
        ("\r", "space choose"),
        (down, "▸ [ ]  b"),
        (down, "▸ [ ]  c"),
        (" ", "1 of 10 chosen"),
    ] {
        screen.press(keys, text);
    }
    shows_picture(&readme, "predict", &screen.text());
    is_drawn("predict", &screen);
    for (keys, text) in [
        ("\r", "store it and run"),
        (down, "(•) fairly"),
        ("\r", "n next"),
    ] {
        screen.press(keys, text);
    }
    shows_picture(&readme, "result", &screen.text());
    is_drawn("result", &screen);
}

/// Holds a picture of the book against the screen.
#[cfg(unix)]
fn is_drawn(name: &str, screen: &screen::Screen) {
    let folder = root().join("book/src/pictures");
    let file = folder.join(format!("{name}.svg"));
    let drawn = svg::picture(screen.screen());
    if updating() {
        fs::create_dir_all(&folder).unwrap();
        fs::write(&file, &drawn).unwrap();
    }
    assert!(
        fs::read_to_string(&file).is_ok_and(|text| text == drawn),
        "the picture {name}.svg is out of date; run this test with UPDATE_DOCS=1"
    );
}

/// Compares a picture with the screen; `[..]` stands for anything within a line.
#[cfg(unix)]
fn shows_picture(readme: &str, name: &str, screen: &str) {
    let (_, after) = readme
        .split_once(&format!("<!-- screen: {name} -->"))
        .unwrap();
    let picture = after.split("```").nth(1).unwrap();
    let picture = picture.trim_start_matches("text\n").trim_end();
    let same = picture.lines().count() == screen.lines().count()
        && picture
            .lines()
            .zip(screen.lines())
            .all(|(want, got)| match want.split_once("[..]") {
                Some((start, end)) => got.starts_with(start) && got.ends_with(end),
                None => want == got,
            });
    if !same && updating() {
        let file = root().join("README.md");
        let fresh: Vec<String> = screen.lines().map(without_time).collect();
        let text = read(&file).replace(picture, &fresh.join("\n"));
        fs::write(&file, text).unwrap();
        return;
    }
    assert!(
        same,
        "the picture `{name}` is out of date (UPDATE_DOCS=1 renews it); the screen is:\n{screen}"
    );
}

/// Leaves the time in a line open, since it is not the same twice.
#[cfg(unix)]
fn without_time(line: &str) -> String {
    let Some(end) = line.find(" ms") else {
        return line.to_owned();
    };
    let digits = line[..end].trim_end_matches(|sign: char| sign.is_ascii_digit());
    format!("{digits}[..]{}", &line[end..])
}

/// Whether what is generated is to be written anew, not only held against what is there.
fn updating() -> bool {
    std::env::var_os("UPDATE_DOCS").is_some()
}

#[test]
fn the_key_page_is_that_of_the_key_table() {
    // The screen's own tests write the table of `tui/keys.rs` into this file.
    let table =
        "src/tui/tests/snapshots/idemlab__tui__tests__screens__the_key_page_of_the_book.snap";
    let table = read(&root().join(table));
    let (_, page) = table.split_once("---\n#").unwrap();
    let expected = format!("#{page}");
    let file = root().join("book/src/keys.md");
    if updating() {
        fs::write(&file, format!("{}\n", expected.trim_end())).unwrap();
    }
    assert!(
        read(&file).trim_end() == expected.trim_end(),
        "keys.md is out of date; run this test with UPDATE_DOCS=1"
    );
}

#[test]
fn every_link_between_documents_leads_somewhere() {
    for file in documents() {
        let text = read(&file);
        for target in links(&text) {
            if target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
            let to = if path.is_empty() {
                file.clone()
            } else {
                file.parent().unwrap().join(path)
            };
            assert!(to.exists(), "{}: no such file: {target}", shown(&file));
            if !anchor.is_empty() {
                assert!(
                    anchors(&read(&to)).contains(anchor),
                    "{}: no such heading: {target}",
                    shown(&file)
                );
            }
        }
    }
}

#[test]
fn the_summary_has_every_page_once_and_no_other() {
    let summary = read(&root().join("book/src/SUMMARY.md"));
    let mut listed: Vec<String> = links(&summary).map(str::to_owned).collect();
    listed.sort();
    let mut there: Vec<String> = documents()
        .iter()
        .filter_map(|file| file.strip_prefix(root().join("book/src")).ok())
        .map(|file| file.to_string_lossy().replace('\\', "/"))
        .filter(|file| file != "SUMMARY.md")
        .collect();
    there.sort();
    assert_eq!(listed, there);
}

#[test]
fn prose_is_wrapped() {
    // The page of keys is written by the program.
    let written = |file: &PathBuf| !file.ends_with("keys.md");
    for file in documents().into_iter().filter(written) {
        let text = read(&file);
        let mut in_block = false;
        for (place, line) in text.lines().enumerate() {
            in_block ^= line.trim_start().starts_with("```");
            let is_prose = !in_block && !line.starts_with('|') && !line.starts_with("```");
            let width = line.chars().count();
            assert!(
                !is_prose || width <= WIDTH,
                "{}:{}: {width} characters; wrap at {WIDTH}",
                shown(&file),
                place + 1
            );
        }
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(file: &Path) -> String {
    fs::read_to_string(file)
        .unwrap_or_else(|error| panic!("failed to read {}: {error}", file.display()))
        .replace("\r\n", "\n")
}

fn write(file: &Path, text: &str) {
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, text).unwrap();
}

fn shown(file: &Path) -> String {
    file.strip_prefix(root())
        .unwrap_or(file)
        .display()
        .to_string()
}

/// Lists the Markdown files of the project.
fn documents() -> Vec<PathBuf> {
    let mut files = Vec::new();
    collect(root(), &mut files);
    files.retain(|file| file.extension().is_some_and(|extension| extension == "md"));
    assert!(files.len() > 8);
    files
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for path in fs::read_dir(folder)
        .unwrap()
        .flatten()
        .map(|entry| entry.path())
    {
        let name = path.file_name().and_then(|name| name.to_str());
        if path.is_dir() && !matches!(name, Some("target" | ".git")) {
            collect(&path, files);
        } else if path.is_file() {
            files.push(path);
        }
    }
    files.sort();
}

/// Runs the program with a pack or a progress file in `place`, as the arguments ask.
fn idemlab(arguments: &[&str], place: &TempDir, input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_idemlab"));
    command
        .args(arguments)
        .current_dir(place.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    if !arguments.contains(&"--progress") {
        command.args(["--pack", "."]);
    }
    let mut child = command.spawn().unwrap();
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn succeeds(output: Output) -> String {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    String::from_utf8(output.stdout).unwrap()
}

/// Finds the YAML blocks of the formats page that name their file.
fn example_files() -> Vec<(String, String)> {
    let page = read(&root().join("book/src/formats.md"));
    let blocks = page.split("<!-- file: ").skip(1);
    blocks
        .map(|block| {
            let (path, rest) = block.split_once(" -->").unwrap();
            let (_, rest) = rest.split_once("```yaml\n").unwrap();
            let (text, _) = rest.split_once("```").unwrap();
            (path.to_owned(), text.to_owned())
        })
        .collect()
}

/// Iterates over the targets of Markdown links, code blocks left out.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let outside = text.split("```").step_by(2);
    outside.flat_map(|part| {
        part.split("](").skip(1).filter_map(|rest| {
            let (target, _) = rest.split_once(')')?;
            Some(target)
        })
    })
}

/// Names the headings of a page as its links do.
fn anchors(text: &str) -> BTreeSet<String> {
    text.lines()
        .filter(|line| line.starts_with('#'))
        .map(|line| {
            line.trim_start_matches('#')
                .trim()
                .to_lowercase()
                .chars()
                .filter(|sign| sign.is_alphanumeric() || matches!(sign, ' ' | '-' | '_'))
                .map(|sign| if sign == ' ' { '-' } else { sign })
                .collect()
        })
        .collect()
}
