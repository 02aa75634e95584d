//! Every YAML file that a person may hand in: it is read or refused with its places, never a
//! panic. The first byte says which kind of file the rest is.
#![no_main]

use std::sync::LazyLock;

use idemlab::model::Pack;
use idemlab::pack::{self, Broken, Form, WorkspaceForm};
use libfuzzer_sys::fuzz_target;

static PACK: LazyLock<Pack> = LazyLock::new(|| pack::shipped().unwrap());

fuzz_target!(|data: &[u8]| {
    let Some((kind, bytes)) = data.split_first() else {
        return;
    };
    let lab = &PACK.labs[0];
    let text = String::from_utf8_lossy(bytes);
    let refused = match kind % 6 {
        0 => pack::read_mutant(&PACK, "mutants/retention/odd.yaml", &text).err(),
        1 => pack::read_tests(&PACK, &lab.id, "exercises/retention/tests/2-odd.yaml", &text).err(),
        // What can be a test is run by `tests/scripts.rs`.
        2 => pack::read_probe(lab, 2, &text).err(),
        3 => Form::<WorkspaceForm>::read("idemlab.yaml", bytes.to_vec()).err().map(Broken),
        4 => {
            let (_, problems) = pack::read_own_probes(lab, "probes.yaml", bytes.to_vec());
            (!problems.is_empty()).then_some(Broken(problems))
        }
        _ => {
            let place = tempfile::tempdir().unwrap();
            let folder = place.path().join("exercises/odd");
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(folder.join("lab.yaml"), bytes).unwrap();
            pack::load(place.path()).err()
        }
    };
    for problem in refused.map(|broken| broken.0).unwrap_or_default() {
        assert!(problem.line > 0 && problem.column > 0, "{problem:?}");
    }
});
