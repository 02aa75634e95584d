//! The lab's own hand on a test's database: sets it up, reads it, holds its lock.
//!
//! While a lock is held, this is the only door of the process to the file: closing any other
//! descriptor of it would drop the lock.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::types::{Value as Sql, ValueRef};
use rusqlite::{Connection, OpenFlags, params_from_iter};

use super::{Dump, Interrupt};
use crate::model::{Cell, Start, Table, TableRows, Test};

/// The most rows of a table that are kept to be shown.
const SHOWN: usize = 300;
/// The most bytes of tables that are kept to be shown.
const SHOWN_BYTES: usize = 4 << 20;
/// The most bytes that an answer may have: the file may hold anything that a subject can write.
const READ_BYTES: usize = 64 << 20;
/// The most bytes of one value.
const VALUE_BYTES: i32 = 16 << 20;
/// How long one statement of the lab may take: a pack or a probe may hold an endless one.
pub const LIMIT: Duration = Duration::from_secs(10);
/// How long it may take on a stranger's file, which may hold an endless view.
pub const SHORT_LIMIT: Duration = Duration::from_secs(2);
/// How many steps of SQLite's machine lie between two looks at the clock and the interrupt.
const STEPS: i32 = 10_000;

/// A test's database, as the lab sees it.
#[derive(Debug)]
pub struct Store {
    db: Connection,
    path: PathBuf,
    tables: Vec<Table>,
    /// When the statement that runs was started.
    since: Arc<Mutex<Instant>>,
    interrupt: Interrupt,
    limit: Duration,
    /// Which file it was when it was opened: a subject may put another in its place.
    identity: Option<(u64, u64)>,
}

/// What SQLite said against a statement of the lab.
pub type Refusal = String;

impl Store {
    /// Makes the database of a test in `folder`; `interrupt` or the `limit` ends any statement.
    ///
    /// # Errors
    ///
    /// Returns SQLite's words, if a table or a given row is refused.
    pub fn create(
        folder: &Path,
        tables: &[Table],
        test: &Test,
        interrupt: &Interrupt,
        limit: Duration,
    ) -> Result<Self, Refusal> {
        let real = |error: std::io::Error| error.to_string();
        let folder = folder.canonicalize().map_err(real)?;
        let path = folder.join("store.db");
        // Nobody else may have put it there.
        File::create_new(&path).map_err(real)?;
        let mut store = Self {
            db: open(&path)?,
            identity: identity(&path),
            path,
            tables: tables.to_vec(),
            since: Arc::new(Mutex::new(Instant::now())),
            interrupt: interrupt.clone(),
            limit,
        };
        store.watch()?;
        if test.start == Start::Table {
            store.fill(&test.given)?;
        }
        Ok(store)
    }

    /// Lets no statement outlast the interrupt or the limit.
    fn watch(&mut self) -> Result<(), Refusal> {
        let (interrupt, since) = (self.interrupt.clone(), Arc::clone(&self.since));
        let limit = self.limit;
        let is_over = move || {
            let since = since.lock().unwrap_or_else(PoisonError::into_inner);
            interrupt.is_raised() || since.elapsed() > limit
        };
        self.db
            .progress_handler(STEPS, Some(is_over))
            .map_err(words)
    }

    /// Looks whether the subject put another file in the place of this one, and opens that.
    ///
    /// Only between calls, while the lab holds no lock.
    pub fn follow(&mut self) {
        let now = identity(&self.path);
        if now == self.identity {
            return;
        }
        self.identity = now;
        let other = match now {
            Some(_) => open(&self.path),
            // What is gone has no tables.
            None => Connection::open_in_memory().map_err(words),
        };
        if let Ok(db) = other.or_else(|_| Connection::open_in_memory().map_err(words)) {
            self.db = db;
            let _ = self.watch();
        }
    }

    fn start_clock(&self) {
        *self.since.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    fn fill(&self, given: &[TableRows]) -> Result<(), Refusal> {
        self.db.execute_batch("BEGIN").map_err(words)?;
        for table in &self.tables {
            self.db.execute_batch(&table.create).map_err(words)?;
        }
        for rows in given {
            self.insert(rows)?;
        }
        self.db.execute_batch("COMMIT").map_err(words)
    }

    fn insert(&self, given: &TableRows) -> Result<(), Refusal> {
        let Some(table) = self.tables.iter().find(|table| table.name == given.table) else {
            return Err(format!("the lab has no table {}", given.table));
        };
        let holes = vec!["?"; table.columns.len()].join(",");
        let sql = format!(
            "INSERT INTO {}({}) VALUES({holes})",
            table.name,
            table.columns.join(",")
        );
        let mut insert = self.db.prepare(&sql).map_err(words)?;
        for row in &given.rows {
            insert
                .execute(params_from_iter(row.iter().map(to_sql)))
                .map_err(words)?;
        }
        Ok(())
    }

    /// Returns the path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Runs statements of the lab.
    ///
    /// # Errors
    ///
    /// Returns SQLite's words.
    pub fn run(&self, sql: &str) -> Result<(), Refusal> {
        self.start_clock();
        self.db.execute_batch(sql).map_err(words)
    }

    /// Reads the answer of a query.
    ///
    /// # Errors
    ///
    /// Returns SQLite's words.
    pub fn query(&self, sql: &str) -> Result<Vec<Vec<Cell>>, Refusal> {
        self.read(sql, usize::MAX, READ_BYTES)
    }

    /// Reads one table: a lab's by its columns and order, another by all its columns and rowid.
    ///
    /// # Errors
    ///
    /// Returns SQLite's words.
    pub fn rows(&self, table: &str) -> Result<Vec<Vec<Cell>>, Refusal> {
        self.read(&self.select(table), usize::MAX, READ_BYTES)
    }

    /// Reads the lab's tables to show them; one that cannot be read is left out.
    #[must_use]
    pub fn dump(&self) -> Dump {
        let rows = |table: &Table| {
            Some(TableRows {
                table: table.name.clone(),
                rows: self
                    .read(&self.select(&table.name), SHOWN, SHOWN_BYTES)
                    .ok()?,
            })
        };
        self.tables.iter().filter_map(rows).collect()
    }

    /// Reads the lab's tables, and tells whether somebody holds the write lock meanwhile.
    ///
    /// Both in one transaction, since each start of one costs as much as the reading.
    #[must_use]
    pub fn look(&self) -> (bool, Dump) {
        if self.lock().is_err() {
            return (true, self.dump());
        }
        let dump = self.dump();
        self.release();
        (false, dump)
    }

    fn select(&self, table: &str) -> String {
        match self.tables.iter().find(|known| known.name == table) {
            Some(known) => format!(
                "SELECT {} FROM {} ORDER BY {}",
                known.columns.join(","),
                known.name,
                known.order_by
            ),
            None => format!("SELECT * FROM {table} ORDER BY rowid"),
        }
    }

    fn read(&self, sql: &str, most: usize, bytes: usize) -> Result<Vec<Vec<Cell>>, Refusal> {
        self.start_clock();
        let mut select = self.db.prepare_cached(sql).map_err(words)?;
        let columns = select.column_count();
        let mut rows = select.query([]).map_err(words)?;
        let (mut all, mut room) = (Vec::new(), bytes);
        while let Some(row) = rows.next().map_err(words)? {
            let cells = (0..columns).map(|column| row.get_ref(column).map(to_cell));
            let cells: Vec<Cell> = cells.collect::<Result<_, _>>().map_err(words)?;
            let size = cells.iter().map(size).sum::<usize>();
            room = room
                .checked_sub(size)
                .ok_or("the answer is larger than the lab reads")?;
            all.push(cells);
            if all.len() == most {
                break;
            }
        }
        Ok(all)
    }

    /// Tells whether somebody holds the write lock.
    #[must_use]
    pub fn is_locked(&self) -> bool {
        if self.lock().is_err() {
            return true;
        }
        self.release();
        false
    }

    /// Takes the write lock, without waiting.
    ///
    /// # Errors
    ///
    /// Returns SQLite's words when somebody else holds it.
    pub fn lock(&self) -> Result<(), Refusal> {
        self.run("BEGIN IMMEDIATE")
    }

    /// Commits what was changed under the lock.
    ///
    /// # Errors
    ///
    /// Returns SQLite's words while a reader stands in the way.
    pub fn commit(&self) -> Result<(), Refusal> {
        self.run("COMMIT")
    }

    /// Gives up what was changed under the lock.
    pub fn release(&self) {
        let _ = self.run("ROLLBACK");
    }
}

/// Opens a file that may hold anything: its schema is not trusted, and no link is followed.
fn open(path: &Path) -> Result<Connection, Refusal> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    let db = Connection::open_with_flags(path, flags).map_err(words)?;
    // The lab neither waits for a lock unasked nor needs its own changes to outlive a crash.
    db.busy_timeout(Duration::ZERO).map_err(words)?;
    for (setting, on) in [
        (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
        (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
    ] {
        db.set_db_config(setting, on).map_err(words)?;
    }
    db.set_limit(Limit::SQLITE_LIMIT_LENGTH, VALUE_BYTES)
        .map_err(words)?;
    // A script may be a learner's: neither ATTACH nor VACUUM INTO reaches another file.
    db.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)
        .map_err(words)?;
    // A stranger's file may be locked or broken; then each statement says so.
    let _ = db.execute_batch(
        "PRAGMA cell_size_check=ON; PRAGMA synchronous=OFF; PRAGMA journal_mode=MEMORY",
    );
    Ok(db)
}

/// Which file a path names, if there is one.
#[cfg(unix)]
fn identity(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt as _;
    let data = path.symlink_metadata().ok()?;
    Some((data.dev(), data.ino()))
}

#[cfg(not(unix))]
fn identity(_: &Path) -> Option<(u64, u64)> {
    None
}

/// How much room a cell takes, about.
fn size(cell: &Cell) -> usize {
    16 + match cell {
        Cell::Text(text) => text.len(),
        Cell::Blob(bytes) => bytes.len(),
        _ => 0,
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is passed to map_err")]
fn words(error: rusqlite::Error) -> Refusal {
    error.to_string()
}

fn to_sql(cell: &Cell) -> Sql {
    match cell {
        Cell::Null => Sql::Null,
        Cell::Integer(number) => Sql::Integer(*number),
        Cell::Real(number) => Sql::Real(*number),
        Cell::Text(text) => Sql::Text(text.clone()),
        Cell::Json(value) => Sql::Text(value.to_string()),
        Cell::Blob(bytes) => Sql::Blob(bytes.clone()),
    }
}

fn to_cell(value: ValueRef<'_>) -> Cell {
    match value {
        ValueRef::Null => Cell::Null,
        ValueRef::Integer(number) => Cell::Integer(number),
        ValueRef::Real(number) => Cell::Real(number),
        ValueRef::Text(text) => Cell::Text(String::from_utf8_lossy(text).into_owned()),
        ValueRef::Blob(bytes) => Cell::Blob(bytes.to_vec()),
    }
}
