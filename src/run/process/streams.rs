//! What a process writes, read by threads of its own: lines handed on, errors kept in part.

use std::io::{self, BufRead, BufReader, Read};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::SyncSender;

/// How many bytes of standard error are kept, from each end.
pub(super) const KEEP: usize = 2048;

/// What the reading thread found.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Heard {
    Line(String),
    TooLong(String),
}

/// How much a process has written so far, and may write.
#[derive(Debug)]
pub(super) struct Meter {
    written: AtomicU64,
    most: u64,
}

impl Meter {
    pub(super) const fn new(most: u64) -> Self {
        Self {
            written: AtomicU64::new(0),
            most,
        }
    }

    pub(super) fn add(&self, bytes: usize) {
        self.written.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    pub(super) fn is_over(&self) -> bool {
        self.written.load(Ordering::Relaxed) > self.most
    }
}

/// Reads lines of at most `limit` bytes, and hands them on, until too much was written.
pub(super) fn read_lines(output: impl Read, limit: u64, meter: &Meter, send: &SyncSender<Heard>) {
    let mut reader = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        match reader.by_ref().take(limit).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(read) => {
                meter.add(read);
                let full = line.last() == Some(&b'\n');
                let text = String::from_utf8_lossy(&line).trim_end().to_owned();
                let cut = !full && read as u64 == limit;
                let heard = if cut {
                    Heard::TooLong(text)
                } else {
                    Heard::Line(text)
                };
                if send.send(heard).is_err() || cut || meter.is_over() {
                    return;
                }
            }
        }
    }
}

/// Reads standard error to its end, or until too much was written, and keeps its two ends.
pub(super) fn drain(mut errors: impl Read, tail: &Mutex<Tail>, meter: &Meter) {
    let mut buffer = [0; 8192];
    loop {
        match errors.read(&mut buffer) {
            Ok(0) => return,
            Ok(read) => {
                if let Ok(mut tail) = tail.lock() {
                    tail.push(&buffer[..read]);
                }
                meter.add(read);
                if meter.is_over() {
                    return;
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}

/// The two ends of a stream of any length.
#[derive(Debug, Default)]
pub(super) struct Tail {
    head: Vec<u8>,
    end: Vec<u8>,
    dropped: usize,
}

impl Tail {
    pub(super) fn push(&mut self, bytes: &[u8]) {
        let room = KEEP.saturating_sub(self.head.len()).min(bytes.len());
        self.head.extend_from_slice(&bytes[..room]);
        self.end.extend_from_slice(&bytes[room..]);
        if self.end.len() > 2 * KEEP {
            let cut = self.end.len() - KEEP;
            self.end.drain(..cut);
            self.dropped += cut;
        }
    }

    pub(super) fn text(&self) -> String {
        let head = String::from_utf8_lossy(&self.head);
        let end = String::from_utf8_lossy(&self.end);
        if self.dropped == 0 {
            format!("{head}{end}")
        } else {
            format!("{head}\n… {} bytes …\n{end}", self.dropped)
        }
    }
}
