//! Progress: what a learner said and saw, in one SQLite file.
//!
//! A prediction is stored before its run. The file survives a kill at any moment and two labs
//! at once; one that is newer, damaged or somebody else's is named and left untouched. The
//! answer to a prediction is never in here before the learner's own run has shown it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};

use crate::event::{Attempt, SubjectReport};
use crate::model::{Prediction, SeenIn, Sure, Track};
use crate::verdict::TestWord;

/// The version of the schema that this program writes.
const VERSION: i64 = 1;
/// Marks a SQLite file as ours: "idem" in ASCII.
const APPLICATION: i64 = 0x6964_656d;
/// How long one lab waits for another that writes.
const PATIENCE: Duration = Duration::from_secs(5);

/// Why a progress file cannot be used. The file is left as it is.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// A later program wrote it.
    #[error(
        "{path} was written by a newer idemlab (schema {found}, this one knows {VERSION}); update idemlab, or name another file with --progress"
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// The version in the file.
        found: i64,
    },
    /// It is not a progress file, or damaged.
    #[error(
        "{path} is not a progress file that can be read ({why}); move it away, or name another file with --progress"
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// The system says no.
    #[error("failed to open the progress file {path}: {why}; name another file with --progress")]
    Unusable {
        /// The file.
        path: PathBuf,
        /// The system's words.
        why: String,
    },
}

/// Writing to the progress file failed.
#[derive(Debug, thiserror::Error)]
#[error("failed to save progress: {0}")]
pub struct SaveError(#[from] rusqlite::Error);

/// A stored test of the learner's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probe {
    /// Its number in the file.
    pub id: i64,
    /// The mutant it was written for.
    pub mutant: String,
    /// The mutant's step.
    pub step: u32,
    /// Its text.
    pub source: String,
    /// `catches`, `misses` or `invalid`.
    pub verdict: String,
}

/// Where a learner stopped in a lab.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The step, counted from 1.
    pub step: u32,
    /// The view of the step.
    pub view: String,
}

/// An open progress file.
#[derive(Debug)]
pub struct Progress {
    db: Connection,
    path: Option<PathBuf>,
}

/// Returns where progress is kept unless somebody says otherwise.
///
/// The user's data folder (on Linux `$XDG_DATA_HOME` or `~/.local/share`), then `idemlab/`.
#[must_use]
pub fn default_path() -> Option<PathBuf> {
    use etcetera::BaseStrategy as _;
    let base = etcetera::choose_base_strategy().ok()?;
    Some(base.data_dir().join("idemlab").join("progress.db"))
}

impl Progress {
    /// Opens the file at `path`, and makes it if there is none.
    ///
    /// # Errors
    ///
    /// Says why the file cannot be used; it is untouched then.
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        if let Some(folder) = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty())
        {
            std::fs::create_dir_all(folder).map_err(|error| OpenError::Unusable {
                path: path.to_owned(),
                why: error.to_string(),
            })?;
        }
        let db = Connection::open(path).map_err(|error| unusable(path, &error))?;
        let mut progress = Self {
            db,
            path: Some(path.to_owned()),
        };
        progress.prepare(path)?;
        Ok(progress)
    }

    /// Keeps progress in memory only, for when there is no file to keep it in.
    ///
    /// # Panics
    ///
    /// Never in practice: SQLite has no memory left then.
    #[must_use]
    pub fn in_memory() -> Self {
        let db = Connection::open_in_memory().expect("SQLite opens a database in memory");
        db.execute_batch(include_str!("progress/schema.sql"))
            .expect("the schema is valid");
        Self { db, path: None }
    }

    /// Returns the file, unless progress is kept in memory only.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    fn prepare(&mut self, path: &Path) -> Result<(), OpenError> {
        let damaged = |error: rusqlite::Error| match error.sqlite_error_code() {
            Some(rusqlite::ErrorCode::NotADatabase | rusqlite::ErrorCode::DatabaseCorrupt) => {
                OpenError::Damaged {
                    path: path.to_owned(),
                    why: error.to_string(),
                }
            }
            _ => unusable(path, &error),
        };
        self.db.busy_timeout(PATIENCE).map_err(damaged)?;
        self.check(path, damaged)?;
        self.db
            .pragma_update(None, "foreign_keys", true)
            .map_err(damaged)?;
        let transaction = self
            .db
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(damaged)?;
        // Another lab may have made the tables since the check.
        if number(&transaction, "user_version").map_err(damaged)? == 0 {
            transaction
                .execute_batch(include_str!("progress/schema.sql"))
                .and_then(|()| transaction.pragma_update(None, "application_id", APPLICATION))
                .and_then(|()| transaction.pragma_update(None, "user_version", VERSION))
                .map_err(damaged)?;
        }
        transaction.commit().map_err(damaged)
    }

    /// Looks whether the file is ours and whole, without writing to it.
    fn check(
        &self,
        path: &Path,
        damaged: impl Fn(rusqlite::Error) -> OpenError,
    ) -> Result<(), OpenError> {
        // One look at the file: another lab may be making it at this moment.
        let _look = self.db.unchecked_transaction().map_err(&damaged)?;
        let version = number(&self.db, "user_version").map_err(&damaged)?;
        let application = number(&self.db, "application_id").map_err(&damaged)?;
        let tables: i64 = self
            .db
            .query_row("SELECT COUNT(*) FROM sqlite_schema", [], |row| row.get(0))
            .map_err(&damaged)?;
        let not_ours = |why: &str| {
            Err(OpenError::Damaged {
                path: path.to_owned(),
                why: why.to_owned(),
            })
        };
        if tables == 0 && version == 0 {
            return Ok(());
        }
        if application != APPLICATION {
            return not_ours("it is a database of another program");
        }
        if version > VERSION {
            return Err(OpenError::Newer {
                path: path.to_owned(),
                found: version,
            });
        }
        let words: String = self
            .db
            .query_row("PRAGMA quick_check(1)", [], |row| row.get(0))
            .map_err(&damaged)?;
        if words == "ok" {
            Ok(())
        } else {
            not_ours(&words)
        }
    }

    /// Stores a prediction before its run, and returns its number in the file.
    ///
    /// # Errors
    ///
    /// Fails when the file cannot be written.
    pub fn predict(
        &mut self,
        lab: &str,
        track: Track,
        mutant: &str,
        step: u32,
        prediction: &Prediction,
    ) -> Result<i64, SaveError> {
        let transaction = self
            .db
            .transaction_with_behavior(TransactionBehavior::Immediate)?;
        transaction.execute(
            "INSERT INTO predictions(lab,track,mutant,step,attempt,observation,seen_in,tests,sure,unknown,made_at)
             SELECT ?1,?2,?3,?4,
                    1+(SELECT COUNT(*) FROM predictions WHERE lab=?1 AND mutant=?3),
                    ?5,?6,?7,?8,?9,strftime('%Y-%m-%dT%H:%M:%SZ','now')",
            params![
                lab,
                track.id(),
                mutant,
                step,
                prediction.observation,
                prediction.seen_in.map(SeenIn::id),
                serde_json::to_string(&prediction.tests).unwrap_or_default(),
                prediction.sure.map(Sure::id),
                prediction.unknown,
            ],
        )?;
        let id = transaction.last_insert_rowid();
        transaction.commit()?;
        Ok(id)
    }

    /// Stores what the run after a prediction showed.
    ///
    /// # Errors
    ///
    /// Fails when the file cannot be written.
    pub fn ran(&mut self, prediction: i64, report: &SubjectReport) -> Result<(), SaveError> {
        let cells: BTreeMap<&str, &str> = report
            .tests
            .iter()
            .map(|test| (test.id.as_str(), test.word().id()))
            .collect();
        self.db.execute(
            "INSERT OR IGNORE INTO runs VALUES(?,?,?,strftime('%Y-%m-%dT%H:%M:%SZ','now'))",
            params![
                prediction,
                report.mutant_word().id(),
                serde_json::to_string(&cells).unwrap_or_default()
            ],
        )?;
        Ok(())
    }

    /// Stores what the learner says they saw.
    ///
    /// # Errors
    ///
    /// Fails when the file cannot be written.
    pub fn saw(&mut self, prediction: i64, text: &str) -> Result<(), SaveError> {
        self.db.execute(
            "INSERT INTO sightings VALUES(?1,?2,strftime('%Y-%m-%dT%H:%M:%SZ','now'))
             ON CONFLICT(prediction) DO UPDATE SET text=?2, written_at=excluded.written_at",
            params![prediction, text],
        )?;
        Ok(())
    }

    /// Lists all predictions about a lab, in the order in which they were made.
    ///
    /// # Errors
    ///
    /// Fails when the file cannot be read.
    pub fn predictions(&self, lab: &str) -> Result<Vec<Attempt>, SaveError> {
        let mut select = self.db.prepare_cached(
            "SELECT p.id, p.mutant, p.step, p.attempt, p.observation, p.seen_in, p.tests, p.sure,
                    p.unknown, r.cells, s.text
             FROM predictions p
             LEFT JOIN runs r ON r.prediction = p.id
             LEFT JOIN sightings s ON s.prediction = p.id
             WHERE p.lab = ? ORDER BY p.id",
        )?;
        let rows = select.query_map([lab], attempt)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Returns where the learner stopped in a lab.
    ///
    /// # Errors
    ///
    /// Fails when the file cannot be read.
    pub fn place(&self, lab: &str) -> Result<Option<Place>, SaveError> {
        let place = self
            .db
            .query_row("SELECT step, view FROM places WHERE lab=?", [lab], |row| {
                Ok(Place {
                    step: row.get(0)?,
                    view: row.get(1)?,
                })
            })
            .optional()?;
        Ok(place)
    }

    /// Returns the lab in which the learner stopped last.
    ///
    /// # Errors
    ///
    /// Fails when the file cannot be read.
    pub fn last_lab(&self) -> Result<Option<String>, SaveError> {
        // Each stop replaces its lab's row, so the newest one has the highest number.
        let sql = "SELECT lab FROM places ORDER BY rowid DESC LIMIT 1";
        let lab = self.db.query_row(sql, [], |row| row.get(0)).optional()?;
        Ok(lab)
    }

    /// Stores where the learner is in a lab.
    ///
    /// # Errors
    ///
    /// Fails when the file cannot be written.
    pub fn stop_at(&mut self, lab: &str, place: &Place) -> Result<(), SaveError> {
        self.db.execute(
            "INSERT OR REPLACE INTO places VALUES(?,?,?)",
            params![lab, place.step, place.view],
        )?;
        Ok(())
    }

    /// Stores a test of the learner's own with its verdict: `catches`, `misses` or `invalid`.
    ///
    /// # Errors
    ///
    /// Fails when the file cannot be written.
    pub fn keep_probe(
        &mut self,
        lab: &str,
        mutant: &str,
        step: u32,
        source: &str,
        verdict: &str,
    ) -> Result<(), SaveError> {
        self.db.execute(
            "INSERT INTO probes(lab,mutant,step,source,verdict,made_at)
             VALUES(?,?,?,?,?,strftime('%Y-%m-%dT%H:%M:%SZ','now'))",
            params![lab, mutant, step, source, verdict],
        )?;
        Ok(())
    }

    /// Lists the learner's own tests of a lab, in the order in which they were written.
    ///
    /// # Errors
    ///
    /// Fails when the file cannot be read.
    pub fn probes(&self, lab: &str) -> Result<Vec<Probe>, SaveError> {
        let mut select = self.db.prepare_cached(
            "SELECT id, mutant, step, source, verdict FROM probes WHERE lab=? ORDER BY id",
        )?;
        let rows = select.query_map([lab], |row| {
            Ok(Probe {
                id: row.get(0)?,
                mutant: row.get(1)?,
                step: row.get(2)?,
                source: row.get(3)?,
                verdict: row.get(4)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Stores a written answer.
    ///
    /// # Errors
    ///
    /// Fails when the file cannot be written.
    pub fn answer(&mut self, lab: &str, task: &str, text: &str) -> Result<(), SaveError> {
        self.db.execute(
            "INSERT OR REPLACE INTO answers VALUES(?,?,?,strftime('%Y-%m-%dT%H:%M:%SZ','now'))",
            params![lab, task, text],
        )?;
        Ok(())
    }

    /// Returns the written answers of a lab by task.
    ///
    /// # Errors
    ///
    /// Fails when the file cannot be read.
    pub fn answers(&self, lab: &str) -> Result<BTreeMap<String, String>, SaveError> {
        let mut select = self
            .db
            .prepare_cached("SELECT task, text FROM answers WHERE lab=?")?;
        let rows = select.query_map([lab], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Returns a setting, such as the chosen track.
    ///
    /// # Errors
    ///
    /// Fails when the file cannot be read.
    pub fn setting(&self, name: &str) -> Result<Option<String>, SaveError> {
        Ok(self
            .db
            .query_row("SELECT value FROM settings WHERE name=?", [name], |row| {
                row.get(0)
            })
            .optional()?)
    }

    /// Stores a setting.
    ///
    /// # Errors
    ///
    /// Fails when the file cannot be written.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), SaveError> {
        self.db
            .execute("INSERT OR REPLACE INTO settings VALUES(?,?)", [name, value])?;
        Ok(())
    }
}

fn unusable(path: &Path, error: &rusqlite::Error) -> OpenError {
    OpenError::Unusable {
        path: path.to_owned(),
        why: error.to_string(),
    }
}

fn number(db: &Connection, pragma: &str) -> rusqlite::Result<i64> {
    db.pragma_query_value(None, pragma, |row| row.get(0))
}

fn attempt(row: &rusqlite::Row<'_>) -> rusqlite::Result<Attempt> {
    let word = |column| row.get::<_, Option<String>>(column);
    let cells =
        word(9)?.and_then(|text| serde_json::from_str::<BTreeMap<String, String>>(&text).ok());
    let run = cells.map(|cells| {
        let words = cells.into_iter();
        words
            .filter_map(|(test, word)| Some((test, TestWord::parse(&word)?)))
            .collect()
    });
    Ok(Attempt {
        id: row.get(0)?,
        mutant: row.get(1)?,
        step: row.get(2)?,
        attempt: row.get(3)?,
        prediction: Prediction {
            observation: row.get(4)?,
            seen_in: word(5)?.as_deref().and_then(SeenIn::parse),
            tests: serde_json::from_str(&row.get::<_, String>(6)?).unwrap_or_default(),
            sure: word(7)?.as_deref().and_then(Sure::parse),
            unknown: row.get(8)?,
        },
        run,
        sighting: word(10)?,
    })
}

#[cfg(test)]
mod tests;
