//! Questions on a terminal, one a line; without one, a list of what is missing.

use std::io::{self, BufRead, IsTerminal as _, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::command::print::complain;
use crate::command::{Exit, signal};
use crate::run::Interrupt;

/// What an answer must be; says what is wrong with it otherwise.
pub type Check<'c, T> = &'c dyn Fn(&str) -> Result<T, String>;

/// Asks for what the command line left out.
pub struct Ask {
    input: Option<Box<dyn BufRead>>,
    output: Box<dyn Write>,
    /// Whether it waits for a line, so that nothing is lost if the program ends.
    waiting: Arc<AtomicBool>,
    interrupt: Interrupt,
    missing: Vec<String>,
    wrong: Vec<String>,
}

impl Ask {
    /// Asks on the terminal, if standard input is one.
    pub fn new() -> Self {
        let is_terminal = io::stdin().is_terminal();
        let input = is_terminal.then(|| Box::new(io::stdin().lock()) as Box<dyn BufRead>);
        let ask = Self::over(
            input,
            Box::new(io::stdout()),
            signal::interrupt_of_signals(),
        );
        signal::leave_while(Arc::clone(&ask.waiting));
        ask
    }

    fn over(input: Option<Box<dyn BufRead>>, output: Box<dyn Write>, interrupt: Interrupt) -> Self {
        Self {
            input,
            output,
            waiting: Arc::default(),
            interrupt,
            missing: Vec::new(),
            wrong: Vec::new(),
        }
    }

    /// Tells whether there is somebody to ask.
    pub const fn can(&self) -> bool {
        self.input.is_some()
    }

    /// Returns the interrupt that signals raise.
    pub const fn interrupt(&self) -> &Interrupt {
        &self.interrupt
    }

    /// Notes that a flag is missing.
    pub fn missing(&mut self, flag: &str) {
        self.missing.push(flag.to_owned());
    }

    /// Notes that a flag is wrong.
    pub fn wrong(&mut self, what: &str) {
        self.wrong.push(what.to_owned());
    }

    /// Checks what was given, or asks until the answer is right, or notes that it is missing.
    pub fn field<T>(
        &mut self,
        flag: &str,
        given: Option<&str>,
        question: &str,
        check: Check<'_, T>,
    ) -> Result<Option<T>, Exit> {
        match given.map(|given| check(given.trim())) {
            Some(Ok(value)) => return Ok(Some(value)),
            Some(Err(why)) => {
                self.wrong(&format!("{flag}: {why}"));
                return Ok(None);
            }
            None if !self.can() => {
                self.missing(flag);
                return Ok(None);
            }
            None => {}
        }
        self.say(question);
        loop {
            match check(self.line()?.trim()) {
                Ok(value) => return Ok(Some(value)),
                Err(why) => self.say(&format!("  {why}")),
            }
        }
    }

    /// Asks for several lines, ended by a line that is only a dot.
    pub fn lines(&mut self, question: &str) -> Result<String, Exit> {
        self.say(&format!("{question} (a line with only a dot ends it)"));
        let mut lines = Vec::new();
        loop {
            let line = self.line()?;
            if line.trim() == "." {
                return Ok(lines.join("\n"));
            }
            lines.push(line);
        }
    }

    /// Asks for one of a numbered list; returns its place. The first word of a choice, if no other
    /// begins with it, is an answer too.
    pub fn one_of(&mut self, question: &str, choices: &[String]) -> Result<usize, Exit> {
        self.say(question);
        for (place, choice) in choices.iter().enumerate() {
            self.say(&format!("  {}  {choice}", place + 1));
        }
        loop {
            let line = self.line()?;
            if let Some(place) = chosen(line.trim(), choices) {
                return Ok(place);
            }
            self.say(&format!("  type a number from 1 to {}", choices.len()));
        }
    }

    /// Writes a line. A reader who has gone is told by the end of the input.
    pub fn say(&mut self, line: &str) {
        let _ = writeln!(self.output, "{line}");
    }

    fn line(&mut self) -> Result<String, Exit> {
        let _ = write!(self.output, "> ").and_then(|()| self.output.flush());
        let mut bytes = Vec::new();
        self.waiting.store(true, Ordering::SeqCst);
        let read = match &mut self.input {
            Some(input) => input.read_until(b'\n', &mut bytes).unwrap_or(0),
            None => 0,
        };
        self.waiting.store(false, Ordering::SeqCst);
        if read == 0 || self.interrupt.is_raised() {
            self.say("");
            complain("left; nothing was written");
            return Err(Exit::Interrupted);
        }
        let line = String::from_utf8_lossy(&bytes);
        Ok(line.trim_end_matches(['\r', '\n']).to_owned())
    }

    /// Ends the asking: everything that is missing or wrong is told at once.
    pub fn finish(&self) -> Result<(), Exit> {
        for wrong in &self.wrong {
            complain(wrong);
        }
        if !self.missing.is_empty() {
            complain(&format!(
                "missing: {}; on a terminal they would be asked for",
                self.missing.join(", ")
            ));
        }
        if self.wrong.is_empty() && self.missing.is_empty() {
            Ok(())
        } else {
            Err(Exit::Usage)
        }
    }
}

/// Finds the choice that an answer means, by its number or its first word.
fn chosen(answer: &str, choices: &[String]) -> Option<usize> {
    if let Ok(number) = answer.parse::<usize>() {
        return (1..=choices.len()).contains(&number).then(|| number - 1);
    }
    let is_meant = |choice: &String| choice.split([' ', ':']).next() == Some(answer);
    let mut meant = (0..choices.len()).filter(|place| is_meant(&choices[*place]));
    let first = meant.next()?;
    meant.next().is_none().then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(input: Option<&'static str>) -> Ask {
        let input = input.map(|text| Box::new(text.as_bytes()) as Box<dyn BufRead>);
        Ask::over(input, Box::new(io::sink()), Interrupt::default())
    }

    fn number(text: &str) -> Result<u32, String> {
        text.parse().map_err(|_| "not a number".to_owned())
    }

    #[test]
    fn what_was_given_is_not_asked_for() {
        let mut ask = ask(Some("8\n"));
        assert_eq!(ask.field("--n", Some("7"), "n?", &number), Ok(Some(7)));
        assert_eq!(ask.finish(), Ok(()));
    }

    #[test]
    fn a_wrong_answer_is_asked_for_again() {
        let mut ask = ask(Some("x\n\n8\r\n"));
        assert_eq!(ask.field("--n", None, "n?", &number), Ok(Some(8)));
    }

    #[test]
    fn without_a_terminal_everything_missing_and_wrong_is_noted() {
        let mut ask = ask(None);
        assert_eq!(ask.field("--a", None, "a?", &number), Ok(None));
        assert_eq!(ask.field("--b", Some("x"), "b?", &number), Ok(None));
        assert_eq!(ask.field("--c", None, "c?", &number), Ok(None));
        assert_eq!(ask.missing, ["--a", "--c"]);
        assert_eq!(ask.wrong, ["--b: not a number"]);
        assert_eq!(ask.finish(), Err(Exit::Usage));
    }

    #[test]
    fn several_lines_end_at_a_dot_and_keep_their_blanks() {
        let mut ask = ask(Some("  a\n\n b\n.\n2\n9\n1\n"));
        assert_eq!(ask.lines("text?").as_deref(), Ok("  a\n\n b"));
        let choices = ["x".to_owned(), "y".to_owned()];
        assert_eq!(ask.one_of("which?", &choices), Ok(1));
        assert_eq!(ask.one_of("which?", &choices), Ok(0));
    }

    #[test]
    fn a_choice_may_be_named_if_no_other_has_its_name() {
        let choices = ["charge  a", "reserve: b", "reserve: c"].map(str::to_owned);
        assert_eq!(chosen("charge", &choices), Some(0));
        assert_eq!(chosen("3", &choices), Some(2));
        for unclear in ["reserve", "", "4", "0", "char"] {
            assert_eq!(chosen(unclear, &choices), None, "{unclear:?}");
        }
    }

    #[test]
    fn the_end_of_the_input_leaves() {
        let mut ask = ask(Some(""));
        assert_eq!(
            ask.field("--n", None, "n?", &number),
            Err(Exit::Interrupted)
        );
    }
}
