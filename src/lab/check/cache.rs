//! Results that need not be run again: found by the content of everything they depend on.
//!
//! A result is looked up by the hash of the program, the subject's source, the interpreter and
//! the test. So an entry can never be stale; a damaged file is thrown away and begun anew.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, params};

use super::{Cell, Cells};
use crate::lab::Bench;
use crate::model::{Lab, Test};
use crate::mutate;
use crate::run::track;
use crate::verdict::TestWord;

/// A store of results.
#[derive(Debug)]
pub struct Cache {
    db: Option<Connection>,
    program: String,
}

impl Cache {
    /// Keeps nothing.
    #[must_use]
    pub const fn none() -> Self {
        Self {
            db: None,
            program: String::new(),
        }
    }

    /// Opens the store in `folder`; if it is damaged, begins anew; if that fails, keeps nothing.
    #[must_use]
    pub fn open(folder: &Path, program: &str) -> Self {
        let path = folder.join("check-1.db");
        let _ = std::fs::create_dir_all(folder);
        let db = open(&path).or_else(|_| {
            let _ = std::fs::remove_file(&path);
            open(&path)
        });
        Self {
            db: db.ok(),
            program: program.to_owned(),
        }
    }

    /// Names a subject in a bench by all that its results depend on but the tests: what is
    /// promised is run twice.
    #[must_use]
    pub fn subject(&self, bench: &Bench<'_>, source: &str, promised: [&[String]; 2]) -> String {
        let lab = bench.lab();
        let track = bench.track();
        let engine = track::engine(track);
        let rest = format!("{:?}", (&lab.tables, promised));
        mutate::hash(&[&self.program, track.id(), &engine, &rest, source].join("\0"))
    }

    /// Finds the results of a subject over `tests`, if all of them are known.
    #[must_use]
    pub fn find(&self, subject: &str, lab: &Lab, tests: &[&Test]) -> Option<Cells> {
        let db = self.db.as_ref()?;
        let mut select = db
            .prepare_cached("SELECT word, steady, slip FROM cells WHERE subject=? AND test=?")
            .ok()?;
        let mut cells = Cells::new();
        for test in tests {
            let key = test_key(lab, test);
            let found = select
                .query_row([subject, &key], |row| {
                    Ok((
                        row.get::<_, String>(0)?,
                        row.get::<_, bool>(1)?,
                        row.get::<_, bool>(2)?,
                    ))
                })
                .optional()
                .ok()??;
            let cell = Cell {
                word: TestWord::parse(&found.0)?,
                steady: found.1,
                slip: found.2,
            };
            cells.insert(test.id.clone(), cell);
        }
        Some(cells)
    }

    /// Tells whether a subject is known to pass all of `tests`.
    #[must_use]
    pub fn all_green(&self, subject: &str, lab: &Lab, tests: &[&Test]) -> bool {
        self.find(subject, lab, tests).is_some_and(|cells| {
            cells
                .values()
                .all(|cell| !cell.word.is_red() && cell.word != TestWord::NotRun)
        })
    }

    /// Keeps the results of a subject.
    pub fn keep(&mut self, subject: &str, lab: &Lab, cells: &Cells) {
        let Some(db) = &mut self.db else { return };
        let Ok(transaction) = db.transaction() else {
            return;
        };
        for (id, cell) in cells {
            if let Some(test) = lab.test(id) {
                // A cache that cannot be written is only slower.
                let _ = transaction.execute(
                    "INSERT OR REPLACE INTO cells VALUES(?,?,?,?,?)",
                    params![
                        subject,
                        test_key(lab, test),
                        cell.word.id(),
                        cell.steady,
                        cell.slip
                    ],
                );
            }
        }
        let _ = transaction.commit();
    }
}

/// Names a test by its content, apart from what is only shown.
fn test_key(lab: &Lab, test: &Test) -> String {
    let content = (
        &lab.id,
        &test.start,
        &test.given,
        &test.script,
        test.mark.id(),
    );
    mutate::hash(&format!("{content:?}"))
}

fn open(path: &Path) -> rusqlite::Result<Connection> {
    let db = Connection::open(path)?;
    db.busy_timeout(Duration::from_secs(2))?;
    db.execute_batch(
        "PRAGMA synchronous=OFF;
         CREATE TABLE IF NOT EXISTS cells(
           subject TEXT, test TEXT, word TEXT NOT NULL, steady INTEGER NOT NULL,
           slip INTEGER NOT NULL,
           PRIMARY KEY(subject, test)) WITHOUT ROWID, STRICT;",
    )?;
    let words: String = db.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if words == "ok" {
        Ok(db)
    } else {
        Err(rusqlite::Error::InvalidQuery)
    }
}

#[cfg(test)]
mod tests;
