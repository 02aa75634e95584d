//! Edits of a source: one that applies is undone by its reverse wherever that is the only one.
//! The parts are divided by NUL: the source, what is found, what it becomes.
#![no_main]

use idemlab::mutate;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &str| {
    let mut parts = data.splitn(3, '\0');
    let (Some(source), Some(find), Some(replace)) = (parts.next(), parts.next(), parts.next())
    else {
        return;
    };
    let _ = mutate::unique_around(source, find);
    let Ok(changed) = mutate::apply(source, [(find, replace)]) else {
        return;
    };
    assert_eq!(mutate::occurrences(source, find).len(), 1);
    if mutate::occurrences(&changed, replace).len() == 1 && !replace.is_empty() && find != replace {
        assert_eq!(mutate::apply(&changed, [(replace, find)]).as_deref().ok(), Some(source));
    }
});
