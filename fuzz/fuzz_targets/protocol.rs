//! A line from a subject, which may be anything: it is an answer or it is garbled, never a panic,
//! and what is kept of it is short.
#![no_main]

use idemlab::run::Outcome;
use idemlab::run::protocol;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|line: &str| {
    let _ = protocol::hello(line, "retention");
    let _ = protocol::memory(line);
    if let protocol::Message::Reply(Outcome::Garbled { sent, .. }) = protocol::message(line, 1) {
        assert!(sent.chars().count() < 1000);
    }
});
