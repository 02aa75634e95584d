//! Six tests of the reference, as a Rust project would have them: what cargo-mutants runs.

use idemlab_subject::retention::{counts, expired, fetch, finish, init_db, purge, reserve};
use serde_json::json;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

/// A database that is not there yet.
fn store() -> PathBuf {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let path = std::env::temp_dir().join(format!("peers-{}-{number}.db", std::process::id()));
    let _ = std::fs::remove_file(&path);
    init_db(&path).unwrap();
    path
}

#[test]
fn a_key_is_reserved_once() {
    let path = store();
    assert!(reserve(&path, "k", "d", 100.0).unwrap());
    assert!(!reserve(&path, "k", "d", 100.0).unwrap());
}

#[test]
fn an_answer_is_kept_for_its_own_request() {
    let path = store();
    reserve(&path, "k", "d", 100.0).unwrap();
    assert!(!finish(&path, "k", "other", &json!(1)).unwrap());
    assert!(finish(&path, "k", "d", &json!({"r": 1})).unwrap());
    assert!(!finish(&path, "k", "d", &json!(2)).unwrap());
    assert_eq!(fetch(&path, "k", 99.0).unwrap(), Some(json!({"r": 1})));
}

#[test]
fn an_answer_ends_at_its_expiry() {
    let path = store();
    reserve(&path, "k", "d", 100.0).unwrap();
    assert_eq!(fetch(&path, "k", 50.0).unwrap(), None);
    finish(&path, "k", "d", &json!(1)).unwrap();
    assert_eq!(fetch(&path, "k", 100.0).unwrap(), None);
}

#[test]
fn what_has_expired_is_listed_in_order() {
    let path = store();
    for key in ["b", "a", "c"] {
        reserve(&path, key, "d", 100.0).unwrap();
        finish(&path, key, "d", &json!(1)).unwrap();
    }
    assert_eq!(expired(&path, 100.0, Some(2)).unwrap(), ["a", "b"]);
    assert!(expired(&path, 99.0, Some(2)).unwrap().is_empty());
    assert!(expired(&path, 100.0, Some(0)).is_err());
}

#[test]
fn a_purge_takes_what_it_lists() {
    let path = store();
    for key in ["a", "b", "c"] {
        reserve(&path, key, "d", 100.0).unwrap();
    }
    finish(&path, "a", "d", &json!(1)).unwrap();
    assert_eq!(purge(&path, 200.0, Some(10)).unwrap(), ["a"]);
    assert!(reserve(&path, "a", "d", 300.0).unwrap());
}

#[test]
fn states_are_counted() {
    let path = store();
    reserve(&path, "a", "d", 100.0).unwrap();
    reserve(&path, "b", "d", 100.0).unwrap();
    finish(&path, "b", "d", &json!(1)).unwrap();
    let counted = counts(&path).unwrap();
    assert_eq!(counted["pending"], 1);
    assert_eq!(counted["done"], 1);
}
