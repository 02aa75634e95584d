//! A screen without a terminal, and a worker without processes: both answer at once.

use std::fmt::Write as _;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::style::{Color, Modifier};
use serde_json::Value;

use crate::event::{SubjectId, SubjectReport, TestReport};
use crate::model::{Action, Expected, Lab as LabData, Line, Mutant, Origin, Pack, Test, Track};
use crate::run::{LineSeen, Outcome, Seen};
use crate::tui::message::{
    Baseline, Effect, Job, Mistake, Msg, News, OwnJob, OwnNews, OwnWhich, ProbeOutcome, Said,
    Target, TrackOffer, TuiExit,
};
use crate::tui::model::Model;
use crate::tui::update::{begin, update};
use crate::tui::view::view;
use crate::tui::worker::Saved;
use crate::tui::{opened, worker};
use crate::verdict::{TestVerdict, TestWord, judge};
use crate::worksheet::Attempt;

/// The screen and what it asked for.
pub struct Lab {
    pub model: Model,
    /// Every effect so far.
    pub effects: Vec<Effect>,
    /// Whether runs are answered; otherwise they go on for ever.
    pub answers: bool,
    /// How the program ended, if it did.
    pub exit: Option<TuiExit>,
    /// What is told when the learner's own code is opened.
    pub own: fn(&OwnWhich) -> Vec<OwnNews>,
    size: (u16, u16),
    attempts: i64,
}

impl Lab {
    /// Opens the lab at a size, with nothing saved.
    pub fn open(columns: u16, rows: u16) -> Self {
        Self::with(columns, rows, Saved::default(), None)
    }

    pub fn with(columns: u16, rows: u16, saved: Saved, notice: Option<&str>) -> Self {
        static FEW: LazyLock<Arc<Pack>> = LazyLock::new(|| Arc::new(few_tests()));
        Self::of(Arc::clone(&FEW), columns, rows, saved, notice)
    }

    /// Opens the shipped pack with all its tests, however many they have become.
    pub fn whole(columns: u16, rows: u16) -> Self {
        static WHOLE: LazyLock<Arc<Pack>> =
            LazyLock::new(|| Arc::new(crate::pack::shipped().unwrap()));
        Self::of(Arc::clone(&WHOLE), columns, rows, Saved::default(), None)
    }

    /// Opens another lab of the shipped pack than the first.
    pub fn open_lab(id: &str, columns: u16, rows: u16) -> Self {
        let mut pack = few_tests();
        pack.labs.sort_by_key(|lab| lab.id != id);
        Self::of(Arc::new(pack), columns, rows, Saved::default(), None)
    }

    fn of(pack: Arc<Pack>, columns: u16, rows: u16, saved: Saved, notice: Option<&str>) -> Self {
        let notice = notice.map(str::to_owned);
        let mut model = opened(pack, 0, vec![saved], None, notice, true);
        model.size = (columns, rows);
        let effects = begin(&model);
        let mut lab = Self {
            model,
            effects: Vec::new(),
            answers: true,
            exit: None,
            own: super::own::nothing,
            size: (columns, rows),
            attempts: 0,
        };
        lab.perform(effects);
        lab
    }

    /// Presses keys: names, single signs, `ctrl-x`, and texts in quotes, with blanks between.
    pub fn keys(&mut self, keys: &str) -> &mut Self {
        let mut rest = keys.trim_start();
        while !rest.is_empty() {
            if let Some(quoted) = rest.strip_prefix('\'') {
                let (text, after) = quoted.split_once('\'').expect("a text ends with a quote");
                for sign in text.chars() {
                    self.press(KeyCode::Char(sign), KeyModifiers::NONE);
                }
                rest = after.trim_start();
                continue;
            }
            let (name, after) = rest.split_once(' ').unwrap_or((rest, ""));
            let (name, modifiers) = match name.strip_prefix("ctrl-") {
                Some(name) => (name, KeyModifiers::CONTROL),
                None => (name, KeyModifiers::NONE),
            };
            self.press(code(name), modifiers);
            rest = after.trim_start();
        }
        self
    }

    fn press(&mut self, code: KeyCode, modifiers: KeyModifiers) {
        self.send(Msg::Key(KeyEvent::new(code, modifiers)));
    }

    pub fn send(&mut self, message: Msg) -> &mut Self {
        let effects = update(&mut self.model, message);
        self.perform(effects);
        self
    }

    pub fn resize(&mut self, columns: u16, rows: u16) -> &mut Self {
        self.size = (columns, rows);
        self.send(Msg::Resize(columns, rows))
    }

    /// Lists the jobs that were asked for.
    pub fn jobs(&self) -> impl Iterator<Item = &Job> {
        self.effects.iter().filter_map(|effect| match effect {
            Effect::Do(job) => Some(job),
            _ => None,
        })
    }

    fn perform(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            self.effects.push(effect.clone());
            match effect {
                Effect::Do(job) => {
                    for news in self.answer(job) {
                        self.send(Msg::News(news));
                    }
                }
                Effect::Quit(exit) => self.exit = Some(exit),
                _ => {}
            }
        }
    }

    /// Does what a worker does, by the promises of the mutants instead of by running them.
    fn answer(&mut self, job: Job) -> Vec<News> {
        match job {
            Job::Tracks { lab } => vec![News::Tracks {
                lab,
                offers: vec![
                    TrackOffer {
                        track: Track::Rust,
                        not_ready: None,
                    },
                    TrackOffer {
                        track: Track::Python,
                        not_ready: Some("there is no python3 on the PATH".to_owned()),
                    },
                ],
            }],
            Job::Baseline { lab, track } => vec![News::Baseline {
                lab,
                track,
                state: Baseline::Green,
            }],
            Job::Run {
                run,
                target,
                said,
                tests,
            } => self.ran(run, &target, said, &tests),
            Job::Weigh {
                lab,
                track,
                mutants,
                ..
            } if self.answers => {
                let pack = Arc::clone(&self.model.pack);
                let lab = pack.lab(&lab).unwrap();
                let weigh = |id: String| News::Weighed {
                    lab: lab.id.clone(),
                    track,
                    caught: lab.mutant(&id).unwrap().caught_by.len(),
                    mutant: id,
                };
                mutants.into_iter().map(weigh).collect()
            }
            Job::Probe {
                run,
                target,
                source,
            } if self.answers => {
                let pack = Arc::clone(&self.model.pack);
                let lab = pack.lab(&target.lab).unwrap();
                vec![News::Probed {
                    run,
                    outcome: probed(lab, target.step, &source),
                }]
            }
            Job::Own(run, OwnJob::Open(which)) => {
                let told = (self.own)(&which).into_iter();
                told.map(|news| News::Own(run, news)).collect()
            }
            Job::Export { name, .. } => vec![News::Exported(Ok(format!("{name}.md")))],
            _ => Vec::new(),
        }
    }

    /// Tells of a run as its worker does.
    fn ran(&mut self, run: u64, target: &Target, said: Said, tests: &[String]) -> Vec<News> {
        let mut news = Vec::new();
        if let Said::Now(prediction) = said {
            self.attempts += 1;
            let earlier = self.model.attempts().count();
            news.push(News::Stored {
                run,
                lab: target.lab.clone(),
                attempt: Attempt {
                    id: self.attempts,
                    mutant: target.mutant.clone(),
                    step: target.step,
                    attempt: u32::try_from(earlier).unwrap() + 1,
                    prediction,
                    run: None,
                    sighting: None,
                },
            });
        }
        let pack = Arc::clone(&self.model.pack);
        let lab = pack.lab(&target.lab).unwrap();
        let report = report(lab, lab.mutant(&target.mutant).unwrap(), tests);
        let shown = if self.answers { report.tests.len() } else { 2 };
        news.extend(tests.iter().take(shown).map(|id| News::Tested {
            run,
            id: id.clone(),
            word: report.test(id).unwrap().word(),
        }));
        if self.answers {
            news.push(News::Finished {
                run,
                word: report.mutant_word(),
                report: Some(Box::new(report)),
                why: None,
            });
        }
        news
    }

    /// Draws the screen as text, and below it as letters for the styles.
    pub fn screen(&self) -> String {
        let mut text = String::new();
        let buffer = self.buffer();
        for row in 0..buffer.area.height {
            let line: String = (0..buffer.area.width)
                .map(|x| sign(&buffer, x, row))
                .collect();
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text.push_str("-- styles: b bold, d dim, r reversed, u underlined; capitals: colours\n");
        for row in 0..buffer.area.height {
            let line: String = (0..buffer.area.width)
                .map(|x| style(&buffer, x, row))
                .collect();
            let line = line.trim_end_matches('.');
            if !line.is_empty() {
                let _ = writeln!(text, "{row:>2} {line}");
            }
        }
        text
    }

    /// Draws the screen as text alone.
    pub fn text(&self) -> String {
        let screen = self.screen();
        screen.split("-- styles").next().unwrap().to_owned()
    }

    pub fn buffer(&self) -> Buffer {
        let mut terminal = Terminal::new(TestBackend::new(self.size.0, self.size.1)).unwrap();
        terminal.draw(|frame| view(&self.model, frame)).unwrap();
        terminal.backend().buffer().clone()
    }
}

/// The further changes that stay, all of step 4; the last one has no effect.
const FURTHER: [&str; 4] = [
    "fetch-at-expiry",
    "fetch-takes-pending",
    "fetch-drops-falsy-responses",
    "fetch-turns-the-comparison",
];

/// The shipped pack with no more tests than the worksheet's own mutants name.
///
/// So a screen does not change whenever the lab gets another test.
fn few_tests() -> Pack {
    let mut pack = crate::pack::shipped().unwrap();
    for lab in &mut pack.labs {
        lab.mutants
            .retain(|mutant| mutant.origin == Origin::Worksheet || FURTHER.contains(&&*mutant.id));
        let named: Vec<String> = lab
            .mutants
            .iter()
            .filter(|mutant| mutant.origin == Origin::Worksheet)
            .flat_map(|mutant| mutant.caught_by.iter().chain(&mutant.survives))
            .cloned()
            .collect();
        lab.tests.retain(|test| named.contains(&test.id));
    }
    pack
}

/// Returns the sign of a cell; the second half of a wide one is nothing.
fn sign(buffer: &Buffer, x: u16, y: u16) -> String {
    use unicode_width::UnicodeWidthStr;
    if x > 0 && buffer[(x - 1, y)].symbol().width() > 1 {
        return String::new();
    }
    buffer[(x, y)].symbol().to_owned()
}

fn style(buffer: &Buffer, x: u16, y: u16) -> char {
    let cell = &buffer[(x, y)];
    let is = |modifier| cell.modifier.contains(modifier);
    match cell.fg {
        Color::Green => 'G',
        Color::Red => 'R',
        Color::Cyan => 'C',
        Color::Yellow => 'Y',
        _ if is(Modifier::REVERSED) => 'r',
        _ if is(Modifier::UNDERLINED) => 'u',
        _ if is(Modifier::BOLD) => 'b',
        _ if is(Modifier::DIM) => 'd',
        _ => '.',
    }
}

fn code(name: &str) -> KeyCode {
    match name {
        "enter" => KeyCode::Enter,
        "esc" => KeyCode::Esc,
        "tab" => KeyCode::Tab,
        "backtab" => KeyCode::BackTab,
        "up" => KeyCode::Up,
        "down" => KeyCode::Down,
        "left" => KeyCode::Left,
        "right" => KeyCode::Right,
        "space" => KeyCode::Char(' '),
        "pgup" => KeyCode::PageUp,
        "pgdn" => KeyCode::PageDown,
        "home" => KeyCode::Home,
        "end" => KeyCode::End,
        "backspace" => KeyCode::Backspace,
        sign => KeyCode::Char(sign.chars().next().expect("a key has a name")),
    }
}

/// A report as the promises of a mutant say it.
pub fn report(lab: &LabData, mutant: &Mutant, tests: &[String]) -> SubjectReport {
    let tests = lab.tests.iter().filter(|test| tests.contains(&test.id));
    let tests = tests.map(|test| {
        let red = mutant.caught_by.contains(&test.id);
        TestReport::new(test, verdict(test, red), Duration::from_millis(4))
    });
    SubjectReport {
        lab: lab.id.clone(),
        track: Track::Rust,
        subject: SubjectId::Mutant(mutant.id.clone()),
        tests: tests.collect(),
        took: Duration::from_millis(38),
    }
}

/// Judges a script whose calls answer rightly, the last one wrongly if the test is to be red.
fn verdict(test: &Test, red: bool) -> TestVerdict {
    let expects =
        |line: &&Line| matches!(&line.action, Action::Call { expect, .. } if !expect.is_empty());
    let wrong = test.script.iter().rfind(expects).map(|line| line.number);
    let mut seen = Vec::new();
    for line in &test.script {
        let Action::Call { expect, .. } = &line.action else {
            continue;
        };
        let is_wrong = red && (wrong == Some(line.number) || wrong.is_none());
        let outcome = answer(expect.first(), is_wrong);
        seen.push(LineSeen {
            line: line.number,
            seen: Seen::Outcomes {
                outcomes: vec![outcome],
                left_locked: false,
                unforced: None,
            },
            before: test.given.clone(),
            after: if is_wrong {
                Vec::new()
            } else {
                test.given.clone()
            },
            held: Duration::ZERO,
            waiting: None,
            asked: Vec::new(),
            waited: false,
        });
        let verdict = judge(line, &seen[seen.len() - 1]);
        if verdict.word != TestWord::Passed {
            return TestVerdict::ended_at(line.number, verdict, Vec::new(), seen);
        }
    }
    TestVerdict::passed(Vec::new(), seen)
}

fn answer(expected: Option<&Expected>, wrong: bool) -> Outcome {
    let error = |kind: &str| Outcome::Raised {
        kind: kind.to_owned(),
        message: "limit must be from 1 to 100".to_owned(),
    };
    match (expected, wrong) {
        (Some(Expected::Truth(truth)), _) => Outcome::Returned(Value::Bool(*truth != wrong)),
        (Some(Expected::Returns(value)), false) => Outcome::Returned(value.clone()),
        (Some(Expected::Returns(_)), true) => Outcome::Returned(Value::from(vec!["b", "a"])),
        (Some(Expected::Raises(_)), false) => error("BadArgument"),
        (None, true) => error("Sqlite"),
        (Some(Expected::Raises(_) | Expected::Has(_)), _) | (None, false) => {
            Outcome::Returned(Value::Null)
        }
    }
}

/// Reads a probe and judges it by what it says: `v2` catches, `v3` is wrong, others miss.
fn probed(lab: &LabData, step: u32, source: &str) -> ProbeOutcome {
    let probe = match crate::pack::read_probe(lab, step, source) {
        Ok(probe) => Box::new(probe),
        Err(broken) => {
            let mistakes = broken.0.into_iter();
            return ProbeOutcome::Mistakes(
                mistakes
                    .map(|problem| Mistake {
                        line: problem.line,
                        column: problem.column,
                        title: problem.title,
                        help: problem.help,
                    })
                    .collect(),
            );
        }
    };
    let red = TestReport::new(&probe, verdict(&probe, true), Duration::ZERO);
    match source {
        source if source.contains("v2") => ProbeOutcome::Catches(probe, Box::new(red)),
        source if source.contains("v3") => ProbeOutcome::Invalid(probe, Box::new(red)),
        _ => ProbeOutcome::Misses(probe),
    }
}

/// Keeps the worker's own types in use here, so that a change there is noticed.
#[test]
fn nothing_saved_is_an_empty_lab() {
    let pack = crate::pack::shipped().unwrap();
    let progress = worker::Progress::in_memory();
    let (saved, track) = worker::saved(&pack, &progress).unwrap();
    assert_eq!(saved.len(), pack.labs.len());
    assert!(saved[0].attempts.is_empty() && saved[0].place.is_none());
    assert_eq!(track, None);
}
