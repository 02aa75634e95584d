//! The subject's side of the protocol: one JSON line in, one JSON line out.

use std::cell::RefCell;
use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use serde_json::{Map, Value, json};

use super::{Ask, CallbackError, StoreError, ask};

/// The functions of a lab, ready to be called by name.
pub trait Functions {
    /// The lab's id.
    const LAB: &'static str;

    /// Calls the function `name`.
    ///
    /// # Errors
    ///
    /// Returns what the function raised, or says that there is no such function or argument.
    fn call(&self, name: &str, with: &Arguments<'_>) -> Result<Value, StoreError>;
}

/// The arguments of one call, by name, and the way to the lab for its callbacks.
pub struct Arguments<'a>(&'a Map<String, Value>, &'a Ask<'a>);

impl<'a> Arguments<'a> {
    fn get(&self, name: &str) -> Result<&'a Value, StoreError> {
        self.0
            .get(name)
            .ok_or_else(|| StoreError::bad_argument(format!("the argument `{name}` is missing")))
    }

    fn wrong(name: &str, kind: &str, value: &Value) -> StoreError {
        StoreError::bad_argument(format!("the argument `{name}` takes {kind}, not {value}"))
    }

    /// Reads the path of the store.
    ///
    /// # Errors
    ///
    /// Fails when there is none.
    pub fn path(&self) -> Result<&'a Path, StoreError> {
        self.text("path").map(Path::new)
    }

    /// Reads a string.
    ///
    /// # Errors
    ///
    /// Fails when it is missing or another kind of value.
    pub fn text(&self, name: &str) -> Result<&'a str, StoreError> {
        let value = self.get(name)?;
        value
            .as_str()
            .ok_or_else(|| Self::wrong(name, "a string", value))
    }

    /// Reads a number.
    ///
    /// # Errors
    ///
    /// Fails when it is missing or another kind of value.
    pub fn number(&self, name: &str) -> Result<f64, StoreError> {
        let value = self.get(name)?;
        value
            .as_f64()
            .ok_or_else(|| Self::wrong(name, "a number", value))
    }

    /// Reads a whole number that may be left out.
    ///
    /// # Errors
    ///
    /// Fails when it is another kind of value.
    pub fn integer(&self, name: &str) -> Result<Option<i64>, StoreError> {
        match self.0.get(name) {
            None => Ok(None),
            Some(value) => match value.as_i64() {
                Some(number) => Ok(Some(number)),
                None => Err(Self::wrong(name, "a whole number", value)),
            },
        }
    }

    /// Reads a number that may be left out.
    ///
    /// # Errors
    ///
    /// Fails when it is another kind of value.
    pub fn number_or(&self, name: &str, default: f64) -> Result<f64, StoreError> {
        if self.0.contains_key(name) {
            return self.number(name);
        }
        Ok(default)
    }

    /// Calls a callback of the lab.
    ///
    /// # Errors
    ///
    /// Returns the error that it raises.
    pub fn ask(&self, name: &str, with: &Value) -> Result<Value, CallbackError> {
        ask(self.1, name, with)
    }

    /// Reads any JSON value.
    ///
    /// # Errors
    ///
    /// Fails when it is missing.
    pub fn json(&self, name: &str) -> Result<&'a Value, StoreError> {
        self.get(name)
    }
}

/// Answers calls read from `input` on `output` until `input` ends.
///
/// A panic in a function is answered as an error of the kind `panic`; its message goes to
/// standard error as well.
///
/// # Errors
///
/// Fails when a line cannot be read or written, or is not a call.
pub fn serve<F: Functions>(
    functions: &F,
    input: impl BufRead,
    mut output: impl Write,
) -> io::Result<()> {
    let hello = json!({"hello": 1, "lab": F::LAB, "track": "rust", "language": "Rust"});
    send(&mut output, &hello)?;
    let channel = RefCell::new((input.lines(), output));
    loop {
        let line = channel.borrow_mut().0.next();
        let Some(line) = line else { return Ok(()) };
        let request: Value = serde_json::from_str(&line?)?;
        let ask = |mut message: Value| {
            message["id"] = request["id"].clone();
            let (lines, output) = &mut *channel.borrow_mut();
            send(output, &message)?;
            let line = lines
                .next()
                .ok_or_else(|| io::Error::other("the lab has gone"))??;
            Ok(serde_json::from_str(&line)?)
        };
        let reply = answer(functions, &request, &ask);
        send(&mut channel.borrow_mut().1, &reply)?;
    }
}

/// Writes a message in one piece: a pipe would carry each part of it on its own.
fn send(output: &mut impl Write, message: &Value) -> io::Result<()> {
    output.write_all(format!("{message}\n").as_bytes())?;
    output.flush()
}

/// Calls a function with its arguments by name; a callback of it fails.
///
/// # Errors
///
/// Returns what the function raised.
pub fn call<F: Functions>(
    functions: &F,
    name: &str,
    with: &Map<String, Value>,
) -> Result<Value, StoreError> {
    let nobody = |_| Err(io::Error::other("there is no lab to call back"));
    functions.call(name, &Arguments(with, &nobody))
}

fn answer<F: Functions>(functions: &F, request: &Value, ask: &Ask<'_>) -> Value {
    let nothing = Map::new();
    let with = Arguments(request["with"].as_object().unwrap_or(&nothing), ask);
    let name = request["call"].as_str().unwrap_or_default();
    let id = &request["id"];
    let before = (request["measure"] == "memory")
        .then(memory_from_here)
        .flatten();
    let answer = catch_unwind(AssertUnwindSafe(|| functions.call(name, &with)));
    let needed = before.and_then(|before| before.needed());
    match answer {
        Ok(Ok(value)) => match needed {
            Some(bytes) => json!({"id": id, "returns": value, "memory": bytes}),
            None => json!({"id": id, "returns": value}),
        },
        Ok(Err(error)) => {
            json!({"id": id, "raises": {"kind": error.kind(), "message": error.message()}})
        }
        Err(panic) => {
            json!({"id": id, "raises": {"kind": "panic", "message": panic_text(&*panic)}})
        }
    }
}

/// Memory in use before a call, in bytes.
struct Before {
    bytes: u64,
    /// Whether nothing is given back, so that what is in use later is the most that was.
    keeps: bool,
}

/// Looks at the memory in use, and starts the count of the most anew where that is needed; nothing
/// where the system does not tell.
///
/// Linux counts the most only roughly, some hundred KiB up or down. What is in use it tells to the
/// page. The lab starts a process that is measured so that glibc gives nothing back.
fn memory_from_here() -> Option<Before> {
    let keeps = cfg!(target_env = "gnu")
        && std::env::var_os("MALLOC_MMAP_MAX_").is_some_and(|most| most == "0");
    if let Some(bytes) = keeps.then(in_use).flatten() {
        return Some(Before { bytes, keeps });
    }
    std::fs::write("/proc/self/clear_refs", "5").ok()?;
    let bytes = told("/proc/self/status", "VmRSS:")?;
    Some(Before {
        bytes,
        keeps: false,
    })
}

impl Before {
    /// Returns how much more was needed since then.
    fn needed(&self) -> Option<u64> {
        let most = if self.keeps {
            in_use()
        } else {
            told("/proc/self/status", "VmHWM:")
        };
        Some(most?.saturating_sub(self.bytes))
    }
}

fn in_use() -> Option<u64> {
    told("/proc/self/smaps_rollup", "Anonymous:")
}

/// Reads a number of bytes from what Linux says of this process.
fn told(file: &str, name: &str) -> Option<u64> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> &str {
    panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("a panic without a message")
}
