//! A session: the results so far, in one SQLite file, so that a kill costs one submission at most.
//!
//! A result is found by the hash of its submission and of everything that graded it. So a session
//! never answers for another pack, another program, or a submission that has changed since.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension as _, params};

use crate::gradebook::Submission;

/// How long one grader waits for another that writes.
const PATIENCE: Duration = Duration::from_secs(10);
/// Marks a SQLite file as ours: "idgr" in ASCII.
const APPLICATION: i64 = 0x6964_6772;
const VERSION: i64 = 1;

/// The session cannot be used, or not written.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The file is something else, or damaged.
    #[error(
        "{path} is not a session of this idemlab ({why}); move it away, or name another file with --session"
    )]
    Foreign {
        /// The file.
        path: String,
        /// What is wrong with it.
        why: String,
    },
    /// A result that was stored is not there any more.
    #[error("the result of {0} is gone from the session; somebody else works on its file")]
    Gone(String),
    /// SQLite or the system says no.
    #[error("failed to use the session file: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// A stored result cannot be read.
    #[error("failed to read a result of the session: {0}")]
    Json(#[from] serde_json::Error),
}

/// An open session.
#[derive(Debug)]
pub struct Session {
    db: Connection,
}

impl Session {
    /// Opens the session at `path`, or begins one; without a path it lives as long as the program.
    ///
    /// # Errors
    ///
    /// Fails when the file is something else; it is left as it is then.
    pub fn open(path: Option<&Path>) -> Result<Self, SessionError> {
        let db = match path {
            Some(path) => Connection::open(path)?,
            // An empty name is a file of SQLite's own, gone with the connection: not in memory.
            None => Connection::open("")?,
        };
        db.busy_timeout(PATIENCE)?;
        let session = Self { db };
        let foreign = |why: String| SessionError::Foreign {
            path: path.unwrap_or(Path::new("")).display().to_string(),
            why,
        };
        session.set_up().map_err(|error| match error {
            SetUp::Foreign(why) => foreign(why),
            SetUp::Sqlite(error) => match error.sqlite_error_code() {
                Some(rusqlite::ErrorCode::NotADatabase | rusqlite::ErrorCode::DatabaseCorrupt) => {
                    foreign(error.to_string())
                }
                _ => error.into(),
            },
        })?;
        Ok(session)
    }

    fn set_up(&self) -> Result<(), SetUp> {
        let number = |name: &str| {
            self.db
                .pragma_query_value(None, name, |row| row.get::<_, i64>(0))
        };
        let (application, version) = (number("application_id")?, number("user_version")?);
        let tables: i64 = self
            .db
            .query_row("SELECT COUNT(*) FROM sqlite_schema", [], |row| row.get(0))?;
        match (application, version, tables) {
            (APPLICATION, VERSION, _) => Ok(()),
            (APPLICATION, found, _) => Err(SetUp::Foreign(format!(
                "its version is {found}, this program writes {VERSION}"
            ))),
            (0, 0, 0) => {
                self.db.execute_batch(&format!(
                    "PRAGMA journal_mode=WAL;
                     BEGIN IMMEDIATE;
                     CREATE TABLE IF NOT EXISTS result(
                       path TEXT NOT NULL,
                       hash TEXT NOT NULL,
                       grader TEXT NOT NULL,
                       result TEXT NOT NULL,
                       PRIMARY KEY(path, hash, grader));
                     PRAGMA application_id={APPLICATION};
                     PRAGMA user_version={VERSION};
                     COMMIT"
                ))?;
                Ok(())
            }
            _ => Err(SetUp::Foreign("another program wrote it".to_owned())),
        }
    }

    /// Stores a result; once this returns, no kill takes it back.
    ///
    /// # Errors
    ///
    /// Fails when the file cannot be written.
    pub fn store(&self, key: Key<'_>, result: &Submission) -> Result<(), SessionError> {
        let text = serde_json::to_string(result)?;
        self.db.execute(
            "INSERT OR REPLACE INTO result(path, hash, grader, result) VALUES(?, ?, ?, ?)",
            params![key.path, key.hash, key.grader, text],
        )?;
        Ok(())
    }

    /// Reads a result, if it is there.
    ///
    /// # Errors
    ///
    /// Fails when the file or the result cannot be read.
    pub fn result(&self, key: Key<'_>) -> Result<Option<Submission>, SessionError> {
        let text: Option<String> = self
            .db
            .query_row(
                "SELECT result FROM result WHERE path=? AND hash=? AND grader=?",
                params![key.path, key.hash, key.grader],
                |row| row.get(0),
            )
            .optional()?;
        Ok(text.map(|text| serde_json::from_str(&text)).transpose()?)
    }

    /// Tells whether a result is there, without reading it.
    ///
    /// # Errors
    ///
    /// Fails when the file cannot be read.
    pub fn has(&self, key: Key<'_>) -> Result<bool, SessionError> {
        let found = self.db.query_row(
            "SELECT 1 FROM result WHERE path=? AND hash=? AND grader=?",
            params![key.path, key.hash, key.grader],
            |_| Ok(()),
        );
        Ok(found.optional()?.is_some())
    }
}

/// What a result is found by.
#[derive(Debug, Clone, Copy)]
pub struct Key<'a> {
    /// The submission's path in its class.
    pub path: &'a str,
    /// The hash of what is in it.
    pub hash: &'a str,
    /// Names the pack, the program and the settings that graded it.
    pub grader: &'a str,
}

enum SetUp {
    Foreign(String),
    Sqlite(rusqlite::Error),
}

impl From<rusqlite::Error> for SetUp {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gradebook::{Confinement, Section, Status};
    use crate::model::Points;

    fn result(path: &str) -> Submission {
        Submission {
            path: path.to_owned(),
            lab: "retention".to_owned(),
            track: "python".to_owned(),
            status: Status::Graded,
            why: None,
            score: Some(Points(1234)),
            max_score: Points::whole(100),
            confinement: Confinement::default(),
            steps: Vec::new(),
            probes: Section::default(),
            written: Section::default(),
            predictions: Section::default(),
            millis: 5,
        }
    }

    const KEY: Key<'static> = Key {
        path: "anna",
        hash: "h",
        grader: "g",
    };

    #[test]
    fn a_result_is_there_for_its_submission_and_its_grader_only() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("s.db");
        let session = Session::open(Some(&file)).unwrap();
        session.store(KEY, &result("anna")).unwrap();
        drop(session);
        let session = Session::open(Some(&file)).unwrap();
        assert_eq!(session.result(KEY).unwrap(), Some(result("anna")));
        for other in [
            Key { path: "bo", ..KEY },
            Key { hash: "i", ..KEY },
            Key { grader: "k", ..KEY },
        ] {
            assert_eq!(session.result(other).unwrap(), None);
            assert!(!session.has(other).unwrap());
        }
    }

    #[test]
    fn a_file_that_is_something_else_is_refused_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let text = folder.path().join("notes.txt");
        std::fs::write(
            &text,
            "my notes, longer than any header of SQLite's own files. ".repeat(9),
        )
        .unwrap();
        let before = std::fs::read(&text).unwrap();
        assert!(matches!(
            Session::open(Some(&text)),
            Err(SessionError::Foreign { .. })
        ));
        assert_eq!(std::fs::read(&text).unwrap(), before);
        let other = folder.path().join("other.db");
        let db = Connection::open(&other).unwrap();
        db.execute_batch("CREATE TABLE mine(a)").unwrap();
        assert!(matches!(
            Session::open(Some(&other)),
            Err(SessionError::Foreign { .. })
        ));
    }
}
