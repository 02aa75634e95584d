//! Any messages in any order at any size: nothing panics, and every screen can be drawn.
//!
//! `IDEMLAB_RANDOM=1000000` makes more of them.

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::lab::Lab;
use crate::model::Track;
use crate::tui::message::{Baseline, Msg, News, OwnNews, TrackOffer};
use crate::tui::view::view;
use crate::verdict::{MutantWord, TestWord};

/// A random source that is the same on every machine.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }

    fn pick<T: Clone>(&mut self, of: &[T]) -> T {
        let place = self.roll(of.len() as u64);
        of[usize::try_from(place).unwrap()].clone()
    }

    fn key(&mut self) -> Msg {
        let signs: Vec<char> = "qabcdefhijklmnprtuvxyz?[] 12345678;,열é👩\u{301}"
            .chars()
            .collect();
        let named = [
            KeyCode::Enter,
            KeyCode::Enter,
            KeyCode::Enter,
            KeyCode::Esc,
            KeyCode::Tab,
            KeyCode::BackTab,
            KeyCode::Up,
            KeyCode::Down,
            KeyCode::Left,
            KeyCode::Right,
            KeyCode::PageUp,
            KeyCode::PageDown,
            KeyCode::Home,
            KeyCode::End,
            KeyCode::Backspace,
            KeyCode::Delete,
            KeyCode::Insert,
            KeyCode::F(1),
            KeyCode::Null,
        ];
        let code = if self.roll(2) == 0 {
            self.pick(&named)
        } else {
            KeyCode::Char(self.pick(&signs))
        };
        let modifiers = match self.roll(12) {
            0 => KeyModifiers::CONTROL,
            1 => KeyModifiers::ALT,
            2 => KeyModifiers::SHIFT,
            _ => KeyModifiers::NONE,
        };
        Msg::Key(KeyEvent::new(code, modifiers))
    }

    fn news(&mut self) -> Msg {
        let run = self.roll(6);
        let lab = self.pick(&["retention", "nowhere"]).to_owned();
        let track = self.pick(&Track::ALL);
        Msg::News(match self.roll(9) {
            0 => News::Failed {
                run,
                why: "열 ".repeat(40),
            },
            1 => News::Finished {
                run,
                word: MutantWord::DoesNotApply,
                report: None,
                why: None,
            },
            2 => News::Tested {
                run,
                id: "new-key-is-reserved".to_owned(),
                word: TestWord::Failed,
            },
            3 => News::Baseline {
                lab,
                track,
                state: Baseline::Red(vec!["x".repeat(300)]),
            },
            4 => News::Baseline {
                lab,
                track,
                state: Baseline::Running { done: 1, of: 90 },
            },
            5 => News::Tracks {
                lab,
                offers: vec![
                    TrackOffer {
                        track: Track::Rust,
                        not_ready: None,
                    },
                    TrackOffer {
                        track: Track::Python,
                        not_ready: None,
                    },
                ],
            },
            6 | 7 => News::Own(self.roll(40), self.own()),
            _ => News::NotSaved("disk full".to_owned()),
        })
    }

    fn own(&mut self) -> OwnNews {
        let trial = Box::new(super::own::trial(3, &["existing-key-is-refused"]));
        match self.roll(7) {
            0 => super::own::nothing(&super::own::which()).remove(0),
            1 => OwnNews::There(super::own::place()),
            2 => OwnNews::Running,
            3 => OwnNews::Ran(trial),
            4 => OwnNews::Broke(trial, super::own::said()),
            5 => OwnNews::NotRun("열 ".repeat(90)),
            _ => OwnNews::Unusable(vec!["x".repeat(300)]),
        }
    }

    fn size(&mut self) -> (u16, u16) {
        let mut side = |most: u64| u16::try_from(1 + self.roll(most)).unwrap();
        match side(10) {
            1 => (side(300), side(100)),
            2 | 3 => (side(80), side(24)),
            _ => (59 + side(30), 19 + side(10)),
        }
    }

    fn message(&mut self) -> Msg {
        match self.roll(100) {
            0..=3 => {
                let (columns, rows) = self.size();
                Msg::Resize(columns, rows)
            }
            4..=6 => self.news(),
            7 => Msg::Paste("한글 e\u{301} \u{1b}[2J\n".repeat(7)),
            8 => Msg::Tick(self.roll(10_000)),
            10 => Msg::Closed(self.pick(&[Ok(()), Err("no editor".to_owned())])),
            9 => Msg::Edited(self.pick(&[
                Ok("script: [".to_owned()),
                Ok("script:\n  - call: init_db\n".to_owned()),
                Err("no editor".to_owned()),
            ])),
            _ => self.key(),
        }
    }
}

#[test]
fn any_messages_in_any_order_at_any_size_are_survived() {
    let count: u64 = std::env::var("IDEMLAB_RANDOM")
        .ok()
        .and_then(|count| count.parse().ok())
        .unwrap_or(100_000);
    let threads = 4;
    std::thread::scope(|scope| {
        for thread in 0..threads {
            scope.spawn(move || play(count / threads, 0x9e37_79b9_7f4a_7c15 + thread));
        }
    });
}

fn play(count: u64, seed: u64) {
    let mut dice = Dice(seed);
    let mut lab = Lab::open(80, 24);
    for number in 0..count {
        // Now and then from the start, and sometimes with runs that go on and on.
        if number % 500 == 0 {
            lab = Lab::open(80, 24);
            lab.answers = dice.roll(3) > 0;
        }
        lab.effects.clear();
        let message = dice.message();
        lab.send(message);
        let (columns, rows) = lab.model.size;
        // The terminal may have changed before the model hears of it.
        let (columns, rows) = if dice.roll(50) == 0 {
            dice.size()
        } else {
            (columns, rows)
        };
        if dice.roll(4) == 0 {
            let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
            terminal.draw(|frame| view(&lab.model, frame)).unwrap();
        }
    }
}
