//! Resolves a call of a script, and what it may answer.

use serde_json::{Map, Value};

use super::super::Step::{Item, Key};
use super::{Resolver, Way, join, raw};
use crate::model::{Action, Call, Expected, Raises};

impl Resolver<'_, '_> {
    pub(super) fn call_line(&mut self, function: &str, raw: &raw::Line, way: &Way<'_>) -> Action {
        let nothing = Map::new();
        let with = raw.with.as_ref().unwrap_or(&nothing);
        let call = self.call(function, with, raw.process.unwrap_or(1), way);
        let expect = match &raw.one_of {
            Some(cases) => {
                let way = join(way, &[Key("one_of")]);
                let cases = cases.iter().enumerate();
                cases
                    .filter_map(|(place, case)| {
                        self.outcome(Some(function), case, &join(&way, &[Item(place)]))
                    })
                    .collect()
            }
            None => self
                .expected(
                    Some(function),
                    raw.returns.as_ref(),
                    raw.raises.as_deref(),
                    way,
                )
                .into_iter()
                .collect(),
        };
        Action::Call { call, expect }
    }

    pub(super) fn call(
        &mut self,
        function: &str,
        with: &Map<String, Value>,
        process: usize,
        way: &Way<'_>,
    ) -> Call {
        let at = join(way, &[Key("call")]);
        match self.lab.steps.iter().find(|step| step.id == function) {
            None => {
                let known = self.lab.steps.iter().map(|step| step.id.as_str());
                self.reporter
                    .unknown("unknown-function", &at, "function", function, known);
            }
            Some(step) if step.number > self.step => {
                let title = format!(
                    "`{function}` belongs to step {}, and this is a test of step {}",
                    step.number, self.step
                );
                self.reporter.report(
                    "later-step",
                    &at,
                    &title,
                    "call only functions of the test's step or earlier ones",
                );
            }
            Some(step) => {
                let known: Vec<&str> = step
                    .arguments
                    .iter()
                    .map(|argument| argument.name.as_str())
                    .collect();
                for name in with.keys().filter(|name| !known.contains(&name.as_str())) {
                    let at = join(way, &[Key("with"), Key(name)]);
                    self.reporter.unknown(
                        "unknown-argument",
                        &at,
                        "argument",
                        name,
                        known.iter().copied(),
                    );
                }
                for argument in &step.arguments {
                    if !argument.optional && !with.contains_key(&argument.name) {
                        let title = format!("`{function}` needs the argument `{}`", argument.name);
                        self.reporter.report(
                            "missing-argument",
                            &at,
                            &title,
                            "add it under `with:`",
                        );
                    }
                }
            }
        }
        if process == 0 || process > 16 {
            self.reporter.report(
                "wrong-process",
                &join(way, &[Key("process")]),
                "a process has a number from 1 to 16",
                "1 is the one that calls without a number use",
            );
        }
        Call {
            function: function.to_owned(),
            with: with.clone(),
            process: process.clamp(1, 16),
        }
    }

    pub(super) fn expected(
        &mut self,
        function: Option<&str>,
        returns: Option<&Value>,
        raises: Option<&str>,
        way: &Way<'_>,
    ) -> Option<Expected> {
        match (returns, raises) {
            (Some(_), Some(_)) => {
                self.reporter.report(
                    "two-expectations",
                    way,
                    "a call cannot both return and raise",
                    "keep one, or use `one_of`",
                );
                None
            }
            (Some(Value::Bool(truth)), None) if self.answers_truth(function) => {
                Some(Expected::Truth(*truth))
            }
            (Some(value), None) => Some(Expected::Returns(value.clone())),
            (None, Some(word)) => Some(Expected::Raises(self.word(
                &join(way, &[Key("raises")]),
                Some(word),
                &[
                    ("any", Raises::Any),
                    ("bad_argument", Raises::BadArgument),
                    ("conflict", Raises::Conflict),
                    ("in_progress", Raises::InProgress),
                ],
            ))),
            (None, None) => None,
        }
    }

    fn answers_truth(&self, function: Option<&str>) -> bool {
        let step = self
            .lab
            .steps
            .iter()
            .find(|step| Some(step.id.as_str()) == function);
        step.is_some_and(|step| step.answers_truth)
    }

    pub(super) fn outcome(
        &mut self,
        function: Option<&str>,
        case: &raw::Case,
        way: &Way<'_>,
    ) -> Option<Expected> {
        let expected = self.expected(function, case.returns.as_ref(), case.raises.as_deref(), way);
        if expected.is_none() {
            self.reporter.report(
                "no-expectation",
                way,
                "this outcome says neither `returns` nor `raises`",
                "give one of the two",
            );
        }
        expected
    }
}
