//! Runs the lines of a script, one by one, against a subject.

mod gate;

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Map, Value};

use super::callback::Desk;
use super::store::{LIMIT, SHORT_LIMIT, Store};
use super::{Dump, Interrupt, Launch, Limits, LineSeen, Outcome, Process, Scratch, Seen};
use super::{cost, schedule};
use crate::model::{Action, Call, Forced, Growth, Line, Memory, Table, Test};

/// How long a subject must have held the lock before it counts as being in the middle.
const SETTLED: Duration = Duration::from_millis(20);

/// A subject with as many processes as its scripts ask for, each started when first needed.
#[derive(Debug)]
pub struct Subject<'a> {
    launch: &'a Launch,
    limits: Limits,
    interrupt: &'a Interrupt,
    processes: Vec<Option<Process>>,
    /// From which nursery each of them came, by number.
    nurseries: Vec<usize>,
    /// From which nurseries processes came that this test can meet, or has met.
    spent: Vec<usize>,
    /// Why it cannot be loaded, once that is known: trying again would only take time.
    not_loaded: Option<Outcome>,
}

impl<'a> Subject<'a> {
    /// Makes a subject; nothing is started yet.
    #[must_use]
    pub fn new(launch: &'a Launch, limits: Limits, interrupt: &'a Interrupt) -> Self {
        Self {
            launch,
            limits,
            interrupt,
            processes: Vec::new(),
            nurseries: Vec::new(),
            spent: Vec::new(),
            not_loaded: None,
        }
    }

    /// Starts the first `count` processes that do not run.
    fn ready(&mut self, count: usize) -> Result<(), Outcome> {
        let places = self.processes.len().max(count);
        self.processes.resize_with(places, || None);
        self.nurseries.resize(places, 0);
        for number in 0..count {
            if self.processes[number].is_some() {
                continue;
            }
            if let Some(outcome) = &self.not_loaded {
                return Err(outcome.clone());
            }
            let free = |nursery: &usize| !self.spent.contains(nursery);
            let nursery = (0..=self.spent.len()).find(free).unwrap_or_default();
            self.spent.push(nursery);
            self.nurseries[number] = nursery;
            let launch = self.launch;
            match launch.start_from(nursery, self.limits, self.interrupt) {
                Ok(process) => self.processes[number] = Some(process),
                Err(outcome) => {
                    let not_loaded = matches!(outcome, Outcome::NotLoaded { .. });
                    self.not_loaded = not_loaded.then(|| outcome.clone());
                    return Err(outcome);
                }
            }
        }
        Ok(())
    }

    /// Begins a test, which can meet what still runs.
    fn new_test(&mut self) {
        let all = self.processes.iter().zip(&self.nurseries);
        let running = all.filter_map(|(process, nursery)| process.as_ref().and(Some(*nursery)));
        self.spent = running.collect();
    }

    fn call(&mut self, call: &Call, path: Option<&Path>, desk: &mut Desk<'_>) -> Outcome {
        let number = call.process;
        if let Err(outcome) = self.ready(number) {
            return outcome;
        }
        let with = arguments(call, path);
        let place = &mut self.processes[number - 1];
        let outcome = match place {
            Some(process) => {
                process.send_call(call, &with);
                process.receive_at(desk, self.interrupt)
            }
            None => unreachable!("the process was started above"),
        };
        if spoils(&outcome) {
            *place = None;
        }
        outcome
    }

    /// Ends every process that cannot be spoken with any more.
    fn drop_spoilt(&mut self, outcomes: &[Outcome]) {
        for (place, outcome) in self.processes.iter_mut().zip(outcomes) {
            if spoils(outcome) {
                *place = None;
            }
        }
    }
}

/// Tells whether a process must not be used again after an outcome.
fn spoils(outcome: &Outcome) -> bool {
    !matches!(outcome, Outcome::Returned(_) | Outcome::Raised { .. })
}

/// Gathers the arguments of a call; the path of the database where there is one.
fn arguments(call: &Call, path: Option<&Path>) -> Map<String, Value> {
    many_arguments(call, 1, path)
}

/// Gathers the arguments of a call, with `times` as much of those that the lab makes.
fn many_arguments(call: &Call, times: u64, path: Option<&Path>) -> Map<String, Value> {
    let mut with = Map::new();
    if let Some(path) = path {
        with.insert("path".to_owned(), path.to_string_lossy().into());
    }
    with.extend(call.arguments(times));
    with
}

/// One test being run: a subject and a fresh database.
#[derive(Debug)]
pub struct Session<'s, 'a> {
    subject: &'s mut Subject<'a>,
    store: Store,
    /// Whether the lab has tables: only then is a call told where the database is.
    has_store: bool,
    folder: std::path::PathBuf,
    /// The tables as the last line left them.
    tables: Dump,
}

impl<'s, 'a> Session<'s, 'a> {
    /// Sets up a test's database under a path never used before.
    ///
    /// # Errors
    ///
    /// Returns why the set-up failed: a fault of the test or of the machine, not the subject's.
    pub fn open(
        subject: &'s mut Subject<'a>,
        scratch: &Scratch,
        tables: &[Table],
        test: &Test,
    ) -> Result<Self, String> {
        let cell = subject.launch.cell().cloned();
        let fresh = cell
            .as_ref()
            .map_or_else(|| scratch.fresh(), |cell| cell.fresh());
        let folder = fresh.map_err(|error| format!("failed to make a scratch folder: {error}"))?;
        let limit = if cell.is_some() { SHORT_LIMIT } else { LIMIT };
        let store = Store::create(&folder, tables, test, subject.interrupt, limit)?;
        if let Some(cell) = &cell {
            // The file first: once the folder is the program's, anything may lie in it.
            let given = cell.give(store.path()).and_then(|()| cell.give(&folder));
            given.map_err(|error| format!("failed to give a scratch folder away: {error}"))?;
        }
        let has_store = !tables.is_empty();
        let tables = store.dump();
        subject.new_test();
        Ok(Self {
            subject,
            store,
            has_store,
            folder,
            tables,
        })
    }

    /// Runs one line and says what was seen.
    pub fn run(&mut self, line: &Line) -> LineSeen {
        let before = self.tables.clone();
        let mut held = Duration::ZERO;
        let mut waiting = None;
        let mut waited = false;
        let mut desk = Desk::of(&line.callbacks);
        let seen = match &line.action {
            Action::Call { call, .. } => {
                let path = path(self.has_store, &self.store);
                let outcome = self.subject.call(call, path, &mut desk);
                self.answered(vec![outcome], None)
            }
            Action::Rows(tables) => self.rows(tables.iter().map(|rows| rows.table.as_str())),
            Action::Query { sql, .. } => match self.store.query(sql) {
                Ok(rows) => Seen::Answer(rows),
                Err(words) => Seen::Refused(words),
            },
            Action::Sql(sql) | Action::Refused(sql) => self.statement(sql),
            Action::Forced(forced) => self.forced(forced, &mut held, &mut waiting, &mut desk),
            Action::Kill(call) => self.kill(call, &mut held),
            Action::KillDuring { call, callback } => self.kill_during(call, callback, &mut desk),
            Action::Gate(gate) => {
                let seen;
                (seen, waited) = self.gate(gate, &mut desk, &mut held);
                seen
            }
            Action::Growth(growth) => self.growth(growth),
            Action::Memory(memory) => self.memory(memory),
            Action::Each(each) => {
                let mut outcomes = Vec::new();
                for (_, call, _) in &each.calls {
                    let path = path(self.has_store, &self.store);
                    outcomes.push(self.subject.call(call, path, &mut desk));
                    if outcomes.last().is_some_and(spoils) {
                        break;
                    }
                }
                self.answered(outcomes, None)
            }
        };
        LineSeen {
            line: line.number,
            seen,
            before,
            after: self.tables.clone(),
            held,
            waiting,
            asked: desk.close(),
            waited,
        }
    }

    /// Looks at what the calls left behind.
    fn answered(&mut self, outcomes: Vec<Outcome>, unforced: Option<String>) -> Seen {
        self.store.follow();
        let (left_locked, tables) = self.store.look();
        self.tables = tables;
        Seen::Outcomes {
            outcomes,
            left_locked,
            unforced,
        }
    }

    fn rows<'t>(&self, tables: impl Iterator<Item = &'t str>) -> Seen {
        let mut dump = Dump::new();
        for table in tables {
            match self.store.rows(table) {
                Ok(rows) => dump.push(crate::model::TableRows {
                    table: table.to_owned(),
                    rows,
                }),
                Err(words) => return Seen::Refused(words),
            }
        }
        Seen::Rows(dump)
    }

    /// Runs a statement of the lab.
    fn statement(&mut self, sql: &str) -> Seen {
        let ran = self.store.run(sql);
        self.tables = self.store.dump();
        match ran {
            Ok(()) => Seen::Ran,
            Err(words) => Seen::Refused(words),
        }
    }

    /// Makes calls from several processes, under the lab's lock if the script says so.
    fn forced(
        &mut self,
        forced: &Forced,
        held: &mut Duration,
        waiting: &mut Option<usize>,
        desk: &mut Desk<'_>,
    ) -> Seen {
        let count = forced.calls.len();
        if let Err(outcome) = self.subject.ready(count) {
            return self.answered(vec![outcome; count], None);
        }
        let mut unforced = None;
        if forced.held
            && let Err(words) = self.change_under_lock(&forced.meanwhile)
        {
            self.store.release();
            return Seen::Refused(words);
        }
        let interrupt = self.subject.interrupt;
        let path = path(self.has_store, &self.store).map(Path::to_owned);
        let mut processes: Vec<&mut Process> = self
            .subject
            .processes
            .iter_mut()
            .take(count)
            .flatten()
            .collect();
        for (process, call) in processes.iter_mut().zip(&forced.calls) {
            process.send_call(call, &arguments(call, path.as_deref()));
        }
        let mut at_commit = None;
        if forced.held {
            let start = Instant::now();
            schedule::wait_until_all_looked(
                processes.iter_mut().map(|process| &mut **process),
                schedule::PATIENCE,
                interrupt,
            );
            if forced.at_once > 0 {
                let (enough, patience) = (forced.at_once, schedule::MANY);
                *waiting = schedule::most_at_once(&mut processes, enough, patience, interrupt);
            }
            at_commit = Some(self.store.dump());
            if let Err(words) = commit(&self.store) {
                unforced = Some(format!("the lab's own commit was refused: {words}"));
            }
            *held = start.elapsed();
        }
        let calls_back = forced.calls.iter().any(|call| !call.callbacks.is_empty());
        let seen: Vec<Outcome> = if calls_back {
            gate::all_answers(&mut processes, desk, interrupt)
        } else {
            let all = processes.iter_mut();
            all.map(|process| process.receive(interrupt)).collect()
        };
        if !forced.patient && gave_up(&seen, at_commit.as_ref(), &self.store.dump()) {
            unforced.get_or_insert_with(|| "the call gave up on the lock".to_owned());
        }
        self.subject.drop_spoilt(&seen);
        self.answered(seen, unforced)
    }

    /// Opens the transaction that holds the lock, with the lab's change inside.
    fn change_under_lock(&self, meanwhile: &[String]) -> Result<(), String> {
        self.store.lock()?;
        meanwhile.iter().try_for_each(|sql| self.store.run(sql))
    }

    /// Kills the subject once it has held the write lock for longer than a commit of one row takes.
    ///
    /// Killed at the first sight of the lock, a subject that commits row by row would seldom
    /// have come to its first commit, and pass for one that does not.
    fn kill(&mut self, call: &Call, held: &mut Duration) -> Seen {
        if let Err(outcome) = self.subject.ready(1) {
            return self.answered(vec![outcome], None);
        }
        let interrupt = self.subject.interrupt;
        let (store, path) = (&self.store, path(self.has_store, &self.store));
        let mut outcome = Outcome::Killed;
        let mut unforced = None;
        if let Some(process) = &mut self.subject.processes[0] {
            process.send_call(call, &arguments(call, path));
            let mut since: Option<Instant> = None;
            let inside = schedule::wait_until(process, schedule::PATIENCE, interrupt, || {
                since = store
                    .is_locked()
                    .then(|| since.unwrap_or_else(Instant::now));
                since.is_some_and(|since| since.elapsed() >= SETTLED)
            });
            *held = since.map_or(Duration::ZERO, |since| since.elapsed());
            if !inside {
                unforced = Some("the call was over before it could be killed".to_owned());
                if process.has_answered() {
                    outcome = process.receive(interrupt);
                }
            }
        }
        self.subject.processes[0] = None;
        self.answered(vec![outcome], unforced)
    }
}

impl Session<'_, '_> {
    /// Measures a call with more and more input, until one pair of sizes is settled as too dear.
    fn growth(&mut self, growth: &Growth) -> Seen {
        let mut pairs = Vec::new();
        let ended = self.pairs(growth, &mut pairs).err();
        if ended.as_ref().is_some_and(spoils) {
            self.subject.processes[0] = None;
        }
        Seen::Grown { pairs, ended }
    }

    fn pairs(&mut self, growth: &Growth, pairs: &mut Vec<cost::Pair>) -> Result<(), Outcome> {
        self.subject.ready(1)?;
        let path = path(self.has_store, &self.store);
        let interrupt = self.subject.interrupt;
        let Some(process) = &mut self.subject.processes[0] else {
            unreachable!("the process was started above");
        };
        let call = &growth.call;
        let measured = |times: u64| cost::Measured {
            function: &call.function,
            with: many_arguments(call, times, path),
            events: call.events(times),
        };
        let mut sizes = growth.times.iter().map(|times| measured(*times));
        let Some(mut small) = sizes.next() else {
            return Ok(());
        };
        for large in sizes {
            let (pair, ended) =
                cost::compare(process, (&small, &large), growth.at_most, interrupt)?;
            let is_over = pair.is_over(growth.at_most);
            pairs.push(pair);
            if let Some(ended) = ended {
                return Err(ended);
            }
            if is_over {
                break;
            }
            small = large;
        }
        Ok(())
    }

    /// Looks at the memory of two calls until a try shows that one needs less, or there were enough.
    fn memory(&mut self, memory: &Memory) -> Seen {
        let (mut tries, mut ended) = (Vec::new(), None);
        let less = memory.at_least * memory.call.events(1);
        for _ in 0..cost::ROUNDS {
            let pair = self.needed(&memory.call).and_then(|call| {
                let against = self.needed(&memory.against)?;
                Ok(call.zip(against))
            });
            match pair {
                Ok(None) => break,
                Ok(Some((call, against))) => {
                    tries.push((call, against));
                    if against.saturating_sub(call) >= less {
                        break;
                    }
                }
                Err(outcome) => {
                    ended = Some(outcome);
                    break;
                }
            }
        }
        Seen::Needed { tries, ended }
    }

    /// Makes a call in a process of its own, and returns the most memory that it needed.
    fn needed(&self, call: &Call) -> Result<Option<u64>, Outcome> {
        let Subject {
            launch,
            limits,
            interrupt,
            ..
        } = *self.subject;
        let mut process = launch.measured().start(limits, interrupt)?;
        let with = arguments(call, path(self.has_store, &self.store));
        process.memory_of(&call.function, &with, interrupt)
    }
}

/// Returns what a call is told of the database: nothing in a lab without tables.
fn path(has_store: bool, store: &Store) -> Option<&Path> {
    has_store.then(|| store.path())
}

impl Drop for Session<'_, '_> {
    fn drop(&mut self) {
        // Most tests leave one file; asking what else there is costs more than removing it.
        let _ = std::fs::remove_file(self.store.path());
        if std::fs::remove_dir(&self.folder).is_err() {
            let _ = std::fs::remove_dir_all(&self.folder);
        }
    }
}

/// Tells whether a call gave up on the lock: a right answer, as long as nothing was changed by it.
///
/// Where several calls share the lock, the others may well have changed something.
fn gave_up(outcomes: &[Outcome], at_commit: Option<&Dump>, after: &Dump) -> bool {
    let unchanged = outcomes.len() > 1 || at_commit.is_none_or(|rows| rows == after);
    unchanged && outcomes.iter().any(Outcome::is_locked)
}

/// Commits the lab's change, trying again for a moment while a reader stands in the way.
fn commit(store: &Store) -> Result<(), String> {
    try_for(Duration::from_millis(200), || store.commit()).inspect_err(|_| store.release())
}

/// Does what may fail again and again, until it succeeds or `limit` is over.
fn try_for(limit: Duration, mut attempt: impl FnMut() -> Result<(), String>) -> Result<(), String> {
    let start = Instant::now();
    loop {
        match attempt() {
            Ok(()) => return Ok(()),
            Err(words) if start.elapsed() >= limit => return Err(words),
            Err(_) => std::thread::sleep(Duration::from_millis(1)),
        }
    }
}

#[cfg(all(test, unix))]
mod tests;
