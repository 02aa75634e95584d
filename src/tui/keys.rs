//! The one key table: input, the line of keys, the help and the book's page all come from it.
//!
//! It says what a key is called and where it holds; what it does is for `update`.

mod table;

use std::fmt::Write as _;

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

pub use self::table::TABLE;

/// Where a key is pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    /// The first page.
    Home,
    /// The contract of a step.
    Contract,
    /// The changed fragment.
    Fragment,
    /// The first question: a line of text.
    Line,
    /// The second question: what kind of observation.
    Kind,
    /// The third question: which tests.
    Tests,
    /// The last question: how sure.
    Sure,
    /// The prediction is stored and was not run.
    Stored,
    /// The prediction is stored and was run.
    Said,
    /// While a run goes on.
    Running,
    /// The result of a run.
    Result,
    /// The line about what was seen.
    Saw,
    /// The further wrong changes of a step.
    Catalogue,
    /// The learner's own code.
    Own,
    /// The matrix.
    Matrix,
    /// The last page.
    Last,
    /// The answer to a closing task.
    Task,
    /// A test, by its calls alone.
    Reader,
    /// The help.
    Help,
    /// The choice of the language.
    Tracks,
    /// An item of the probe form that is chosen.
    ProbeChoice,
    /// An item of the probe form that is typed.
    ProbeText,
    /// The verdict of a probe.
    ProbeVerdict,
}

impl Place {
    /// All places, in the order of the book's key page.
    pub const ALL: [Self; 23] = [
        Self::Home,
        Self::Contract,
        Self::Fragment,
        Self::Line,
        Self::Kind,
        Self::Tests,
        Self::Sure,
        Self::Stored,
        Self::Said,
        Self::Running,
        Self::Result,
        Self::Saw,
        Self::Catalogue,
        Self::Own,
        Self::Matrix,
        Self::Last,
        Self::Task,
        Self::Reader,
        Self::Help,
        Self::Tracks,
        Self::ProbeChoice,
        Self::ProbeText,
        Self::ProbeVerdict,
    ];

    /// Returns the name of the place, as help and book show it.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Home => "Home",
            Self::Contract => "Contract",
            Self::Fragment => "Fragment",
            Self::Line => "Predict: what would show it",
            Self::Kind => "Predict: seen in",
            Self::Tests => "Predict: which tests",
            Self::Sure => "Predict: how sure",
            Self::Stored => "A stored prediction",
            Self::Said => "Predict, after the run",
            Self::Running => "During a run",
            Self::Result => "Result",
            Self::Saw => "Result: what you saw",
            Self::Catalogue => "More wrong changes",
            Self::Own => "Your code",
            Self::Matrix => "Matrix",
            Self::Last => "Last page",
            Self::Task => "A closing task",
            Self::Reader => "Reading a test",
            Self::Help => "Help",
            Self::Tracks => "Choice of language",
            Self::ProbeChoice => "Your own test: a choice",
            Self::ProbeText => "Your own test: a text",
            Self::ProbeVerdict => "Your own test: its verdict",
        }
    }

    /// Tells whether letters are text here.
    #[must_use]
    pub const fn is_text(self) -> bool {
        matches!(self, Self::Line | Self::Saw | Self::Task | Self::ProbeText)
    }
}

/// What a key asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Act {
    /// The obvious next thing.
    Next,
    /// Back, cancel, close.
    Back,
    /// One item up.
    Up,
    /// One item down.
    Down,
    /// One item to the left.
    Left,
    /// One item to the right.
    Right,
    /// A page up.
    PageUp,
    /// A page down.
    PageDown,
    /// To the start.
    Top,
    /// To the end.
    Bottom,
    /// The next open view.
    ViewOn,
    /// The view before.
    ViewBack,
    /// Chooses or opens the item under the cursor.
    Choose,
    /// Reads the test under the cursor.
    Read,
    /// "I don't know".
    Unknown,
    /// Begins a test of one's own.
    Probe,
    /// Opens the editor.
    Editor,
    /// Begins a further prediction, as practice.
    Again,
    /// Lists further wrong changes of the step.
    Further,
    /// Shows the learner's own code.
    Own,
    /// Shows a copy of the reference to break.
    BreakIt,
    /// Marks the answer whose digit was pressed.
    Pick,
    /// Goes to the tests of the next step in the list.
    NextGroup,
    /// Goes to the next step.
    NextStep,
    /// Goes to the next step that is open, from the rail.
    StepOn,
    /// Goes to the step before.
    StepBack,
    /// Goes to the step whose digit was pressed.
    Jump,
    /// Shows the matrix.
    Matrix,
    /// Shows the first page.
    Home,
    /// Shows the keys.
    Help,
    /// Chooses the language.
    Track,
    /// Writes the answers to a file.
    Export,
    /// Ends the program.
    Quit,
    /// Ends the program, and a run with it.
    Abort,
    /// Pauses the program.
    Suspend,
    /// Draws everything anew.
    Redraw,
}

/// One press of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stroke {
    code: KeyCode,
    ctrl: bool,
}

impl Stroke {
    fn is(self, event: KeyEvent) -> bool {
        let ctrl = event.modifiers.contains(KeyModifiers::CONTROL);
        let alt = event.modifiers.contains(KeyModifiers::ALT);
        let code = match event.code {
            // A terminal with caps lock sends capitals; commands are small letters.
            KeyCode::Char(sign) if ctrl => KeyCode::Char(sign.to_ascii_lowercase()),
            code => code,
        };
        code == self.code && ctrl == self.ctrl && !alt
    }

    /// Returns the name of the key, as the screen shows it.
    #[must_use]
    pub fn name(self) -> String {
        let name = match self.code {
            KeyCode::Enter => "↵".to_owned(),
            KeyCode::Esc => "Esc".to_owned(),
            KeyCode::Tab => "Tab".to_owned(),
            KeyCode::BackTab => "⇧Tab".to_owned(),
            KeyCode::Up => "↑".to_owned(),
            KeyCode::Down => "↓".to_owned(),
            KeyCode::Left => "←".to_owned(),
            KeyCode::Right => "→".to_owned(),
            KeyCode::PageUp => "PgUp".to_owned(),
            KeyCode::PageDown => "PgDn".to_owned(),
            KeyCode::Home => "Home".to_owned(),
            KeyCode::End => "End".to_owned(),
            KeyCode::Char(' ') => "space".to_owned(),
            KeyCode::Char(sign) => sign.to_string(),
            _ => "?".to_owned(),
        };
        if self.ctrl {
            format!("ctrl-{name}")
        } else {
            name
        }
    }
}

/// A row of the table.
#[derive(Debug)]
pub struct Binding {
    /// Where it holds.
    pub places: &'static [Place],
    /// The keys that do it.
    pub keys: &'static [Stroke],
    /// What it asks for.
    pub act: Act,
    /// What the line of keys calls it; empty if it is not in the line.
    pub short: &'static str,
    /// What the help says.
    pub long: &'static str,
}

/// Finds what a key asks for at a place.
#[must_use]
pub fn lookup(place: Place, event: KeyEvent) -> Option<Act> {
    let is = |binding: &&Binding| {
        binding.places.contains(&place) && binding.keys.iter().any(|stroke| stroke.is(event))
    };
    TABLE.iter().find(is).map(|binding| binding.act)
}

/// The two keys from step to step, as the line of keys names them.
const BRACKETS: &str = "[ ] ";

/// Lists the keys of a place for the line of keys: the key and what it does.
///
/// A short name that begins with its own keys is shown as it is.
#[must_use]
pub fn line(place: Place) -> Vec<(String, &'static str)> {
    shown(place)
        .filter(|binding| !binding.short.is_empty())
        .map(|binding| {
            if let Some(what) = binding.short.strip_prefix(BRACKETS) {
                return (BRACKETS.trim_end().to_owned(), what);
            }
            match binding.short.split_once(' ') {
                Some((keys, what)) if keys.contains(['←', '↑']) => (keys.to_owned(), what),
                _ => (binding.keys[0].name(), binding.short),
            }
        })
        .collect()
}

/// Lists all keys of a place for the help.
#[must_use]
pub fn help(place: Place) -> Vec<(String, &'static str)> {
    shown(place)
        .map(|binding| {
            let names: Vec<String> = match binding.keys {
                [first, .., last] if matches!(binding.act, Act::Jump | Act::Pick) => {
                    vec![format!("{}…{}", first.name(), last.name())]
                }
                keys => keys.iter().map(|stroke| stroke.name()).collect(),
            };
            (names.join(" "), binding.long)
        })
        .collect()
}

fn shown(place: Place) -> impl Iterator<Item = &'static Binding> {
    TABLE
        .iter()
        .filter(move |binding| binding.places.contains(&place))
}

/// Writes the whole table as a page of Markdown, for the book.
#[must_use]
pub fn markdown() -> String {
    let mut page = String::from("# Keys\n\nEnter is always the obvious next thing.\n");
    for place in Place::ALL {
        let _ = write!(
            page,
            "\n## {}\n\n| key | what it does |\n|---|---|\n",
            place.title()
        );
        for (keys, what) in help(place) {
            let _ = writeln!(page, "| `{keys}` | {what} |");
        }
    }
    page.push_str(
        "\nIn a text: arrows, Home, End, Backspace, Del, and ctrl-a ctrl-e (start, end), \
         ctrl-w (word), ctrl-u ctrl-k (to the start, to the end).\n",
    );
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_does_two_things_at_one_place() {
        for place in Place::ALL {
            let mut seen: Vec<(Stroke, Act)> = Vec::new();
            for binding in shown(place) {
                for stroke in binding.keys {
                    if let Some((_, act)) = seen.iter().find(|(known, _)| known == stroke) {
                        panic!(
                            "{place:?}: {} does {act:?} and {:?}",
                            stroke.name(),
                            binding.act
                        );
                    }
                    seen.push((*stroke, binding.act));
                }
            }
        }
    }

    #[test]
    fn in_a_text_no_plain_letter_is_a_command() {
        for place in Place::ALL.into_iter().filter(|place| place.is_text()) {
            for binding in shown(place) {
                for stroke in binding.keys {
                    let is_letter = matches!(stroke.code, KeyCode::Char(_)) && !stroke.ctrl;
                    assert!(!is_letter, "{place:?}: {}", stroke.name());
                }
            }
        }
    }

    #[test]
    fn every_place_has_a_next_key_and_a_way_out() {
        for place in Place::ALL {
            let keys = line(place);
            assert!(!keys.is_empty(), "{place:?}");
            let acts: Vec<Act> = shown(place).map(|binding| binding.act).collect();
            assert!(
                acts.contains(&Act::Quit) || acts.contains(&Act::Abort),
                "{place:?}"
            );
            assert!(
                acts.contains(&Act::Next) || place == Place::Running,
                "{place:?}"
            );
            assert!(acts.contains(&Act::Back), "{place:?}");
        }
    }
}
