//! What a subject asked of the lab in the middle of a call, and what it was told.
//!
//! Facts only: whether it should have asked is for `verdict`.

use serde_json::{Map, Value};

use crate::model::{CallbackAnswer, Callbacks};

/// The most callbacks that are answered in one line of a script.
pub const MOST: usize = 1000;

/// A callback as the subject called it.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// The callback's name.
    pub name: String,
    /// Its arguments.
    pub with: Map<String, Value>,
}

/// Answers the callbacks of one line, and keeps what was asked.
#[derive(Debug)]
pub struct Desk<'l> {
    callbacks: Option<&'l Callbacks>,
    asked: Vec<Asked>,
}

impl<'l> Desk<'l> {
    /// Opens a desk that answers as a line says.
    #[must_use]
    pub const fn of(callbacks: &'l Callbacks) -> Self {
        Self {
            callbacks: Some(callbacks),
            asked: Vec::new(),
        }
    }

    /// Opens a desk that refuses whatever is asked.
    #[must_use]
    pub const fn closed() -> Self {
        Self {
            callbacks: None,
            asked: Vec::new(),
        }
    }

    /// Keeps what was asked, and says what to answer; nothing once too much was asked.
    pub fn answer(&mut self, asked: Asked) -> Option<CallbackAnswer> {
        let known = self.callbacks.and_then(|known| known.answer(&asked.name));
        let answer = known.map_or_else(
            || CallbackAnswer::Raises(format!("`{}` must not be called here", asked.name)),
            |callback| callback.answer.clone(),
        );
        self.asked.push(asked);
        (self.asked.len() <= MOST).then_some(answer)
    }

    /// Returns what was asked, in order.
    #[must_use]
    pub fn close(self) -> Vec<Asked> {
        self.asked
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Callback;

    fn asked(name: &str) -> Asked {
        Asked {
            name: name.to_owned(),
            with: Map::new(),
        }
    }

    #[test]
    fn a_desk_answers_what_it_knows_and_keeps_all_that_was_asked() {
        let pay = Callback {
            name: "pay".to_owned(),
            with: None,
            answer: CallbackAnswer::Gives(Value::Bool(true)),
        };
        let callbacks = Callbacks {
            answers: vec![pay],
            called: Vec::new(),
        };
        let mut desk = Desk::of(&callbacks);
        let gives = CallbackAnswer::Gives(Value::Bool(true));
        let refuses = CallbackAnswer::Raises("`other` must not be called here".to_owned());
        assert_eq!(desk.answer(asked("pay")), Some(gives));
        assert_eq!(desk.answer(asked("other")), Some(refuses.clone()));
        assert_eq!(desk.close(), [asked("pay"), asked("other")]);
        assert_eq!(Desk::closed().answer(asked("other")), Some(refuses));
    }

    #[test]
    fn a_subject_that_asks_without_end_has_no_answer_any_more() {
        let mut desk = Desk::closed();
        assert!((0..MOST).all(|_| desk.answer(asked("pay")).is_some()));
        assert_eq!(desk.answer(asked("pay")), None);
        assert_eq!(desk.close().len(), MOST + 1);
    }
}
