//! The rows of the key table. It only names; what a key does is for `update`.

use ratatui::crossterm::event::KeyCode;

use super::{Act, Binding, Place, Stroke};
use Place::{
    Catalogue, Contract, Fragment, Help, Home, Kind, Last, Line, Matrix, Own, ProbeChoice,
    ProbeText, ProbeVerdict, Reader, Result, Running, Said, Saw, Stored, Sure, Task, Tests, Tracks,
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
const STEP: &[Place] = &[Fragment, Kind, Tests, Sure, Stored, Said, Running, Result];
const VIEWS: &[Place] = &[
    Contract, Fragment, Line, Kind, Tests, Sure, Stored, Said, Result, Saw,
];
const MOVING: &[Place] = &[
    Contract,
    Fragment,
    Stored,
    Said,
    Own,
    Help,
    Reader,
    ProbeVerdict,
];
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
    Catalogue,
    Own,
    Matrix,
    Last,
    Help,
    Reader,
    Tracks,
    ProbeChoice,
    ProbeText,
    ProbeVerdict,
    Task,
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
    Catalogue,
    Own,
    Matrix,
    Last,
    Help,
    Reader,
    Tracks,
    ProbeChoice,
    ProbeVerdict,
];
const PAGES: &[Place] = &[
    Home, Contract, Fragment, Kind, Tests, Sure, Stored, Said, Running, Result, Catalogue, Own,
    Matrix, Last,
];
const PROBE: &[Place] = &[ProbeChoice, ProbeText];
const EVERYWHERE: &[Place] = &Place::ALL;

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

/// The table. The line of keys shows its rows in this order.
// A row a line, so that it can be read as the table it is.
#[rustfmt::skip]
pub static TABLE: &[Binding] = &[
    row(&[Home], ENTER, Act::Next, "go on where you stopped", "Opens the lab where you stopped"),
    row(&[Contract], ENTER, Act::Next, "the wrong change", "Shows what was changed"),
    row(&[Fragment], ENTER, Act::Next, "predict", "Goes on to the prediction"),
    row(&[Line], ENTER, Act::Next, "next question", "Keeps the line and asks the next question"),
    row(&[Kind], ENTER, Act::Next, "this one", "Takes the marked answer and asks the next question"),
    row(&[Tests], ENTER, Act::Next, "next", "Keeps the chosen tests and asks the last question"),
    row(&[Sure], ENTER, Act::Next, "store it and run", "Stores the prediction, then runs the tests"),
    row(&[Stored], ENTER, Act::Next, "run it", "Runs the tests for the stored prediction"),
    row(&[Said], ENTER, Act::Next, "the result", "Shows the result"),
    row(&[Result], ENTER, Act::Next, "say what you saw",
        "Goes to the line about what you saw, then on to the next step"),
    row(&[Saw], ENTER, Act::Next, "go on", "Keeps the line and goes on to the next step"),
    row(&[Catalogue], ENTER, Act::Next, "this one", "Opens the marked change: fragment, prediction, run"),
    row(&[Own], &[key(KeyCode::Enter), ch('r')], Act::Next, "run now",
        "Runs the tests now; where there is no folder yet, makes it"),
    row(&[Own], &[ch('e')], Act::Editor, "edit", "Opens your file in $VISUAL or $EDITOR"),
    row(&[Matrix], ENTER, Act::Next, "back", "Goes back to where you came from"),
    row(&[Last], ENTER, Act::Next, "write an answer", "Opens the answer to the marked task"),
    row(&[Task], ENTER, Act::Next, "keep it", "Keeps the answer and goes to the next task"),
    row(&[Reader], ENTER, Act::Next, "back to the list", "Closes the test"),
    row(&[Help], ENTER, Act::Next, "close", "Closes the help"),
    row(&[Tracks], ENTER, Act::Next, "this one", "Takes the marked language"),
    row(PROBE, ENTER, Act::Next, "next item", "Goes to the next item; from the last one it runs your test"),
    row(&[ProbeVerdict], ENTER, Act::Next, "the prediction",
        "Goes back to the prediction, or to the form if your test did not catch it"),
    row(&[Running], ESC, Act::Back, "stop the run", "Stops the run; the prediction stays stored"),
    row(&[Kind, Sure, Tracks, ProbeChoice], LEFT, Act::Left, "", "Marks the answer before"),
    row(&[Kind, Sure, Tracks, ProbeChoice], &[key(KeyCode::Right), ch(' ')], Act::Right, "", "Marks the next answer"),
    row(&[Kind], &[ch('1'), ch('2'), ch('3'), ch('4'), ch('5')], Act::Pick, "", "Marks the answer with this number"),
    row(&[Sure], &[ch('1'), ch('2'), ch('3')], Act::Pick, "", "Marks the answer with this number"),
    row(&[Kind, Sure], UP, Act::Left, "", "Marks the answer before"),
    row(&[Kind, Sure], DOWN, Act::Right, "↑↓ choose", "Marks the next answer"),
    row(&[Tests], &[ch(' ')], Act::Choose, "choose", "Chooses the marked test, or takes it out again"),
    row(&[Tests], &[ch('v')], Act::Read, "read", "Shows the whole script of the marked test, without what it expects"),
    row(&[Result], &[ch(' ')], Act::Choose, "", "Lists the tests that passed, or folds them again"),
    row(&[Line], &[ctrl('d')], Act::Unknown, "I don't know", "Answers \"I don't know\" and asks the next question"),
    row(&[Kind], &[ch('d')], Act::Unknown, "don't know", "Answers \"I don't know\" and asks the next question"),
    row(&[Tests], &[ch('e')], Act::NextGroup, "", "Goes to the tests of the step before in the list, and from the last ones to the start"),
    row(&[Tests], &[ch('d')], Act::Unknown, "don't know: store and run", "Answers \"I don't know\", stores the prediction and runs"),
    row(&[Sure], &[ch('d')], Act::Unknown, "don't know", "Stores the prediction without saying how sure, and runs"),
    row(&[Tests], &[ch('p')], Act::Probe, "own test", "Lets you write a test of your own and tries it at once"),
    row(&[Sure], &[ch('p')], Act::Probe, "", "Lets you write a test of your own and tries it at once"),
    row(PROBE, &[ctrl('r')], Act::Choose, "run it", "Runs your test as it stands"),
    row(PROBE, &[ctrl('e')], Act::Editor, "in an editor", "Opens your test in $VISUAL or $EDITOR"),
    row(&[ProbeVerdict], &[ch('f')], Act::Choose, "the form", "Goes back to the form"),
    row(&[ProbeVerdict], &[ch('e')], Act::Editor, "an editor", "Opens your test in $VISUAL or $EDITOR"),
    row(&[Tracks], DOWN, Act::Down, "↑↓ choose", "Marks the language below"),
    row(&[Catalogue], DOWN, Act::Down, "↑↓ choose", "Marks the change below"),
    row(&[Result, Said, Catalogue], &[ch('n')], Act::NextStep, "next", "Goes to the next step"),
    row(&[Result, Said], &[ch('a')], Act::Again, "again", "Begins a further prediction; the first one stays"),
    row(&[Result, Said], &[ch('c')], Act::Further, "more", "Lists more wrong changes of this step, as practice"),
    row(&[Contract, Fragment], &[ch('c')], Act::Further, "", "Lists more wrong changes of this step, once it is done"),
    row(&[Result], DOWN, Act::Down, "↑↓ tests", "Marks the test below"),
    row(&[Home], DOWN, Act::Down, "↑↓ labs", "Marks the lab below"),
    row(&[Home, Tests, Result, Catalogue, Tracks, Last], UP, Act::Up, "", "Marks the line above"),
    row(&[Tests, Last], DOWN, Act::Down, "", "Marks the line below"),
    row(PROBE, ARROW_UP, Act::Up, "", "Goes to the item above"),
    row(PROBE, ARROW_DOWN, Act::Down, "↑↓ items", "Goes to the item below"),
    row(PROBE, &[key(KeyCode::Tab)], Act::Down, "", "Goes to the item below"),
    row(PROBE, &[key(KeyCode::BackTab)], Act::Up, "", "Goes to the item above"),
    row(&[Task], &[key(KeyCode::Tab)], Act::Next, "", "Keeps the answer and goes to the next task"),
    row(&[Matrix], UP, Act::Up, "", "Marks the mutant above"),
    row(&[Matrix], DOWN, Act::Down, "↑↓←→ look around", "Marks the mutant below"),
    row(&[Matrix], LEFT, Act::Left, "", "Marks the test to the left"),
    row(&[Matrix], RIGHT, Act::Right, "", "Marks the test to the right"),
    row(MOVING, UP, Act::Up, "", "Shows what is above"),
    row(MOVING, DOWN, Act::Down, "", "Shows what is below"),
    row(PAGING, &[key(KeyCode::PageUp)], Act::PageUp, "", "Shows the page above"),
    row(PAGING, &[key(KeyCode::PageDown)], Act::PageDown, "", "Shows the page below"),
    row(PLAIN, &[key(KeyCode::Home)], Act::Top, "", "Goes to the start"),
    row(PLAIN, &[key(KeyCode::End)], Act::Bottom, "", "Goes to the end"),
    row(&[Last], &[ch('b')], Act::BreakIt, "break it", "Shows a copy of the reference that is yours to break"),
    row(&[Last], &[ch('x')], Act::Export, "write it all to a file",
        "Writes everything you said to a Markdown file in the current folder"),
    row(VIEWS, &[key(KeyCode::Tab)], Act::ViewOn, "", "Shows the next view that is open"),
    row(VIEWS, &[key(KeyCode::BackTab)], Act::ViewBack, "", "Shows the view before"),
    row(&[Contract, Fragment, Stored, Said, Result], RIGHT, Act::ViewOn, "", "Shows the next view that is open"),
    row(&[Contract, Fragment, Stored, Said, Result], LEFT, Act::ViewBack, "", "Shows the view before"),
    row(&[Contract], &[ch('y')], Act::Own, "your code",
        "Runs the tests over your own code, and again whenever you save it"),
    row(&[Contract, Result, Home, Last], &[ch('m')], Act::Matrix, "matrix",
        "Shows every change against every test, as far as you have run them"),
    row(&[Fragment, Stored, Said, Result, Matrix], &[ch('y')], Act::Own, "your code",
        "Runs the tests over your own code, and again whenever you save it"),
    row(&[Home, Last], &[ch('y')], Act::Own, "",
        "Runs the tests over your own code, and again whenever you save it"),
    row(&[Matrix], &[ch('m')], Act::Next, "", "Goes back to where you came from"),
    row(&[Home], &[ch('t')], Act::Track, "language", "Chooses the language you work in"),
    row(&[Own], &[ch('t')], Act::Track, "", "Chooses the language of a new folder"),
    row(&[Contract], &[ch('t')], Act::Track, "", "Chooses the language you work in"),
    row(STEP, &[ch('t')], Act::Track, "", "Chooses the language you work in"),
    row(&[Contract], &[ch(']')], Act::StepOn, "[ ] steps", "Goes to the next step"),
    row(STEP, &[ch(']')], Act::StepOn, "", "Goes to the next step"),
    row(&[Contract], &[ch('[')], Act::StepBack, "", "Goes to the step before"),
    row(STEP, &[ch('[')], Act::StepBack, "", "Goes to the step before"),
    row(&[Own], &[ch(']')], Act::StepOn, "", "Runs the tests up to the next step"),
    row(&[Own], &[ch('[')], Act::StepBack, "", "Runs the tests up to the step before"),
    row(&[Home, Contract, Fragment, Tests, Stored, Said, Running, Result, Catalogue, Own, Matrix, Last], &[ch('1'), ch('2'), ch('3'), ch('4'), ch('5'), ch('6'), ch('7'), ch('8'), ch('9')], Act::Jump, "",
        "Goes to the step with this number"),
    row(&[Home, Contract, Fragment, Tests, Stored, Said, Running, Result, Catalogue, Own, Matrix, Last], &[ch('0')], Act::Jump, "",
        "Goes to step 10; from there ] goes on"),
    row(&[Line], ESC, Act::Back, "back", "Goes back to the fragment"),
    row(&[Saw, Task], ESC, Act::Back, "leave the line", "Leaves the line; what is typed stays"),
    row(&[Contract, Fragment, Kind, Tests, Sure, Stored, Said, Result, Last], ESC, Act::Back, "", "Goes back"),
    row(&[Home], ESC, Act::Back, "", "Hides a warning"),
    row(&[Matrix, Reader, Help, Tracks], ESC, Act::Back, "", "Closes it"),
    row(&[Own], ESC, Act::Back, "back", "Goes back; a run is ended"),
    row(&[Catalogue], ESC, Act::Back, "back to the step", "Goes back to the step's own result"),
    row(&[ProbeVerdict], ESC, Act::Back, "the prediction", "Goes back to the prediction"),
    row(PROBE, ESC, Act::Back, "give up", "Closes the form"),
    row(&[Contract, Fragment, Kind, Tests, Sure, Stored, Said, Running, Result, Catalogue, Own, Matrix, Last], &[ch('h')], Act::Home, "",
        "Shows the first page, or the list that a further change came from"),
    row(PAGES, &[ch('?')], Act::Help, "help", "Shows all keys"),
    row(&[ProbeChoice, ProbeVerdict, Reader, Tracks], &[ch('?')], Act::Help, "", "Shows all keys"),
    row(&[Help], &[ch('?')], Act::Next, "", "Closes the help"),
    row(PLAIN, &[ch('q')], Act::Quit, "quit", "Ends the program; everything is saved already"),
    row(&[Line, Saw, Task, ProbeText], &[ctrl('c')], Act::Abort, "quit",
        "Ends the program; everything is saved already"),
    row(PLAIN, &[ctrl('c')], Act::Abort, "", "Ends the program, and a run with it"),
    row(EVERYWHERE, &[ctrl('z')], Act::Suspend, "", "Pauses the program; the shell's `fg` brings it back"),
    row(EVERYWHERE, &[ctrl('l')], Act::Redraw, "", "Draws the screen anew"),
];
