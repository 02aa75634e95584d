//! What a person sees while a class is graded: on standard error, so that results stay clean.

use std::io::{self, IsTerminal as _, Write as _};

use indicatif::{ProgressBar, ProgressStyle};

use crate::grade::News;
use crate::gradebook::{Status, Submission};

/// Shows results as they come; on a terminal with a bar and the time that is left.
pub struct Sight {
    /// One submission needs neither.
    silent: bool,
    bar: Option<ProgressBar>,
}

impl Sight {
    /// Makes one for so many submissions.
    pub fn new(submissions: usize) -> Self {
        let silent = submissions < 2;
        let bar = (!silent && io::stderr().is_terminal()).then(|| {
            let style = ProgressStyle::with_template("{bar:30} {pos} of {len}, {eta} left");
            let bar = ProgressBar::new(submissions as u64);
            match style {
                Ok(style) => bar.with_style(style.progress_chars("█░")),
                Err(_) => bar,
            }
        });
        Self { silent, bar }
    }

    /// Shows what happened.
    pub fn show(&self, news: &News<'_>) {
        if self.silent {
            return;
        }
        match news {
            News::Begun { known: 0, .. } => {}
            News::Begun { all, known } => {
                if let Some(bar) = &self.bar {
                    bar.set_position(*known as u64);
                    bar.reset_eta();
                }
                self.line(&format!(
                    "going on: {known} of {all} are graded already (--fresh begins again)"
                ));
            }
            News::Graded(result) => {
                self.line(&words(result));
                if let Some(bar) = &self.bar {
                    bar.inc(1);
                }
            }
        }
    }

    /// Takes the bar away.
    pub fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn line(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.println(text),
            None => {
                let _ = writeln!(io::stderr().lock(), "{text}");
            }
        }
    }
}

fn words(result: &Submission) -> String {
    let path = one_line(&result.path);
    match (result.status, result.score) {
        (Status::Graded, Some(score)) => {
            let most = result.max_score;
            format!("{:>14}  {path}", format!("{score} of {most}"))
        }
        _ => {
            let why = result.why.as_deref().unwrap_or("no reason is known");
            format!("{:>14}  {path}: {}", "ungraded", one_line(why))
        }
    }
}

/// Keeps what a submission says from moving the cursor.
fn one_line(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .take(200)
        .collect()
}
