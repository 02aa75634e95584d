//! Surroundings that programs trip over: closed pipes and inputs, odd folders, colours.

use std::fs;
use std::process::Stdio;

use super::lab::{Lab, Place};

#[test]
fn a_closed_pipe_is_no_fault() {
    for arguments in [
        "list",
        "list --format json",
        "doctor",
        "run retention --test new-key-is-reserved",
        "--help",
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let (code, stderr) = Lab::new(arguments).into_output(Stdio::from(writer));
        assert_eq!((code, stderr.as_str()), (Some(0), ""), "{arguments}");
    }
}

#[cfg(unix)]
#[test]
fn a_closed_standard_input_is_an_input_that_ends() {
    let place = Place::new();
    let output = std::process::Command::new("/bin/sh")
        .args(["-c", r#"exec "$0" --plain --progress mine.db <&-"#])
        .arg(env!("CARGO_BIN_EXE_idemlab"))
        .current_dir(place.here())
        .env_clear()
        .output()
        .unwrap();
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{stdout}");
    assert!(stdout.ends_with("You can go on later: the lab opens where you stopped.\n"));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn what_is_not_a_terminal_gets_no_colours() {
    for arguments in ["list", "--help", "matrix retention --step 4"] {
        for (name, value) in [("NO_COLOR", "1"), ("TERM", "xterm-256color")] {
            let answer = Lab::new(arguments).env(name, value).run();
            assert!(!answer.stdout.contains('\u{1b}'), "{arguments} with {name}");
        }
    }
    let answer = Lab::new("run nowhere")
        .env("NO_COLOR", "1")
        .code(2)
        .any_stderr()
        .run();
    assert!(!answer.stderr.contains('\u{1b}'));
}

#[cfg(unix)]
#[test]
fn no_color_holds_on_a_terminal_too() {
    assert!(on_a_terminal(None).contains('\u{1b}'));
    assert!(!on_a_terminal(Some("1")).contains('\u{1b}'));
}

/// Shows the help on a terminal, with `NO_COLOR` set or not.
#[cfg(unix)]
fn on_a_terminal(no_color: Option<&str>) -> String {
    use portable_pty::{CommandBuilder, PtySize, native_pty_system};
    use std::io::{BufRead as _, BufReader};

    let terminal = native_pty_system().openpty(PtySize::default()).unwrap();
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_idemlab"));
    command.arg("--help");
    command.env_clear();
    command.env("TERM", "xterm-256color");
    if let Some(value) = no_color {
        command.env("NO_COLOR", value);
    }
    let mut child = terminal.slave.spawn_command(command).unwrap();
    drop(terminal.slave);
    // The end of a terminal is an error on some systems, and no line either way.
    let reader = BufReader::new(terminal.master.try_clone_reader().unwrap());
    let lines: Vec<String> = reader.lines().map_while(Result::ok).collect();
    assert!(child.wait().unwrap().success());
    assert!(lines.len() > 10, "{lines:?}");
    lines.join("\n")
}

#[test]
fn folders_may_have_names_in_any_script() {
    let place = Place::new();
    let folder = place.here().join("멱등성 실습/키 한 개");
    fs::create_dir_all(&folder).unwrap();
    Lab::new("run retention --test existing-key-is-refused")
        .env("IDEMLAB_SCRATCH", &folder)
        .from(&folder)
        .run();
    let left = fs::read_dir(&folder).unwrap().count();
    assert_eq!(left, 0, "no scratch folder is left behind");
    Lab::new("--plain --progress 진도.db")
        .from(&folder)
        .input("\nx\n3\n\nc d\n2\nan error\nq\n")
        .run();
    assert!(folder.join("진도.db").is_file());
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_whose_name_is_not_text_is_good_enough_to_start_in() {
    use std::os::unix::ffi::OsStrExt as _;
    let place = Place::new();
    let folder = place.here().join(std::ffi::OsStr::from_bytes(b"caf\xe9"));
    fs::create_dir(&folder).unwrap();
    Lab::new("run retention --test existing-key-is-refused")
        .from(&folder)
        .run();
    Lab::new("list").from(&folder).run();
    let answer = Lab::new("run retention")
        .env("IDEMLAB_SCRATCH", &folder)
        .code(70)
        .stdout("")
        .any_stderr()
        .run();
    assert!(answer.stderr.contains("is not UTF-8; set IDEMLAB_SCRATCH"));
}

#[test]
fn a_run_leaves_nothing_behind() {
    let answer = Lab::new("run retention --mutant purge-takes-pending").run();
    assert_eq!(fs::read_dir(answer.place.scratch()).unwrap().count(), 0);
    assert_eq!(fs::read_dir(answer.place.here()).unwrap().count(), 0);
}

#[test]
fn a_scratch_folder_that_cannot_be_made_says_what_to_do() {
    let answer = Lab::new("run retention")
        .file("a-file", "")
        .env("IDEMLAB_SCRATCH", "a-file")
        .code(70)
        .stdout("")
        .any_stderr()
        .run();
    assert!(
        answer
            .stderr
            .starts_with("error: failed to make a scratch folder: "),
        "{}",
        answer.stderr
    );
    assert!(
        answer
            .stderr
            .contains("set IDEMLAB_SCRATCH to a folder that can be written")
    );
}

/// Only root may mount a small disk to fill.
#[cfg(target_os = "linux")]
#[test]
fn a_full_scratch_folder_is_no_verdict() {
    if !rustix::process::geteuid().is_root() {
        eprintln!("left out: only root may mount a small disk");
        return;
    }
    let small = Place::new();
    let folder = small.here().join("small");
    fs::create_dir(&folder).unwrap();
    let mounted = std::process::Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=64k", "none"])
        .arg(&folder)
        .status();
    assert!(mounted.unwrap().success());
    let answer = Lab::new("run retention")
        .env("IDEMLAB_SCRATCH", &folder)
        .code(70)
        .stdout("")
        .any_stderr()
        .run();
    let away = std::process::Command::new("umount").arg(&folder).status();
    assert!(away.unwrap().success());
    assert!(
        answer
            .stderr
            .contains("is full, and a test can be red for that alone"),
        "{}",
        answer.stderr
    );
}

#[test]
fn without_a_home_the_lab_opens_and_in_any_locale() {
    let answer = Lab::new("--plain")
        .env("HOME", "/proc/self/no-such-home")
        .env("XDG_DATA_HOME", "")
        .env("LC_ALL", "C")
        .input("q\n")
        .any_stderr()
        .run();
    assert!(
        answer.stdout.contains("idemlab · lab retention"),
        "{}",
        answer.stdout
    );
    assert!(
        answer
            .stderr
            .starts_with("note: nothing is saved in this session"),
        "{}",
        answer.stderr
    );
}

#[cfg(unix)]
#[test]
fn a_report_that_cannot_be_written_is_no_success() {
    for command in ["list", "run retention --test reserve-then-finish", "doctor"] {
        let full = fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .unwrap();
        let (code, stderr) = Lab::new(command).into_output(full);
        assert_eq!(code, Some(70), "{command}");
        assert!(
            stderr.contains("failed to write the report"),
            "{command}: {stderr}"
        );
    }
}
