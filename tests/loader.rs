//! The loader of packs, given what nobody would write: it may refuse, and never panics.

use std::fs;
use std::path::{Path, PathBuf};

use idemlab::pack;
use idemlab::report::{github, json, problems};
use proptest::prelude::*;
use tempfile::TempDir;

/// A change of a file's bytes.
#[derive(Debug, Clone)]
enum Damage {
    Set(usize, u8),
    Insert(usize, Vec<u8>),
    Remove(usize, usize),
    Repeat(usize, usize),
}

impl Damage {
    fn apply(&self, bytes: &mut Vec<u8>) {
        let length = bytes.len();
        let span = |at: usize, count: usize| {
            let start = at % (length + 1);
            start..(start + count).min(length)
        };
        match self {
            Self::Set(at, byte) if length > 0 => bytes[at % length] = *byte,
            Self::Set(..) => {}
            Self::Insert(at, more) => {
                let at = at % (length + 1);
                bytes.splice(at..at, more.iter().copied());
            }
            Self::Remove(at, count) => {
                bytes.drain(span(*at, *count));
            }
            Self::Repeat(at, count) => {
                let span = span(*at, *count);
                let again = bytes[span.clone()].to_vec();
                bytes.splice(span.end..span.end, again);
            }
        }
    }
}

fn damage() -> impl Strategy<Value = Damage> {
    let signs = proptest::sample::select(vec![
        "\t", "\n", "- ", ": ", "&a ", "*a", "!!", "<<: ", "{", "}", "[", "]", "|", ">", "\"", "'",
        "#", "%", "\u{feff}", "\u{2028}", "\0", "---\n", "? ", "~", "1e999", "0x", "열",
    ]);
    let insert = prop_oneof![
        signs.prop_map(|text| text.as_bytes().to_vec()),
        proptest::collection::vec(any::<u8>(), 1..4),
    ];
    prop_oneof![
        (any::<usize>(), any::<u8>()).prop_map(|(at, byte)| Damage::Set(at, byte)),
        (any::<usize>(), insert).prop_map(|(at, more)| Damage::Insert(at, more)),
        (any::<usize>(), 1usize..40).prop_map(|(at, count)| Damage::Remove(at, count)),
        (any::<usize>(), 1usize..40).prop_map(|(at, count)| Damage::Repeat(at, count)),
    ]
}

const FILES: [&str; 3] = [
    "exercises/retention/lab.yaml",
    "exercises/retention/tests/all.yaml",
    "mutants/retention/replaces.yaml",
];

/// Loads the small pack of `tests/bad` with one file changed, and writes what is wrong with it.
fn load(file: &str, bytes: &[u8]) {
    let place = TempDir::new().unwrap();
    for path in FILES {
        let to = place.path().join(path);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(base().join(path), to).unwrap();
    }
    fs::write(place.path().join(file), bytes).unwrap();
    let draft = pack::read(Some(place.path()));
    let _ = problems::text(&draft.problems);
    let _ = json::problems(&draft.problems, 0, 0);
    let _ = github::problems(&draft.problems);
}

fn base() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad/base/rust")
}

proptest! {
    #[test]
    fn a_damaged_file_never_panics(
        file in proptest::sample::select(FILES.to_vec()),
        all in proptest::collection::vec(damage(), 1..8),
    ) {
        let mut bytes = fs::read(base().join(file)).unwrap();
        for damage in all {
            damage.apply(&mut bytes);
        }
        load(file, &bytes);
    }

    #[test]
    fn any_bytes_never_panic(
        file in proptest::sample::select(FILES.to_vec()),
        bytes in proptest::collection::vec(any::<u8>(), 0..300),
    ) {
        load(file, &bytes);
    }

    #[test]
    fn any_text_of_yaml_signs_never_panics(
        file in proptest::sample::select(FILES.to_vec()),
        text in "[-a-c:{}\\[\\]&*!|>'\"%@`#,? \n\t0-9~.]{0,120}",
    ) {
        load(file, text.as_bytes());
    }
}

#[test]
fn what_was_compiled_in_is_what_the_files_say() {
    // Read from YAML, with the proof of its shape; `shipped` takes the JSON that build.rs made.
    for file in pack::shipped_files() {
        let is_yaml = Path::new(&file.path)
            .extension()
            .is_some_and(|ending| ending == "yaml");
        assert_eq!(file.proved.is_some(), is_yaml, "{}", file.path);
    }
    let looked_at = pack::read(None);
    assert_eq!(looked_at.problems, []);
    assert_eq!(pack::shipped().unwrap(), looked_at.pack);
}
