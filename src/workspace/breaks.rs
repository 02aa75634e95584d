//! What was said about changes of a copy of the reference, before each was run.

use std::io::{self, Write as _};

use serde::{Deserialize, Serialize};

use super::{Workspace, new_file};

/// The file that holds the first predictions.
pub const BREAKS: &str = "breaks.json";
/// The largest of them that is read, in bytes.
const LARGEST: u64 = 1 << 20;

/// What was said about changes of the copy.
#[derive(Debug, Serialize, Deserialize)]
pub struct Breaks {
    version: u32,
    breaks: Vec<BreakSaid>,
}

/// What was first said about one change.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct BreakSaid {
    /// Names the text of the changed copy.
    pub hash: String,
    /// The tests that were named.
    pub tests: Vec<String>,
    /// Whether it was "I don't know".
    pub unknown: bool,
}

impl Breaks {
    /// Finds what was said about a text, by its hash.
    #[must_use]
    pub fn said(&self, hash: &str) -> Option<&BreakSaid> {
        self.breaks.iter().find(|said| said.hash == hash)
    }

    /// Adds what is said about a text of which nothing was said before.
    pub fn add(&mut self, said: BreakSaid) {
        self.breaks.push(said);
    }
}

impl Workspace {
    /// Reads what was said about changes of the copy.
    ///
    /// # Errors
    ///
    /// Says why that cannot be read.
    pub fn breaks(&self) -> Result<Breaks, String> {
        let odd = |why: &str| format!("{BREAKS} cannot be read ({why}); move it away");
        let bytes = self.read(BREAKS, LARGEST);
        match bytes.map_err(|problem| odd(&problem.title))? {
            None => Ok(Breaks {
                version: 1,
                breaks: Vec::new(),
            }),
            Some(bytes) => match serde_json::from_slice::<Breaks>(&bytes) {
                Ok(breaks) if breaks.version == 1 => Ok(breaks),
                Ok(_) => Err(odd("it is of another version")),
                Err(error) => Err(odd(&error.to_string())),
            },
        }
    }

    /// Writes what was said, whole or not at all.
    ///
    /// # Errors
    ///
    /// Fails when the folder does not let it.
    pub fn keep_breaks(&self, breaks: &Breaks) -> io::Result<()> {
        let mut text = serde_json::to_string_pretty(breaks)?;
        text.push('\n');
        let mut file = new_file(self.root())?;
        file.write_all(text.as_bytes())?;
        file.persist(self.root().join(BREAKS))?;
        Ok(())
    }
}
