//! Questions and answers, one line each.

use std::io::{BufRead, Write};
use std::sync::atomic::Ordering;

use super::{Plain, Stop};
use crate::worksheet::folded;

/// An answer to a question that offers "I don't know".
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer<T> {
    /// What was chosen or written.
    Said(T),
    /// "I don't know".
    Unknown,
}

impl<R: BufRead, W: Write> Plain<'_, R, W> {
    /// Writes a line.
    pub(super) fn say(&mut self, line: &str) -> Result<(), Stop> {
        Ok(writeln!(self.output, "{line}")?)
    }

    /// Writes prose, folded to 78 columns, with `indent` before each line.
    pub(super) fn tell(&mut self, text: &str, indent: &str) -> Result<(), Stop> {
        for paragraph in text.lines() {
            // A line that is set in is a drawing, and stays as it is.
            if paragraph.starts_with(' ') {
                self.say(&format!("{indent}{paragraph}"))?;
                continue;
            }
            self.fold(paragraph, indent, indent)?;
        }
        Ok(())
    }

    /// Writes a paragraph, folded to 78 columns, after a mark.
    pub(super) fn fold(&mut self, text: &str, first: &str, rest: &str) -> Result<(), Stop> {
        for line in folded(text, 78, first, rest) {
            self.say(&line)?;
        }
        Ok(())
    }

    /// Reads one line; `q` and the end of the input leave the worksheet.
    pub(super) fn line(&mut self) -> Result<String, Stop> {
        let line = self.raw_line()?.trim().to_owned();
        if line == "q" {
            return Err(Stop::Left);
        }
        Ok(line)
    }

    /// Reads one line with the blanks it begins with.
    pub(super) fn raw_line(&mut self) -> Result<String, Stop> {
        write!(self.output, "> ")?;
        self.output.flush()?;
        let mut bytes = Vec::new();
        self.waiting.store(true, Ordering::SeqCst);
        let read = self.input.read_until(b'\n', &mut bytes);
        self.waiting.store(false, Ordering::SeqCst);
        let read = read?;
        if self.interrupt.is_raised() {
            return Err(Stop::Interrupted);
        }
        let line = String::from_utf8_lossy(&bytes).trim_end().to_owned();
        if read == 0 || line.trim() == ":q" {
            return Err(Stop::Left);
        }
        Ok(line)
    }

    /// Asks for one of a numbered list; `?` says "I don't know".
    pub(super) fn one_of(&mut self, choices: &[&str]) -> Result<Answer<usize>, Stop> {
        for (place, choice) in choices.iter().enumerate() {
            self.say(&format!("  {}  {choice}", place + 1))?;
        }
        loop {
            let line = self.line()?;
            if line == "?" {
                return Ok(Answer::Unknown);
            }
            match line.parse::<usize>() {
                Ok(number) if (1..=choices.len()).contains(&number) => {
                    return Ok(Answer::Said(number - 1));
                }
                _ => self.say(&format!(
                    "Type a number from 1 to {}, ? for \"I don't know\", or q to leave.",
                    choices.len()
                ))?,
            }
        }
    }
}
