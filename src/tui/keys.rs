//! The one key table: input, the line of keys, the help and the book's page all come from it.
//!
//! It says what a key is called and where it holds; what it does is for `update`.

use std::fmt::Write as _;

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

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
    pub const ALL: [Self; 21] = [
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

const fn key(code: KeyCode) -> Stroke {
    Stroke { code, ctrl: false }
}
const fn ch(sign: char) -> Stroke {
    key(KeyCode::Char(sign))
}
const fn ctrl(sign: char) -> Stroke {
    Stroke {
        code: KeyCode::Char(sign),
        ctrl: true,
    }
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

const fn row(
    places: &'static [Place],
    keys: &'static [Stroke],
    act: Act,
    short: &'static str,
    long: &'static str,
) -> Binding {
    Binding {
        places,
        keys,
        act,
        short,
        long,
    }
}

use Place::{
    Contract, Fragment, Help, Home, Kind, Last, Line, Matrix, ProbeChoice, ProbeText, ProbeVerdict,
    Reader, Result, Running, Said, Saw, Stored, Sure, Task, Tests, Tracks,
};

const ENTER: &[Stroke] = &[key(KeyCode::Enter)];
const ESC: &[Stroke] = &[key(KeyCode::Esc)];
const UP: &[Stroke] = &[key(KeyCode::Up), ch('k')];
const DOWN: &[Stroke] = &[key(KeyCode::Down), ch('j')];
/// In a text the letters are text, so only the arrows move.
const ARROW_UP: &[Stroke] = &[key(KeyCode::Up)];
const ARROW_DOWN: &[Stroke] = &[key(KeyCode::Down)];
const LEFT: &[Stroke] = &[key(KeyCode::Left)];
const RIGHT: &[Stroke] = &[key(KeyCode::Right)];
const STEP: &[Place] = &[
    Contract, Fragment, Kind, Tests, Sure, Stored, Said, Running, Result,
];
const VIEWS: &[Place] = &[
    Contract, Fragment, Line, Kind, Tests, Sure, Stored, Said, Result, Saw,
];
const MOVING: &[Place] = &[Contract, Fragment, Stored, Said, Help, Reader, ProbeVerdict];
const PAGING: &[Place] = &[
    Home,
    Contract,
    Fragment,
    Line,
    Kind,
    Tests,
    Sure,
    Stored,
    Said,
    Running,
    Result,
    Saw,
    Matrix,
    Last,
    Help,
    Reader,
    Tracks,
    ProbeChoice,
    ProbeText,
    ProbeVerdict,
];
const PLAIN: &[Place] = &[
    Home,
    Contract,
    Fragment,
    Kind,
    Tests,
    Sure,
    Stored,
    Said,
    Running,
    Result,
    Matrix,
    Last,
    Help,
    Reader,
    Tracks,
    ProbeChoice,
    ProbeVerdict,
];
const PAGES: &[Place] = &[
    Home, Contract, Fragment, Kind, Tests, Sure, Stored, Said, Running, Result, Matrix, Last,
];
const QUESTIONS: &[Place] = &[Kind, Sure, Tests];
const PROBE: &[Place] = &[ProbeChoice, ProbeText];
const EVERYWHERE: &[Place] = &Place::ALL;

/// The table. The line of keys shows its rows in this order.
pub static TABLE: &[Binding] = &[
    row(
        &[Home],
        ENTER,
        Act::Next,
        "go on where you stopped",
        "Opens the lab where you stopped",
    ),
    row(
        &[Contract],
        ENTER,
        Act::Next,
        "the wrong change",
        "Shows what was changed",
    ),
    row(
        &[Fragment],
        ENTER,
        Act::Next,
        "predict",
        "Goes on to the prediction",
    ),
    row(
        &[Line],
        ENTER,
        Act::Next,
        "next question",
        "Keeps the line and asks the next question",
    ),
    row(
        &[Kind],
        ENTER,
        Act::Next,
        "this one",
        "Takes the marked answer and asks the next question",
    ),
    row(
        &[Tests],
        ENTER,
        Act::Next,
        "next",
        "Keeps the chosen tests and asks the last question",
    ),
    row(
        &[Sure],
        ENTER,
        Act::Next,
        "store it and run",
        "Stores the prediction, then runs the tests",
    ),
    row(
        &[Stored],
        ENTER,
        Act::Next,
        "run it",
        "Runs the tests for the stored prediction",
    ),
    row(&[Said], ENTER, Act::Next, "the result", "Shows the result"),
    row(
        &[Result],
        ENTER,
        Act::Next,
        "say what you saw",
        "Goes to the line about what you saw, then on to the next step",
    ),
    row(
        &[Saw],
        ENTER,
        Act::Next,
        "go on",
        "Keeps the line and goes on to the next step",
    ),
    row(
        &[Matrix],
        ENTER,
        Act::Next,
        "back",
        "Goes back to where you came from",
    ),
    row(
        &[Last],
        ENTER,
        Act::Next,
        "write an answer",
        "Opens the answer to the marked task",
    ),
    row(
        &[Task],
        ENTER,
        Act::Next,
        "keep it",
        "Keeps the answer and goes to the next task",
    ),
    row(
        &[Reader],
        ENTER,
        Act::Next,
        "back to the list",
        "Closes the test",
    ),
    row(&[Help], ENTER, Act::Next, "close", "Closes the help"),
    row(
        &[Tracks],
        ENTER,
        Act::Next,
        "this one",
        "Takes the marked language",
    ),
    row(
        PROBE,
        ENTER,
        Act::Next,
        "next item",
        "Goes to the next item; from the last one it runs your test",
    ),
    row(
        &[ProbeVerdict],
        ENTER,
        Act::Next,
        "the prediction",
        "Goes back to the prediction, or to the form if your test did not catch it",
    ),
    row(
        &[Running],
        ESC,
        Act::Back,
        "stop the run",
        "Stops the run; the prediction stays stored",
    ),
    row(
        &[Kind, Sure, Tracks, ProbeChoice],
        LEFT,
        Act::Left,
        "",
        "Marks the answer before",
    ),
    row(
        &[Kind, Sure, Tracks, ProbeChoice],
        &[key(KeyCode::Right), ch(' ')],
        Act::Right,
        "",
        "Marks the next answer",
    ),
    row(&[Kind, Sure], UP, Act::Left, "", "Marks the answer before"),
    row(
        &[Kind, Sure],
        DOWN,
        Act::Right,
        "↑↓ choose",
        "Marks the next answer",
    ),
    row(
        &[Tests],
        &[ch(' ')],
        Act::Choose,
        "choose",
        "Chooses the marked test, or takes it out again",
    ),
    row(
        &[Tests],
        &[ch('v')],
        Act::Read,
        "read",
        "Shows the whole script of the marked test, without what it expects",
    ),
    row(
        &[Result],
        &[ch(' ')],
        Act::Choose,
        "",
        "Lists the tests that passed, or folds them again",
    ),
    row(
        &[Line],
        &[ctrl('d')],
        Act::Unknown,
        "I don't know",
        "Answers \"I don't know\" and asks the next question",
    ),
    row(
        QUESTIONS,
        &[ch('d')],
        Act::Unknown,
        "don't know",
        "Answers \"I don't know\"; at the tests, stores it and runs",
    ),
    row(
        &[Tests],
        &[ch('p')],
        Act::Probe,
        "own test",
        "Lets you write a test of your own and tries it at once",
    ),
    row(
        &[Sure],
        &[ch('p')],
        Act::Probe,
        "",
        "Lets you write a test of your own and tries it at once",
    ),
    row(
        PROBE,
        &[ctrl('r')],
        Act::Choose,
        "run it",
        "Runs your test as it stands",
    ),
    row(
        PROBE,
        &[ctrl('e')],
        Act::Editor,
        "in an editor",
        "Opens your test in $VISUAL or $EDITOR",
    ),
    row(
        &[ProbeVerdict],
        &[ch('f')],
        Act::Choose,
        "the form",
        "Goes back to the form",
    ),
    row(
        &[ProbeVerdict],
        &[ch('e')],
        Act::Editor,
        "an editor",
        "Opens your test in $VISUAL or $EDITOR",
    ),
    row(
        &[Result],
        DOWN,
        Act::Down,
        "↑↓ tests",
        "Marks the test below",
    ),
    row(
        &[Tracks],
        DOWN,
        Act::Down,
        "↑↓ choose",
        "Marks the language below",
    ),
    row(
        &[Result, Said],
        &[ch('n')],
        Act::NextStep,
        "next step",
        "Goes to the next step",
    ),
    row(
        &[Result, Said],
        &[ch('a')],
        Act::Again,
        "again",
        "Begins a further prediction; the first one stays",
    ),
    row(
        &[Home, Tests, Result, Tracks, Last],
        UP,
        Act::Up,
        "",
        "Marks the line above",
    ),
    row(
        &[Home, Tests, Last],
        DOWN,
        Act::Down,
        "",
        "Marks the line below",
    ),
    row(PROBE, ARROW_UP, Act::Up, "", "Goes to the item above"),
    row(
        PROBE,
        ARROW_DOWN,
        Act::Down,
        "↑↓ items",
        "Goes to the item below",
    ),
    row(
        PROBE,
        &[key(KeyCode::Tab)],
        Act::Down,
        "",
        "Goes to the item below",
    ),
    row(
        PROBE,
        &[key(KeyCode::BackTab)],
        Act::Up,
        "",
        "Goes to the item above",
    ),
    row(
        &[Task],
        &[key(KeyCode::Tab)],
        Act::Next,
        "",
        "Keeps the answer and goes to the next task",
    ),
    row(&[Matrix], UP, Act::Up, "", "Marks the mutant above"),
    row(
        &[Matrix],
        DOWN,
        Act::Down,
        "↑↓←→ look around",
        "Marks the mutant below",
    ),
    row(&[Matrix], LEFT, Act::Left, "", "Marks the test to the left"),
    row(
        &[Matrix],
        RIGHT,
        Act::Right,
        "",
        "Marks the test to the right",
    ),
    row(MOVING, UP, Act::Up, "", "Shows what is above"),
    row(MOVING, DOWN, Act::Down, "", "Shows what is below"),
    row(
        PAGING,
        &[key(KeyCode::PageUp)],
        Act::PageUp,
        "",
        "Shows the page above",
    ),
    row(
        PAGING,
        &[key(KeyCode::PageDown)],
        Act::PageDown,
        "",
        "Shows the page below",
    ),
    row(
        PLAIN,
        &[key(KeyCode::Home)],
        Act::Top,
        "",
        "Goes to the start",
    ),
    row(
        PLAIN,
        &[key(KeyCode::End)],
        Act::Bottom,
        "",
        "Goes to the end",
    ),
    row(
        &[Last],
        &[ch('x')],
        Act::Export,
        "write it all to a file",
        "Writes everything you said to a Markdown file in the current folder",
    ),
    row(
        VIEWS,
        &[key(KeyCode::Tab)],
        Act::ViewOn,
        "",
        "Shows the next view that is open",
    ),
    row(
        VIEWS,
        &[key(KeyCode::BackTab)],
        Act::ViewBack,
        "",
        "Shows the view before",
    ),
    row(
        &[Contract, Fragment, Stored, Said, Result],
        RIGHT,
        Act::ViewOn,
        "",
        "Shows the next view that is open",
    ),
    row(
        &[Contract, Fragment, Stored, Said, Result],
        LEFT,
        Act::ViewBack,
        "",
        "Shows the view before",
    ),
    row(
        &[Contract, Result, Home, Last],
        &[ch('m')],
        Act::Matrix,
        "matrix",
        "Shows every change against every test, as far as you have run them",
    ),
    row(
        &[Matrix],
        &[ch('m')],
        Act::Next,
        "",
        "Goes back to where you came from",
    ),
    row(
        &[Home],
        &[ch('t')],
        Act::Track,
        "language",
        "Chooses the language you work in",
    ),
    row(
        STEP,
        &[ch('t')],
        Act::Track,
        "",
        "Chooses the language you work in",
    ),
    row(STEP, &[ch(']')], Act::StepOn, "", "Goes to the next step"),
    row(
        STEP,
        &[ch('[')],
        Act::StepBack,
        "",
        "Goes to the step before",
    ),
    row(
        &[
            Home, Contract, Fragment, Kind, Tests, Sure, Stored, Said, Running, Result, Matrix,
            Last,
        ],
        &[
            ch('1'),
            ch('2'),
            ch('3'),
            ch('4'),
            ch('5'),
            ch('6'),
            ch('7'),
            ch('8'),
            ch('9'),
        ],
        Act::Jump,
        "",
        "Goes to the step with this number",
    ),
    row(&[Line], ESC, Act::Back, "back", "Goes back to the fragment"),
    row(
        &[Saw, Task],
        ESC,
        Act::Back,
        "leave the line",
        "Leaves the line; what is typed stays",
    ),
    row(
        &[
            Contract, Fragment, Kind, Tests, Sure, Stored, Said, Result, Last,
        ],
        ESC,
        Act::Back,
        "",
        "Goes back",
    ),
    row(&[Home], ESC, Act::Back, "", "Hides a warning"),
    row(
        &[Matrix, Reader, Help, Tracks],
        ESC,
        Act::Back,
        "",
        "Closes it",
    ),
    row(
        &[ProbeVerdict],
        ESC,
        Act::Back,
        "the prediction",
        "Goes back to the prediction",
    ),
    row(PROBE, ESC, Act::Back, "give up", "Closes the form"),
    row(
        &[
            Contract, Fragment, Kind, Tests, Sure, Stored, Said, Running, Result, Matrix, Last,
        ],
        &[ch('h')],
        Act::Home,
        "",
        "Shows the first page",
    ),
    row(PAGES, &[ch('?')], Act::Help, "help", "Shows all keys"),
    row(
        &[ProbeChoice, ProbeVerdict, Reader, Tracks],
        &[ch('?')],
        Act::Help,
        "",
        "Shows all keys",
    ),
    row(&[Help], &[ch('?')], Act::Next, "", "Closes the help"),
    row(
        PLAIN,
        &[ch('q')],
        Act::Quit,
        "quit",
        "Ends the program; everything is saved already",
    ),
    row(
        &[Line, Saw, Task, ProbeText],
        &[ctrl('c')],
        Act::Abort,
        "quit",
        "Ends the program; everything is saved already",
    ),
    row(
        PLAIN,
        &[ctrl('c')],
        Act::Abort,
        "",
        "Ends the program, and a run with it",
    ),
    row(
        EVERYWHERE,
        &[ctrl('z')],
        Act::Suspend,
        "",
        "Pauses the program; the shell's `fg` brings it back",
    ),
    row(
        EVERYWHERE,
        &[ctrl('l')],
        Act::Redraw,
        "",
        "Draws the screen anew",
    ),
];

/// Finds what a key asks for at a place.
#[must_use]
pub fn lookup(place: Place, event: KeyEvent) -> Option<Act> {
    let is = |binding: &&Binding| {
        binding.places.contains(&place) && binding.keys.iter().any(|stroke| stroke.is(event))
    };
    TABLE.iter().find(is).map(|binding| binding.act)
}

/// Lists the keys of a place for the line of keys: the key and what it does.
///
/// A short name that begins with its own keys is shown as it is.
#[must_use]
pub fn line(place: Place) -> Vec<(String, &'static str)> {
    shown(place)
        .filter(|binding| !binding.short.is_empty())
        .map(|binding| match binding.short.split_once(' ') {
            Some((keys, what)) if keys.contains(['←', '↑']) => (keys.to_owned(), what),
            _ => (binding.keys[0].name(), binding.short),
        })
        .collect()
}

/// Lists all keys of a place for the help.
#[must_use]
pub fn help(place: Place) -> Vec<(String, &'static str)> {
    shown(place)
        .map(|binding| {
            let names: Vec<String> = match binding.keys {
                [first, .., last] if binding.act == Act::Jump => {
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
