//! The subject's side of the protocol for scripts: a call is a script that runs, and its output
//! the answer.
//!
//! Each call runs a copy of the scripts, in a folder whose name has blanks, quotes and Korean in
//! it, called from another folder, over a database whose path leads through it. What only works in a tidy place
//! does not work here.

use std::env;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufRead as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Map, Value, json};

/// The folder beside the database in which everything happens.
const PLACE: &str = "it's a \"mail box\" 받은 편지함";
/// The most bytes of an error's text that are passed on.
const LONGEST: usize = 600;
/// The most files that are copied with the scripts, the largest of them in bytes, and how deep
/// they may lie.
const MOST: usize = 500;
const LARGEST: u64 = 4 << 20;
const DEEPEST: usize = 4;

/// Answers the lab on standard input and output until its input ends.
///
/// # Errors
///
/// Fails when the lab cannot be spoken with.
pub fn serve(lab: &str, folder: &Path, bash: &Path, sqlite: &Path) -> io::Result<()> {
    let tools = Tools::of(bash, sqlite);
    let mut output = io::stdout().lock();
    let hello = json!({"hello": 1, "lab": lab, "track": "shell", "language": "bash"});
    output.write_all(format!("{hello}\n").as_bytes())?;
    output.flush()?;
    for line in io::stdin().lock().lines() {
        let request: Value = serde_json::from_str(&line?)?;
        let nothing = Map::new();
        let with = request["with"].as_object().unwrap_or(&nothing);
        let name = request["call"].as_str().unwrap_or_default();
        let id = &request["id"];
        let reply = match answer(folder, &tools, name, with) {
            Ok(value) => json!({"id": id, "returns": value}),
            Err(Raised { kind, message }) => {
                json!({"id": id, "raises": {"kind": kind, "message": message}})
            }
        };
        output.write_all(format!("{reply}\n").as_bytes())?;
        output.flush()?;
    }
    Ok(())
}

/// What scripts are run with: they find the very programs that were looked at before.
struct Tools<'a> {
    bash: &'a Path,
    path: OsString,
}

impl<'a> Tools<'a> {
    fn of(bash: &'a Path, sqlite: &Path) -> Self {
        let rest = env::var_os("PATH").unwrap_or_default();
        let first = [sqlite, bash].into_iter().filter_map(Path::parent);
        let all = first.map(Path::to_owned).chain(env::split_paths(&rest));
        let path = env::join_paths(all).unwrap_or(rest.clone());
        Self { bash, path }
    }
}

/// Why a call has no answer.
struct Raised {
    kind: String,
    message: String,
}

impl Raised {
    fn new(kind: &str, message: impl Into<String>) -> Self {
        Self {
            kind: kind.to_owned(),
            message: message.into(),
        }
    }
}

impl From<io::Error> for Raised {
    fn from(error: io::Error) -> Self {
        Self::new("Driver", error.to_string())
    }
}

fn answer(
    folder: &Path,
    tools: &Tools<'_>,
    name: &str,
    with: &Map<String, Value>,
) -> Result<Value, Raised> {
    let script = format!("{name}.sh");
    if !folder.join(&script).is_file() {
        return Err(Raised::new(
            "NoFunction",
            format!("there is no `{name}`: no {script} lies here"),
        ));
    }
    let store = Path::new(with["path"].as_str().unwrap_or_default());
    let place = Place::make(folder, store)?;
    let mut command = Command::new(tools.bash);
    command.env("PATH", &tools.path);
    command.arg(place.scripts.join(&script)).arg(&place.store);
    if let Some(message) = with.get("message").and_then(Value::as_str) {
        let file = place.elsewhere.join("a 'message' 주문.json");
        fs::write(&file, message)?;
        command.arg(file);
    }
    if let Some(days) = with.get("days") {
        command.arg(days.to_string());
    }
    let said = command
        .current_dir(&place.elsewhere)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .output()?;
    let errors = String::from_utf8_lossy(&said.stderr);
    // Errors that a script passed over are for whoever looks: they are no answer.
    io::stderr().write_all(&said.stderr)?;
    if !said.status.success() {
        let errors = errors.trim();
        let start = errors.ceil_char_boundary(errors.len().saturating_sub(LONGEST));
        let message = format!("{script} ended with {}: {}", said.status, &errors[start..]);
        // What the lab's own starters say; a learner may leave it as it is.
        let kind = if errors.contains("is not written yet") {
            "NotImplemented"
        } else {
            "Exit"
        };
        return Err(Raised::new(kind, message));
    }
    let text = String::from_utf8_lossy(&said.stdout);
    Ok(match name {
        "apply" => applied(&text),
        "race" => raced(&text),
        "purge" => purged(&text),
        _ => Value::Null,
    })
}

/// Reads the two lines of `apply`; what is not as agreed is passed on as it is.
fn applied(text: &str) -> Value {
    let mut lines = text.lines();
    let outcome = lines.next().unwrap_or_default();
    let mut answer = json!({"outcome": outcome});
    if let Some(response) = lines.next() {
        let value = serde_json::from_str(response);
        answer["response"] = value.unwrap_or_else(|_| Value::from(response));
    }
    answer
}

/// Reads `rows=N` in the last line.
fn raced(text: &str) -> Value {
    let last = text.lines().last().unwrap_or_default();
    match number(last, "rows=") {
        Some(rows) => json!(rows),
        None => Value::from(last),
    }
}

/// Reads `deleted=N remain=M` in the last line.
fn purged(text: &str) -> Value {
    let last = text.lines().last().unwrap_or_default();
    let both = last.split_once(' ').and_then(|(deleted, remain)| {
        Some((number(deleted, "deleted=")?, number(remain, "remain=")?))
    });
    match both {
        Some((deleted, remain)) => json!({"deleted": deleted, "remain": remain}),
        None => Value::from(last),
    }
}

fn number(text: &str, name: &str) -> Option<u64> {
    text.strip_prefix(name)?.parse().ok()
}

/// Where one call happens.
struct Place {
    scripts: PathBuf,
    elsewhere: PathBuf,
    store: PathBuf,
}

impl Place {
    /// Makes the folders of this process beside the database, with a copy of the scripts.
    fn make(folder: &Path, store: &Path) -> io::Result<Self> {
        let beside = store.parent().unwrap_or(folder);
        let top = beside.join(format!("{PLACE} {}", std::process::id()));
        let place = Self {
            scripts: top.join("my scripts"),
            elsewhere: top.join("else where"),
            // The same file by a longer way; a cell lets nobody make a link to it.
            store: top.join("..").join(store.file_name().unwrap_or_default()),
        };
        if top.is_dir() {
            return Ok(place);
        }
        fs::create_dir_all(&place.elsewhere)?;
        let mut room = MOST;
        copy(folder, &place.scripts, DEEPEST, &mut room)?;
        Ok(place)
    }
}

/// Copies what scripts may need: themselves, and what lies beside and below them. Each copy can be
/// run by its name, as it could where its author made it so.
fn copy(from: &Path, to: &Path, depth: usize, room: &mut usize) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (kind, name) = (entry.file_type()?, entry.file_name());
        if name.as_encoded_bytes().starts_with(b".") {
            continue;
        }
        if kind.is_dir() && depth > 0 {
            copy(&entry.path(), &to.join(&name), depth - 1, room)?;
        } else if kind.is_file() && entry.metadata()?.len() <= LARGEST {
            let too_many = || io::Error::other(format!("more than {MOST} files lie beside it"));
            *room = room.checked_sub(1).ok_or_else(too_many)?;
            let mut copied = File::options();
            copied.write(true).create_new(true);
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut copied, 0o755);
            io::copy(
                &mut File::open(entry.path())?,
                &mut copied.open(to.join(&name))?,
            )?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_as_agreed_is_passed_on_as_it_is() {
        assert_eq!(
            applied("applied\n{\"a\":1}\n"),
            json!({"outcome": "applied", "response": {"a": 1}})
        );
        assert_eq!(
            applied("5000\napplied\n"),
            json!({"outcome": "5000", "response": "applied"})
        );
        assert_eq!(raced("applied\nrows=1\n"), json!(1));
        assert_eq!(raced("one row"), json!("one row"));
        assert_eq!(
            purged("deleted=2 remain=3\n"),
            json!({"deleted": 2, "remain": 3})
        );
        assert_eq!(purged("deleted=2"), json!("deleted=2"));
    }
}
