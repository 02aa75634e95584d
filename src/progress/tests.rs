//! Tests of the progress file.

use proptest::prelude::any;
use proptest::sample::Index;

use super::*;

fn prediction(text: &str) -> Prediction {
    Prediction {
        observation: text.to_owned(),
        seen_in: Some(SeenIn::Rows),
        tests: vec!["a".to_owned(), "b".to_owned()],
        sure: Some(Sure::Certain),
        unknown: false,
    }
}

fn file() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("더 깊이").join("progress.db");
    (folder, path)
}

#[test]
fn the_first_prediction_is_kept_and_later_ones_are_practice() {
    let (_folder, path) = file();
    let mut progress = Progress::open(&path).unwrap();
    for text in ["first", "second"] {
        progress
            .predict("retention", Track::Rust, "m", 2, &prediction(text))
            .unwrap();
    }
    drop(progress);
    let stored = Progress::open(&path)
        .unwrap()
        .predictions("retention")
        .unwrap();
    let said: Vec<(u32, &str)> = stored
        .iter()
        .map(|stored| (stored.attempt, stored.prediction.observation.as_str()))
        .collect();
    assert_eq!(said, [(1, "first"), (2, "second")]);
    assert_eq!(stored[0].prediction, prediction("first"));
    assert_eq!(stored[0].run, None);
}

#[test]
fn a_prediction_can_be_neither_changed_nor_deleted() {
    let mut progress = Progress::in_memory();
    progress
        .predict("retention", Track::Rust, "m", 2, &prediction("first"))
        .unwrap();
    for sql in [
        "UPDATE predictions SET observation='x'",
        "DELETE FROM predictions",
    ] {
        assert!(progress.db.execute_batch(sql).is_err(), "{sql}");
    }
}

#[test]
fn two_labs_on_one_file_count_attempts_together() {
    let (_folder, path) = file();
    Progress::open(&path).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let mut progress = Progress::open(&path).unwrap();
                for _ in 0..10 {
                    progress
                        .predict("retention", Track::Rust, "m", 2, &prediction("x"))
                        .unwrap();
                }
            });
        }
    });
    let stored = Progress::open(&path)
        .unwrap()
        .predictions("retention")
        .unwrap();
    let attempts: Vec<u32> = stored.iter().map(|stored| stored.attempt).collect();
    assert_eq!(attempts, (1..=40).collect::<Vec<u32>>());
}

#[test]
fn a_newer_file_is_named_and_left_untouched() {
    let (_folder, path) = file();
    let progress = Progress::open(&path).unwrap();
    progress.db.pragma_update(None, "user_version", 2).unwrap();
    drop(progress);
    let before = std::fs::read(&path).unwrap();
    let error = Progress::open(&path).unwrap_err();
    assert!(
        matches!(error, OpenError::Newer { found: 2, .. }),
        "{error}"
    );
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[test]
fn a_damaged_or_foreign_file_is_named_and_left_untouched() {
    let (_folder, path) = file();
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let foreign = path.with_file_name("foreign.db");
    Connection::open(&foreign)
        .unwrap()
        .execute_batch("CREATE TABLE accounts(id)")
        .unwrap();
    std::fs::write(
        &path,
        "these are my notes, not a database, and long enough to tell",
    )
    .unwrap();
    for path in [path, foreign] {
        let before = std::fs::read(&path).unwrap();
        let error = Progress::open(&path).unwrap_err();
        assert!(matches!(error, OpenError::Damaged { .. }), "{error}");
        assert!(error.to_string().contains("--progress"));
        assert_eq!(std::fs::read(&path).unwrap(), before);
    }
}

#[test]
fn an_empty_file_becomes_a_progress_file() {
    let (_folder, path) = file();
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, "").unwrap();
    assert!(Progress::open(&path).is_ok());
}

#[test]
fn places_settings_and_answers_are_read_back() {
    let mut progress = Progress::in_memory();
    let place = Place {
        step: 3,
        view: "predict".to_owned(),
    };
    progress.stop_at("retention", &place).unwrap();
    progress.set("track", "python").unwrap();
    progress.answer("retention", "limits", "one\ntwo").unwrap();
    assert_eq!(progress.place("retention").unwrap(), Some(place));
    assert_eq!(progress.place("inbox").unwrap(), None);
    assert_eq!(
        progress.setting("track").unwrap().as_deref(),
        Some("python")
    );
    assert_eq!(progress.answers("retention").unwrap()["limits"], "one\ntwo");
}

#[test]
fn what_a_learner_saw_may_be_written_anew() {
    let mut progress = Progress::in_memory();
    let id = progress
        .predict("retention", Track::Rust, "m", 2, &prediction("first"))
        .unwrap();
    progress.saw(id, "one").unwrap();
    progress.saw(id, "two").unwrap();
    assert_eq!(
        progress.predictions("retention").unwrap()[0]
            .sighting
            .as_deref(),
        Some("two")
    );
}

#[test]
fn labs_that_open_a_new_file_at_once_all_get_it() {
    for _ in 0..50 {
        let (_folder, path) = file();
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let start = std::sync::Barrier::new(4);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    start.wait();
                    Progress::open(&path).unwrap();
                });
            }
        });
    }
}

#[test]
fn a_clock_that_went_backwards_changes_no_order() {
    let mut progress = Progress::in_memory();
    progress
        .predict("retention", Track::Rust, "m", 2, &prediction("first"))
        .unwrap();
    progress
        .db
        .execute_batch(
            "INSERT INTO predictions
               (lab,track,mutant,step,attempt,observation,seen_in,tests,sure,unknown,made_at)
             SELECT lab,track,mutant,step,2,'while the clock was ahead',seen_in,tests,sure,unknown,
               '2999-01-01T00:00:00Z' FROM predictions",
        )
        .unwrap();
    progress
        .predict("retention", Track::Rust, "m", 2, &prediction("third"))
        .unwrap();
    let stored = progress.predictions("retention").unwrap();
    let said: Vec<(u32, &str)> = stored
        .iter()
        .map(|stored| (stored.attempt, stored.prediction.observation.as_str()))
        .collect();
    let right = [(1, "first"), (2, "while the clock was ahead"), (3, "third")];
    assert_eq!(said, right);
}

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config::with_cases(64))]

    #[test]
    fn a_damaged_file_is_read_or_refused_and_kept(
        places in proptest::collection::vec(any::<(Index, u8)>(), 0..40),
        length in proptest::option::of(any::<Index>()),
    ) {
        let (_folder, path) = file();
        let mut progress = Progress::open(&path).unwrap();
        progress.predict("retention", Track::Rust, "m", 2, &prediction("first")).unwrap();
        drop(progress);
        let mut bytes = std::fs::read(&path).unwrap();
        for (place, byte) in places {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        if let Some(length) = length {
            bytes.truncate(length.index(bytes.len()));
        }
        std::fs::write(&path, &bytes).unwrap();
        match Progress::open(&path) {
            // Damage in what is kept is not always seen; it must never end the program.
            Ok(progress) => {
                let _ = (progress.predictions("retention"), progress.place("retention"));
                let _ = (progress.probes("retention"), progress.answers("retention"));
            }
            Err(_) => proptest::prop_assert_eq!(std::fs::read(&path).unwrap(), bytes),
        }
    }
}
