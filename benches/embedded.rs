//! What the lab costs on top of the calls it makes, as ratios within one run.
//!
//! `cargo bench --bench embedded`. These machines are noisy: read the ratios, and the best of
//! several rounds. A forced wait is reported apart.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use idemlab::event::SubjectReport;
use idemlab::lab::Bench;
use idemlab::model::{Action, Cell, Lab, Origin, Start, Test, Track};
use idemlab::pack;
use idemlab::run::track::rust::{InProcess, use_program};
use idemlab::run::{Interrupt, Scratch};

const ROUNDS: usize = 15;

fn main() {
    use_program(env!("CARGO_BIN_EXE_idemlab"));
    let mut pack = pack::shipped().expect("the shipped pack is whole");
    let mut lab = pack.labs.remove(0);
    // The catalogue would only repeat what the worksheet's eight show.
    lab.mutants
        .retain(|mutant| mutant.origin == Origin::Worksheet);
    let lab = lab;
    let bench = Bench::new(&lab, Track::Rust, Interrupt::default()).expect("there is scratch");
    let tests: Vec<&Test> = lab.tests_in(Track::Rust).collect();
    let mutant = lab.worksheet_mutant(2).expect("step 2 has a mutant");

    // The same calls on both sides: what waits on purpose is measured apart.
    let plain: Vec<&Test> = tests
        .iter()
        .copied()
        .filter(|test| !test.is_forced())
        .collect();
    let run_of = |tests: &[&Test]| {
        let report = bench
            .mutant(mutant, tests, &|_| {})
            .expect("it runs")
            .report;
        report.expect("it builds").took
    };
    let calls = best(|| in_process(&lab, &plain));
    let without = best(|| bench.reference(&plain, &|_| {}).expect("it runs").took);
    let run = best(|| run_of(&plain));
    let reference = best(|| bench.reference(&tests, &|_| {}).expect("it runs").took);
    let whole = best(|| run_of(&tests));
    let held = held(&bench.reference(&tests, &|_| {}).expect("it runs"));
    let line = |what: &str, time: Duration, more: String| {
        println!("{what:<44}{:>8.1} ms   {more}", ms(time));
    };
    let times = |time| format!("{:.2} times the calls", ratio(time, calls));
    line(
        &format!("the calls of {} tests, in process", plain.len()),
        calls,
        String::new(),
    );
    line(
        "the reference over them, in the lab",
        without,
        times(without),
    );
    line("one mutant over them, in the lab", run, times(run));
    line(
        &format!("one mutant over all {}, forced ones beside", tests.len()),
        whole,
        String::new(),
    );
    line("of it locks held on purpose", held, String::new());

    let mutants = u32::try_from(lab.mutants.len()).expect("not that many");
    let matrix = best(|| bench.matrix(&|_| {}).expect("it runs").took);
    let each = (matrix.saturating_sub(reference)) / mutants;
    println!(
        "matrix, per mutant on all cores   {:>8.1} ms   {:.2} times the baseline",
        ms(each),
        ratio(each, reference)
    );

    println!(
        "an interrupt until all is ended    {:>8.1} ms",
        ms(worst(|| interrupted(&lab, &tests)))
    );
    let start = best(|| program(&["--plain"]));
    println!("start to first lines (plain)      {:>8.1} ms", ms(start));
    let frame = best(first_frame);
    println!("start to first screen             {:>8.1} ms", ms(frame));
    println!("memory at its highest, matrix     {:>8.1} MiB", memory());
}

fn best(mut round: impl FnMut() -> Duration) -> Duration {
    (0..ROUNDS).map(|_| round()).min().unwrap_or_default()
}

fn worst(mut round: impl FnMut() -> Duration) -> Duration {
    (0..ROUNDS).map(|_| round()).max().unwrap_or_default()
}

/// Times how long a run goes on after it was asked to stop, subjects ended and all.
fn interrupted(lab: &Lab, tests: &[&Test]) -> Duration {
    let interrupt = Interrupt::default();
    let bench = Bench::new(lab, Track::Rust, interrupt.clone()).expect("there is scratch");
    let raised = std::sync::Mutex::new(None);
    let stop = |_| {
        interrupt.raise();
        if let Ok(mut raised) = raised.lock() {
            raised.get_or_insert_with(Instant::now);
        }
    };
    assert!(
        bench.reference(tests, &stop).is_err(),
        "the run was stopped"
    );
    raised
        .into_inner()
        .ok()
        .flatten()
        .map_or(Duration::ZERO, |raised| raised.elapsed())
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn ratio(time: Duration, to: Duration) -> f64 {
    time.as_secs_f64() / to.as_secs_f64()
}

fn held(report: &SubjectReport) -> Duration {
    report.tests.iter().map(|test| test.held).sum()
}

/// Times the calls of all tests alone, on the same tables; the set-up is not counted.
fn in_process(lab: &Lab, tests: &[&Test]) -> Duration {
    let source = lab.source(Track::Rust).expect("the lab has a Rust track");
    let subject = InProcess::of(&source.text).expect("the reference is compiled in");
    let scratch = Scratch::new().expect("there is scratch");
    let mut spent = Duration::ZERO;
    for test in tests {
        let folder = scratch.fresh().expect("there is scratch");
        let path = folder.join("store.db");
        set_up(lab, test, &path);
        for line in &test.script {
            let Action::Call { call, .. } = &line.action else {
                continue;
            };
            let mut with = call.with.clone();
            with.insert("path".to_owned(), path.to_string_lossy().into());
            let start = Instant::now();
            let _ = subject.call(&call.function, &with);
            spent += start.elapsed();
        }
        let _ = fs::remove_dir_all(folder);
    }
    spent
}

fn set_up(lab: &Lab, test: &Test, path: &Path) {
    if test.start == Start::Nothing {
        return;
    }
    let db = rusqlite::Connection::open(path).expect("SQLite opens");
    for table in &lab.tables {
        db.execute_batch(&table.create).expect("the table is made");
    }
    for given in &test.given {
        for row in &given.rows {
            let cells: Vec<String> = row.iter().map(literal).collect();
            let sql = format!("INSERT INTO {} VALUES({})", given.table, cells.join(","));
            db.execute_batch(&sql).expect("the row is given");
        }
    }
    for line in &test.script {
        if let Action::Sql(sql) = &line.action {
            // Some set-ups follow a call; here they only have to fill the table.
            let _ = db.execute_batch(sql);
        }
    }
}

fn literal(cell: &Cell) -> String {
    match cell {
        Cell::Integer(number) => number.to_string(),
        Cell::Real(number) => number.to_string(),
        Cell::Text(text) => format!("'{}'", text.replace('\'', "''").replace('\0', "")),
        Cell::Json(value) => format!("'{}'", value.to_string().replace('\'', "''")),
        Cell::Null | Cell::Blob(_) => "NULL".to_owned(),
    }
}

/// Times the program from its start to its end, with no input.
fn program(arguments: &[&str]) -> Duration {
    let folder = tempfile::tempdir().expect("there is a temporary folder");
    let start = Instant::now();
    let status = Command::new(env!("CARGO_BIN_EXE_idemlab"))
        .args(arguments)
        .arg("--progress")
        .arg(folder.path().join("progress.db"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status();
    assert!(status.expect("the program starts").success());
    start.elapsed()
}

/// Times the program from its start to the first whole screen, its last line included.
fn first_frame() -> Duration {
    use portable_pty::{CommandBuilder, PtySize, native_pty_system};
    use std::io::Read as _;
    let folder = tempfile::tempdir().expect("there is a temporary folder");
    let size = PtySize {
        rows: 24,
        cols: 80,
        pixel_width: 0,
        pixel_height: 0,
    };
    let terminal = native_pty_system()
        .openpty(size)
        .expect("there is a terminal");
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_idemlab"));
    command.arg("--progress");
    command.arg(folder.path().join("progress.db"));
    command.env("TERM", "xterm");
    let mut reader = terminal.master.try_clone_reader().expect("it can be read");
    let start = Instant::now();
    let mut child = terminal
        .slave
        .spawn_command(command)
        .expect("the program starts");
    let mut seen = Vec::new();
    let mut buffer = [0; 4096];
    while !String::from_utf8_lossy(&seen).contains("quit") {
        match reader.read(&mut buffer) {
            Ok(read @ 1..) => seen.extend_from_slice(&buffer[..read]),
            _ => break,
        }
    }
    let took = start.elapsed();
    let _ = child.kill();
    let _ = child.wait();
    took
}

/// Measures the most memory that the program itself held while it ran a matrix, in MiB.
fn memory() -> f64 {
    let mut child = Command::new(env!("CARGO_BIN_EXE_idemlab"))
        .args(["matrix", "retention"])
        .stdout(Stdio::null())
        .spawn()
        .expect("the program starts");
    let status = format!("/proc/{}/status", child.id());
    let mut highest = 0.0_f64;
    while let Ok(None) = child.try_wait() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<f64>().ok());
        highest = highest.max(kib.unwrap_or(0.0) / 1024.0);
        std::thread::yield_now();
    }
    highest
}
