//! The real program in a real terminal: a whole walk, every size, every way out.
//!
//! Nothing here sleeps to wait: each step waits for what the screen shows.

#![cfg(unix)]

#[path = "pty/terminal.rs"]
mod terminal;

use portable_pty::CommandBuilder;
use rustix::process::Signal;
use terminal::Terminal;

const ESC: &str = "\x1b";
const DOWN: &str = "\x1b[B";

/// Opens the first step; where there is a choice of languages, in the one that is marked.
fn start(lab: &mut Terminal) {
    lab.see("↵ start").send("\r");
    lab.wait("a contract or a choice", |screen| {
        let text = screen.contents();
        text.contains("[Contract]") || text.contains("(•) rust")
    });
    if !lab.text().contains("[Contract]") {
        lab.send("\r").see("[Contract]");
    }
}

/// Opens step 2 and answers its questions, up to the last one.
fn to_the_last_question(lab: &mut Terminal) {
    start(lab);
    lab.send("2")
        .see("step 2 of 8")
        .send("\r")
        .see("[Fragment]");
    lab.send("\r")
        .see("One line of your own")
        .send("the old row is gone\r");
    lab.see("Where would it be seen?").send(DOWN).send("\r");
    lab.see("Which of these tests")
        .send(DOWN)
        .send(DOWN)
        .send(" ")
        .see("1 of ");
    lab.send("\r").see("How sure are you?");
}

#[test]
fn a_whole_walk_of_eight_steps() {
    let mut lab = Terminal::lab(80, 24);
    lab.see("↵ start").send("\r");
    for step in 1..=8 {
        lab.see(&format!("step {step} of 8")).see("[Contract]");
        lab.send("\r")
            .see("[Fragment]")
            .send("\r")
            .see("One line of your own");
        lab.send(&format!("열쇠 {step}\r"))
            .see("Where would it be seen?");
        lab.send("\r")
            .see("Which of these tests")
            .send(" ")
            .see("1 of ");
        lab.send("\r").see("How sure are you?").send("\r");
        lab.see("The run  ")
            .send("\r")
            .see("What did you actually see?");
        lab.see("ctrl-c quit").send("as the run says\r");
    }
    lab.see("All 8 steps are done")
        .send("\r")
        .see("ctrl-c quit")
        .send("one\r");
    lab.see("> one")
        .send("two\r")
        .see("> two")
        .send("three\r")
        .see("write an answer");
    lab.send("x").see("written to idemlab-retention-answers.md");
    lab.send("x")
        .see("written to idemlab-retention-answers-2.md");
    lab.send("q");
    assert_eq!(lab.exit(), 0);
    lab.assert_restored();
    let answers = lab.folder.path().join("idemlab-retention-answers.md");
    let answers = std::fs::read_to_string(answers).unwrap();
    for part in ["열쇠 8", "as the run says", "three", "The run: caught by"] {
        assert!(answers.contains(part), "{part}\n{answers}");
    }
    assert_walk_is_stored(&lab);
    let screen = stored(&lab.folder.path().join("progress.db"));
    assert_eq!(screen, stored(&plain_walk(lab.folder.path())));
}

/// Walks in plain lines with the same answers; returns the progress file.
fn plain_walk(folder: &std::path::Path) -> std::path::PathBuf {
    use std::io::Write as _;
    let progress = folder.join("plain.db");
    let mut lab = std::process::Command::new(env!("CARGO_BIN_EXE_idemlab"))
        .args(["--plain", "--progress"])
        .arg(&progress)
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let steps = (1..=8).map(|step| format!("열쇠 {step}\n1\n\na\n1\nas the run says\n\n"));
    let answers = format!("\n{}one\ntwo\nthree\n", steps.collect::<String>());
    lab.stdin
        .take()
        .unwrap()
        .write_all(answers.as_bytes())
        .unwrap();
    assert!(lab.wait().unwrap().success());
    progress
}

/// Everything a walk leaves in a progress file, but for the times.
fn stored(progress: &std::path::Path) -> Vec<String> {
    let db = rusqlite::Connection::open(progress).unwrap();
    let mut all = Vec::new();
    for sql in [
        "SELECT json_array(lab, track, mutant, step, attempt, observation, seen_in, tests, sure, unknown)
         FROM predictions ORDER BY id",
        "SELECT json_array(prediction, verdict, cells) FROM runs ORDER BY prediction",
        "SELECT json_array(prediction, text) FROM sightings ORDER BY prediction",
        "SELECT json_array(lab, task, text) FROM answers ORDER BY task",
    ] {
        let mut select = db.prepare(sql).unwrap();
        let rows = select.query_map([], |row| row.get::<_, String>(0)).unwrap();
        all.extend(rows.map(Result::unwrap));
    }
    assert_eq!(all.len(), 8 + 8 + 8 + 3);
    all
}

fn assert_walk_is_stored(lab: &Terminal) {
    let db = rusqlite::Connection::open(lab.folder.path().join("progress.db")).unwrap();
    let count = |sql: &str| db.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!(count("SELECT COUNT(*) FROM predictions WHERE attempt=1"), 8);
    assert_eq!(count("SELECT COUNT(*) FROM predictions"), 8);
    assert_eq!(count("SELECT COUNT(*) FROM runs WHERE verdict='caught'"), 8);
    assert_eq!(count("SELECT COUNT(*) FROM sightings"), 8);
    assert_eq!(count("SELECT COUNT(*) FROM answers"), 3);
}

#[test]
fn the_lab_opens_again_where_it_was_left() {
    let mut lab = Terminal::lab(80, 24);
    to_the_last_question(&mut lab);
    lab.send("\r").see("The run  ").send("q");
    assert_eq!(lab.exit(), 0);
    let progress = lab.folder.path().join("progress.db");
    let mut again = Terminal::with_progress(80, 24, &progress);
    again.see("you are at step 2, reserve: Result").send("\r");
    // The run is repeated, so that its tests can be looked at; nothing new is stored.
    again.see("You said   c").see("The run  ").send("q");
    assert_eq!(again.exit(), 0);
    let db = rusqlite::Connection::open(&progress).unwrap();
    let count = |sql: &str| db.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!(count("SELECT COUNT(*) FROM predictions"), 1);
}

#[test]
fn the_first_page_marks_the_lab_to_go_on_with() {
    let place = tempfile::tempdir().unwrap();
    let progress = place.path().join("progress.db");
    let mut lab = Terminal::with_progress(80, 24, &progress);
    // A newcomer begins with the first of the suggested order.
    lab.see("▸ invoice").send(DOWN).see("▸ inbox");
    start(&mut lab);
    lab.send("q");
    assert_eq!(lab.exit(), 0);
    let mut again = Terminal::with_progress(80, 24, &progress);
    again
        .see("▸ inbox")
        .see("↵ go on where you stopped")
        .send("q");
    assert_eq!(again.exit(), 0);
    // In a folder of one's own it is the lab of that folder.
    std::fs::write(
        place.path().join("idemlab.yaml"),
        "lab: charge\ntrack: rust\n",
    )
    .unwrap();
    let mut command = CommandBuilder::new("/bin/sh");
    command.args(["-c", r#"cd "$PLACE" && exec "$LAB" --progress progress.db"#]);
    command.env("PLACE", place.path());
    command.env("LAB", env!("CARGO_BIN_EXE_idemlab"));
    let mut there = Terminal::run(80, 24, command);
    there.see("▸ charge").send("q");
    assert_eq!(there.exit(), 0);
}

#[test]
fn every_view_survives_every_size() {
    let mut lab = Terminal::lab(80, 24);
    let sizes = |lab: &mut Terminal, text: &str| {
        for (columns, rows) in [
            (60, 20),
            (200, 60),
            (1, 1),
            (7, 3),
            (59, 19),
            (300, 100),
            (80, 24),
        ] {
            lab.resize(columns, rows);
            if columns >= 60 && rows >= 20 {
                lab.see(text);
            }
        }
    };
    lab.see("↵ start");
    sizes(&mut lab, "retention");
    lab.send("\r").see("[Contract]");
    sizes(&mut lab, "[Contract]");
    lab.send("\r").see("[Fragment]");
    sizes(&mut lab, "[Fragment]");
    lab.send("\r").see("[Predict]");
    sizes(&mut lab, "> ");
    lab.send("twice\r").see("Where would it be seen?");
    sizes(&mut lab, "returned value");
    lab.send("\r").see("Which of these tests");
    sizes(&mut lab, "[ ]  a");
    lab.send("v").see("Test a");
    sizes(&mut lab, "Test a");
    lab.send("\rp").see("rows before");
    sizes(&mut lab, "rows before");
    lab.send(ESC).see("[ ]  a").send("\r").see("How sure");
    sizes(&mut lab, "How sure");
    lab.send("\r").see("The run  ");
    sizes(&mut lab, "The run  ");
    lab.send("m").see("mine");
    sizes(&mut lab, "mine");
    lab.send("?").see("Keys at");
    sizes(&mut lab, "Keys at");
    lab.send("q");
    assert_eq!(lab.exit(), 0);
    lab.assert_restored();
}

#[test]
fn escape_stops_a_run_and_the_prediction_stays() {
    let mut lab = Terminal::lab(80, 24);
    to_the_last_question(&mut lab);
    lab.send("\r\x1b");
    // Either it was stopped, or it was over before the key came.
    lab.wait("a result or a stop", |screen| {
        let text = screen.contents();
        text.contains("has not been run yet") || text.contains("idemlab · predict, run, compare")
    });
    lab.send("q");
    assert_eq!(lab.exit(), 0);
    lab.assert_restored();
    let db = rusqlite::Connection::open(lab.folder.path().join("progress.db")).unwrap();
    let count: i64 = db
        .query_row("SELECT COUNT(*) FROM predictions", [], |row| row.get(0))
        .unwrap();
    assert_eq!(count, 1);
}

#[test]
fn q_gives_the_terminal_back() {
    let mut lab = Terminal::lab(80, 24);
    lab.see("↵ start").send("q");
    assert_eq!(lab.exit(), 0);
    lab.assert_restored();
}

#[test]
fn ctrl_c_gives_the_terminal_back_from_a_text_too() {
    let mut lab = Terminal::lab(80, 24);
    lab.see("↵ start")
        .send("\r")
        .see("[Contract]")
        .send("\r")
        .see("[Fragment]");
    lab.send("\r")
        .see("One line of your own")
        .send("q")
        .see("> q")
        .send("\x03");
    assert_eq!(lab.exit(), 0);
    lab.assert_restored();
}

#[test]
fn ctrl_c_during_a_run_is_an_interruption() {
    let mut lab = Terminal::lab(80, 24);
    to_the_last_question(&mut lab);
    lab.send("\r\x03");
    // The run may be over before the key comes; then it is a plain way out.
    assert!(matches!(lab.exit(), 0 | 6));
    lab.assert_restored();
}

#[test]
fn signals_give_the_terminal_back() {
    for signal in [Signal::TERM, Signal::HUP, Signal::INT] {
        let mut lab = Terminal::lab(80, 24);
        lab.see("↵ start").signal(signal);
        assert_eq!(lab.exit(), 6, "{signal:?}");
        lab.assert_restored();
    }
}

#[test]
fn a_signal_during_a_run_leaves_nothing_running() {
    let mut lab = Terminal::lab(80, 24);
    to_the_last_question(&mut lab);
    lab.send("\r")
        .see_no_more("How sure are you?")
        .signal(Signal::TERM);
    assert_eq!(lab.exit(), 6);
    lab.assert_restored();
}

#[test]
fn a_killed_screen_has_kept_what_it_showed() {
    for shown in ["", "no question", "The run  "] {
        let mut lab = Terminal::lab(80, 24);
        to_the_last_question(&mut lab);
        lab.send("\r");
        match shown {
            "" => {}
            "no question" => drop(lab.see_no_more("How sure are you?")),
            text => drop(lab.see(text)),
        }
        lab.signal(Signal::KILL);
        lab.exit();
        let progress = lab.folder.path().join("progress.db");
        let mut again = Terminal::with_progress(80, 24, &progress);
        again.see("q quit").send("q");
        assert_eq!(again.exit(), 0);
        let db = rusqlite::Connection::open(&progress).unwrap();
        let count = |sql: &str| db.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
        let kept = count("SELECT COUNT(*) FROM predictions");
        // A run is shown only after its prediction was kept; before, either may have come first.
        assert!(
            kept == 1 || (kept == 0 && shown != "The run  "),
            "{shown}: {kept}"
        );
        assert_eq!(
            count("SELECT COUNT(*) FROM pragma_integrity_check WHERE integrity_check='ok'"),
            1
        );
    }
}

#[test]
fn a_closed_terminal_ends_the_program_and_its_runs() {
    let mut lab = Terminal::lab(80, 24);
    to_the_last_question(&mut lab);
    lab.send("\r").see_no_more("How sure are you?").close();
    lab.exit();
    lab.assert_nothing_runs();
}

#[cfg(debug_assertions)]
#[test]
fn a_panic_gives_the_terminal_back_and_says_so() {
    let mut lab = Terminal::with(80, 24, |command| command.env("IDEMLAB_TEST_PANIC", "1"));
    lab.see("↵ start").send("\x1b[24~");
    assert_eq!(lab.exit(), 70);
    lab.assert_restored();
    assert!(lab.text().contains("a test asked for this"));
}

#[test]
fn a_pause_and_its_end_give_the_terminal_and_take_it_again() {
    let mut shell = CommandBuilder::new("/bin/bash");
    shell.args(["--norc", "--noprofile", "-i"]);
    shell.env("PS1", "ready> ");
    shell.env("LAB", env!("CARGO_BIN_EXE_idemlab"));
    let mut lab = Terminal::run(80, 24, shell);
    lab.see("ready>")
        .send("$LAB --progress p.db\r")
        .see("↵ start")
        .send("\r")
        .see("[Contract]");
    for _ in 0..2 {
        lab.send("\x1a");
        lab.wait("the shell is back", |screen| {
            !screen.alternate_screen() && screen.contents().trim_end().ends_with("ready>")
        });
        lab.send("fg\r");
        lab.wait("the lab is back", |screen| {
            screen.alternate_screen() && screen.contents().contains("[Contract]")
        });
        lab.send("\r").see("[Fragment]").send(ESC).see("[Contract]");
    }
    lab.send("q");
    lab.wait("the shell is back", |screen| {
        !screen.alternate_screen() && screen.contents().trim_end().ends_with("ready>")
    });
    lab.send("echo code $?\r").see("code 0").send("exit\r");
    assert_eq!(lab.exit(), 0);
    lab.assert_nothing_runs();
}

#[test]
fn an_editor_has_the_terminal_for_itself_and_its_text_is_run() {
    let mut lab = Terminal::with(80, 24, |command| {
        command.env("PATH", std::env::var("PATH").unwrap_or_default());
        // An editor that waits for a line, and writes a test of its own.
        command.env(
            "EDITOR",
            r#"sh -c 'echo editing; read line; printf "script:\n  - call: reserve\n    with: {key: k, digest: $line, expires: 5}\n    returns: true\n" > "$1"' --"#,
        );
    });
    to_the_last_question(&mut lab);
    lab.send(ESC)
        .see("[ ]  a")
        .send("p")
        .see("rows before")
        .send("\x05");
    lab.wait("the editor", |screen| {
        !screen.alternate_screen() && screen.contents().contains("editing")
    });
    lab.send("typed\r")
        .see("it misses the wrong change")
        .see("reserve(k, typed, 5)");
    lab.send("q");
    assert_eq!(lab.exit(), 0);
    lab.assert_restored();
}

#[test]
fn a_paste_is_text_and_its_line_ends_are_no_keys() {
    let mut lab = Terminal::lab(80, 24);
    lab.see("↵ start")
        .send("\x1b[200~q\r\r\x1b[201~")
        .send("\r")
        .see("[Contract]");
    lab.send("\r")
        .see("[Fragment]")
        .send("\r")
        .see("One line of your own");
    lab.send("\x1b[200~one\rtwo q\x1b[201~").see("> one two q");
    lab.send("\x03");
    assert_eq!(lab.exit(), 0);
}

#[test]
fn a_progress_file_of_a_later_program_is_named_and_the_lab_opens() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("later.db");
    let db = rusqlite::Connection::open(&path).unwrap();
    db.execute_batch("PRAGMA application_id=0x6964656d; PRAGMA user_version=99; CREATE TABLE x(y)")
        .unwrap();
    drop(db);
    let mut lab = Terminal::with_progress(80, 24, &path);
    lab.see("schema 99")
        .see("↵ start")
        .send(ESC)
        .see_no_more("schema 99")
        .send("q");
    assert_eq!(lab.exit(), 0);
}

#[test]
fn without_colours_nothing_is_coloured() {
    let mut lab = Terminal::with(80, 24, |command| command.env("NO_COLOR", "1"));
    to_the_last_question(&mut lab);
    lab.send("\r").see("The run  ");
    lab.wait("no colours", |screen| {
        (0..24).all(|row| {
            (0..80).all(|column| {
                screen
                    .cell(row, column)
                    .is_none_or(|cell| cell.fgcolor() == vt100::Color::Default)
            })
        })
    });
    lab.send("q");
    assert_eq!(lab.exit(), 0);
}

#[test]
fn a_mutant_is_made_question_by_question() {
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_idemlab"));
    command.args(["new", "mutant"]);
    // Nothing can be built here, so what is asked is all that is looked at.
    command.env("IDEMLAB_PYTHON", "there is none");
    let mut new = Terminal::run(100, 60, command);
    new.see("Which lab?").send("1\r");
    new.see("Which step?").see("8  retention_cycle");
    new.send("9\r").see("a number from 1 to 8").send("5\r");
    new.see("Which fragment of the reference is to change?");
    new.send("LIMITS ?\r.\r").see("no reference has it");
    new.send("ORDER BY id LIMIT ?\r.\r");
    new.see("What is to stand there instead?")
        .send("ORDER BY id LIMIT ? OFFSET 1\r.\r");
    new.see("What is its name").send("purge-takes-pending\r");
    new.see("has a mutant `purge-takes-pending` already")
        .send("skips-the-first\r");
    new.see("What does the changed code do")
        .send("The first is skipped\r");
    new.see("field (a public report) or craft?").send("field\r");
    new.see("What is the link to the report?").send("none\r");
    new.see("`none` is not a link")
        .send("https://github.com/o/p/issues/1\r");
    new.see("Why does somebody write it?")
        .send("I count from 1\r");
    new.see("What is to be taken away").send("\x04");
    new.see("left; nothing was written");
    assert_eq!(new.exit(), 6);
}

#[test]
fn further_changes_are_weighed_while_the_list_is_shown() {
    let mut lab = Terminal::lab(120, 40);
    to_the_last_question(&mut lab);
    lab.send("\r").see("What did you actually see?");
    lab.send("c").see("More wrong changes to reserve");
    lab.see("subtle").see_no_more("is being found out");
    lab.send("\r").see("Nothing has run yet.");
    lab.send("h").see("More wrong changes to reserve");
    lab.send("q");
    assert_eq!(lab.exit(), 0);
    lab.assert_nothing_runs();
}

#[test]
fn a_terminal_that_cannot_move_its_cursor_gets_plain_lines() {
    let mut lab = Terminal::with(80, 24, |command| command.env("TERM", "dumb"));
    lab.see("Enter goes on; q leaves").send("q\r");
    assert_eq!(lab.exit(), 0);
}

#[test]
fn a_watch_runs_again_on_a_save_and_is_left_by_a_key_or_ctrl_c() {
    // These texts are compiled into the program, so that nothing has to be built.
    let right = include_str!("../exercises/retention/rust/reference.rs");
    let wrong = right.replace("INSERT OR IGNORE INTO keys", "INSERT OR REPLACE INTO keys");
    for (keys, code) in [("q\r", 1), ("\x03", 6)] {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("retention.rs");
        let manifest = place.path().join("idemlab.yaml");
        std::fs::write(manifest, "lab: retention\ntrack: rust\n").unwrap();
        std::fs::write(&file, right).unwrap();
        let mut command = CommandBuilder::new("/bin/sh");
        let folder = place.path().display();
        let program = env!("CARGO_BIN_EXE_idemlab");
        let line = format!("cd '{folder}' && exec '{program}' test --watch");
        command.args(["-c", &line]);
        let mut watch = Terminal::run(100, 60, command);
        watch.see("All steps are green.").see("Watching.");
        std::fs::write(&file, &wrong).unwrap();
        watch.see("✘ 2  reserve").see("Watching.");
        watch.see_no_more("All steps are green.");
        watch.send(keys);
        assert_eq!(watch.exit(), code);
        watch.assert_restored();
    }
}

/// Puts a folder of a learner's own beside the program; its texts are compiled into the program.
fn own_folder(lab: &Terminal, text: &str) -> std::path::PathBuf {
    let folder = lab.folder.path().join("retention");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("idemlab.yaml"), "lab: retention\ntrack: rust\n").unwrap();
    let file = folder.join("retention.rs");
    std::fs::write(&file, text).unwrap();
    file
}

const RIGHT: &str = include_str!("../exercises/retention/rust/reference.rs");

#[test]
fn a_save_changes_the_verdict_over_ones_own_code_from_the_editor_and_from_elsewhere() {
    let mut lab = Terminal::with(80, 24, |command| {
        command.env("PATH", std::env::var("PATH").unwrap_or_default());
        // An editor that waits for a line, and saves as careful editors do.
        command.env(
            "EDITOR",
            r#"sh -c 'echo editing; read line; sed "s/INSERT OR IGNORE INTO keys/INSERT OR REPLACE INTO keys/" "$1" > "$1.new" && mv "$1.new" "$1"' --"#,
        );
    });
    let file = own_folder(&lab, RIGHT);
    start(&mut lab);
    lab.send("2").see("step 2 of 8").send("y");
    lab.see("retention.rs in retention/ · rust")
        .see("✔ 2  reserve")
        .see("runs again when you save");
    lab.send("e");
    lab.wait("the editor", |screen| {
        !screen.alternate_screen() && screen.contents().contains("editing")
    });
    lab.send("\r").see("✘ 2  reserve").see("expected  false");
    std::fs::write(&file, RIGHT).unwrap();
    lab.see("✔ 2  reserve").see("The next is step 3");
    lab.send("1")
        .see("✔ 1  init_db")
        .see("steps 2 to 8 not run");
    lab.send(ESC).see("[Contract]").send("q");
    assert_eq!(lab.exit(), 0);
    lab.assert_restored();
}

#[test]
fn an_editor_that_is_missing_is_told_and_the_view_stays() {
    for (editor, told) in [
        (None, "neither $VISUAL nor $EDITOR is set"),
        (Some("no-such-editor"), "no-such-editor cannot be started"),
        (Some("false"), "the editor false ended with"),
    ] {
        let mut lab = Terminal::with(80, 24, |command| {
            command.env("PATH", std::env::var("PATH").unwrap_or_default());
            if let Some(editor) = editor {
                command.env("EDITOR", editor);
            }
        });
        own_folder(&lab, RIGHT);
        start(&mut lab);
        lab.send("y").see("✔ 1  init_db");
        lab.send("e").see(told).see("✔ 1  init_db").send("q");
        assert_eq!(lab.exit(), 0);
        lab.assert_restored();
    }
}

#[test]
fn a_folder_is_made_by_a_key_and_where_nothing_tells_of_changes_that_is_said() {
    let mut lab = Terminal::with(80, 24, |command| {
        command.env("IDEMLAB_POLL", "1");
        command.env("PATH", "");
    });
    start(&mut lab);
    lab.send("y").see("There is no code of yours");
    lab.see("↵ make it").see("It needs cargo").send("\r");
    lab.see("retention.rs in retention/")
        .see("looked at twice a second")
        .see("since IDEMLAB_POLL is set")
        .see("Next: write init_db");
    let file = lab.folder.path().join("retention/retention.rs");
    assert!(std::fs::read_to_string(&file).unwrap().contains("init_db"));
    // What is compiled into the program runs without cargo.
    std::fs::write(&file, RIGHT).unwrap();
    lab.see("✔ 1  init_db").send("q");
    assert_eq!(lab.exit(), 0);
    lab.assert_restored();
}

/// Puts a Python file of a learner's own beside the program.
fn own_python(lab: &Terminal, text: &str) -> std::path::PathBuf {
    let file = own_folder(lab, "").with_extension("py");
    let manifest = "lab: retention\ntrack: python\n";
    std::fs::write(file.with_file_name("idemlab.yaml"), manifest).unwrap();
    std::fs::write(&file, text).unwrap();
    file
}

#[test]
fn code_that_floods_raises_or_dies_has_its_verdict_and_the_view_goes_on() {
    const RIGHT: &str = include_str!("../exercises/retention/python/reference.py");
    let mut lab = Terminal::with(80, 24, |command| {
        command.env("PATH", std::env::var("PATH").unwrap_or_default());
    });
    let flood = "for _ in range(300):\n    print('x' * 100_000)\n";
    let file = own_python(&lab, &format!("{RIGHT}\n{flood}"));
    start(&mut lab);
    lab.send("y").see("✔ 1  init_db");
    for (text, told) in [
        (
            "\ndef init_db(path):\n    raise KeyError('mine')\n",
            "KeyError",
        ),
        (
            "\nimport os\ndef init_db(path):\n    os._exit(3)\n",
            "exited with code 3",
        ),
        ("\nraise SystemExit('no')\n", "does not load"),
        ("\ndef (:\n", "SyntaxError"),
    ] {
        std::fs::write(&file, format!("{RIGHT}{text}")).unwrap();
        lab.see(told);
    }
    std::fs::write(&file, RIGHT).unwrap();
    lab.see("✔ 1  init_db").send("q");
    assert_eq!(lab.exit(), 0);
    lab.assert_restored();
}

#[test]
fn code_that_never_ends_is_ended_by_leaving() {
    let endless = "def init_db(path):\n    while True:\n        pass\n";
    for leave in ["q", "h", "\x03"] {
        let mut lab = Terminal::with(80, 24, |command| {
            command.env("PATH", std::env::var("PATH").unwrap_or_default());
        });
        own_python(&lab, endless);
        start(&mut lab);
        lab.send("y").see("the tests are running").send(leave);
        if leave == "h" {
            lab.see("predict, run, compare");
            lab.send("q");
        }
        assert_eq!(lab.exit(), 0, "{leave:?}");
        lab.assert_restored();
    }
}
