//! The lab's own hand on a test's database: sets it up, reads it, holds its lock.
//!
//! While a lock is held, this is the only door of the process to the file: closing any other
//! descriptor of it would drop the lock.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rusqlite::types::{Value as Sql, ValueRef};
use rusqlite::{Connection, params_from_iter};

use super::{Dump, Interrupt};
use crate::model::{Cell, Start, Table, TableRows, Test};

/// The most rows of a table that are kept to be shown.
const SHOWN: usize = 300;
/// How long one statement of the lab may take: a pack or a probe may hold an endless one.
const LIMIT: Duration = Duration::from_secs(10);
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
}

/// What SQLite said against a statement of the lab.
pub type Refusal = String;

impl Store {
    /// Makes the database of a test in `folder`; `interrupt` ends any statement on it.
    ///
    /// # Errors
    ///
    /// Returns SQLite's words, if a table or a given row is refused.
    pub fn create(
        folder: &Path,
        tables: &[Table],
        test: &Test,
        interrupt: &Interrupt,
    ) -> Result<Self, Refusal> {
        let path = folder.join("store.db");
        let db = Connection::open(&path).map_err(words)?;
        // The lab neither waits for a lock unasked nor needs its own changes to outlive a crash.
        db.busy_timeout(Duration::ZERO).map_err(words)?;
        db.execute_batch("PRAGMA synchronous=OFF; PRAGMA journal_mode=MEMORY")
            .map_err(words)?;
        let mut store = Self {
            db,
            path,
            tables: tables.to_vec(),
            since: Arc::new(Mutex::new(Instant::now())),
        };
        store.watch(interrupt)?;
        if test.start == Start::Table {
            store.fill(&test.given)?;
        }
        Ok(store)
    }

    /// Lets no statement outlast the interrupt or the limit.
    fn watch(&mut self, interrupt: &Interrupt) -> Result<(), Refusal> {
        let (interrupt, since) = (interrupt.clone(), Arc::clone(&self.since));
        let is_over = move || {
            let since = since.lock().unwrap_or_else(PoisonError::into_inner);
            interrupt.is_raised() || since.elapsed() > LIMIT
        };
        self.db
            .progress_handler(STEPS, Some(is_over))
            .map_err(words)
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
        self.read(sql, usize::MAX)
    }

    /// Reads one table: a lab's by its columns and order, another by all its columns and rowid.
    ///
    /// # Errors
    ///
    /// Returns SQLite's words.
    pub fn rows(&self, table: &str) -> Result<Vec<Vec<Cell>>, Refusal> {
        self.read(&self.select(table), usize::MAX)
    }

    /// Reads the lab's tables to show them; one that cannot be read is left out.
    #[must_use]
    pub fn dump(&self) -> Dump {
        let rows = |table: &Table| {
            Some(TableRows {
                table: table.name.clone(),
                rows: self.read(&self.select(&table.name), SHOWN).ok()?,
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

    fn read(&self, sql: &str, most: usize) -> Result<Vec<Vec<Cell>>, Refusal> {
        self.start_clock();
        let mut select = self.db.prepare_cached(sql).map_err(words)?;
        let columns = select.column_count();
        let mut rows = select.query([]).map_err(words)?;
        let mut all = Vec::new();
        while let Some(row) = rows.next().map_err(words)? {
            let cells = (0..columns).map(|column| row.get_ref(column).map(to_cell));
            all.push(cells.collect::<Result<_, _>>().map_err(words)?);
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
