//! A progress file that is none, or is damaged: it is read or refused, never a panic, and a file
//! that is refused stays as it is.
#![no_main]

use idemlab::progress::Progress;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("progress.db");
    std::fs::write(&path, data).unwrap();
    match Progress::open(&path) {
        Ok(progress) => {
            let _ = (progress.predictions("retention"), progress.place("retention"));
            let _ = (progress.probes("retention"), progress.answers("retention"));
        }
        Err(_) => assert_eq!(std::fs::read(&path).unwrap(), data),
    }
});
