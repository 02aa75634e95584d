//! Resolves a call of a script, and what it may answer.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::super::Step::{Item, Key};
use super::callback::callbacks_of;
use super::{Resolver, Way, join, raw};
use crate::model::{
    Action, Argument, Call, Expected, Growth, Input, Kind, MOST_EVENTS, Memory, Raises, Step,
};

impl Resolver<'_, '_> {
    pub(super) fn call_line(&mut self, function: &str, raw: &raw::Line, way: &Way<'_>) -> Action {
        let nothing = Map::new();
        let with = raw.with.as_ref().unwrap_or(&nothing);
        let inputs = match &raw.inputs {
            Some(named) => self.inputs(named, &join(way, &[Key("inputs")])),
            None => Vec::new(),
        };
        let process = raw.process.unwrap_or(1);
        let call = self.call_made_with(function, with, inputs, process, way);
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
            None if raw.returns_firsts.is_some() => {
                if raw.returns.is_some() || raw.raises.is_some() {
                    let help = "keep one";
                    let title = "a call can only return one thing";
                    self.reporter.report("two-expectations", way, title, help);
                }
                let id = raw.returns_firsts.as_deref().unwrap_or_default();
                self.firsts(id, way).into_iter().collect()
            }
            None => self
                .said(Some(function), &raw.into(), way)
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
        self.call_made_with(function, with, Vec::new(), process, way)
    }

    pub(super) fn call_made_with(
        &mut self,
        function: &str,
        with: &Map<String, Value>,
        inputs: Vec<(String, Input)>,
        process: usize,
        way: &Way<'_>,
    ) -> Call {
        let at = join(way, &[Key("call")]);
        let lab = self.lab;
        match lab.function(function) {
            None => {
                let known = lab.functions_up_to(u32::MAX);
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
            Some(step) => self.arguments(step, with, &inputs, way),
        }
        let callbacks = lab.function(function).map(callbacks_of);
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
            inputs,
            process: process.clamp(1, 16),
            callbacks: callbacks.unwrap_or_default(),
        }
    }

    /// Checks that a call has every argument that its function needs, and no other.
    fn arguments(
        &mut self,
        step: &Step,
        with: &Map<String, Value>,
        inputs: &[(String, Input)],
        way: &Way<'_>,
    ) {
        let values = || {
            let arguments = step.arguments.iter();
            arguments.filter(|argument| argument.kind != Kind::Callback)
        };
        let known: Vec<&str> = values().map(|argument| argument.name.as_str()).collect();
        let with_names = with.keys().map(|name| ("with", name));
        let input_names = inputs.iter().map(|(name, _)| ("inputs", name));
        for (word, name) in with_names.chain(input_names) {
            if !known.contains(&name.as_str()) {
                let at = join(way, &[Key(word), Key(name)]);
                let known = known.iter().copied();
                self.reporter
                    .unknown("unknown-argument", &at, "argument", name, known);
            }
        }
        for argument in values() {
            let is_made = inputs.iter().any(|(name, _)| *name == argument.name);
            match with.get(&argument.name) {
                Some(value) => self.fits(argument, value, way),
                None if argument.optional || is_made => {}
                None => {
                    let function = step.function.as_deref().unwrap_or_default();
                    let title = format!("`{function}` needs the argument `{}`", argument.name);
                    let at = join(way, &[Key("call")]);
                    self.reporter
                        .report("missing-argument", &at, &title, "add it under `with:`");
                }
            }
        }
    }

    /// Checks the shape of a list, so that a slip in a test is not taken for one of the code.
    fn fits(&mut self, argument: &Argument, value: &Value, way: &Way<'_>) {
        if argument.kind != Kind::List {
            return;
        }
        let name = argument.name.as_str();
        let at = join(way, &[Key("with"), Key(name)]);
        let Some(items) = value.as_array() else {
            let title = format!("the argument `{name}` takes a list");
            let help = "write it in brackets: []";
            return self.reporter.report("wrong-argument", &at, &title, help);
        };
        if argument.parts.is_empty() {
            return;
        }
        for (place, item) in items.iter().enumerate() {
            if item.as_array().map(Vec::len) != Some(argument.parts.len()) {
                let title = format!("each of `{name}` is a list of {}", argument.parts.len());
                let help = format!("its parts are: {}", argument.parts.join(", "));
                let at = join(&at, &[Item(place)]);
                self.reporter.report("wrong-argument", &at, &title, &help);
            }
        }
    }

    /// Looks up the inputs that a call names.
    pub(super) fn inputs(
        &mut self,
        named: &BTreeMap<String, String>,
        way: &Way<'_>,
    ) -> Vec<(String, Input)> {
        let lab = self.lab;
        let mut inputs = Vec::new();
        for (argument, id) in named {
            match lab.input(id) {
                Some(input) => inputs.push((argument.clone(), input.clone())),
                None => self.no_input(id, &join(way, &[Key(argument)])),
            }
        }
        inputs
    }

    fn no_input(&mut self, id: &str, way: &Way<'_>) {
        let known = self.lab.inputs.iter().map(|input| input.id.as_str());
        self.reporter
            .unknown("unknown-input", way, "input", id, known);
    }

    /// Resolves a call that is measured at several sizes.
    pub(super) fn growth(&mut self, raw: &raw::Growth, way: &Way<'_>) -> Growth {
        let inputs = self.inputs(&raw.inputs, &join(way, &[Key("inputs")]));
        let call = self.call_made_with(&raw.call, &raw.with, inputs, 1, way);
        let ascend =
            raw.times.len() > 1 && raw.times[0] > 0 && raw.times.is_sorted_by(|a, b| a < b);
        let most = raw.times.iter().max().copied().unwrap_or(0);
        if !ascend || call.events(most) > MOST_EVENTS {
            let title = "the sizes of a growth ascend, and stay within what can be made";
            let help = format!(
                "give at least two, such as [1, 10, 100], and at most {MOST_EVENTS} events"
            );
            self.reporter
                .report("wrong-growth", &join(way, &[Key("times")]), title, &help);
        } else if raw.at_most.is_nan() || raw.at_most < 1.0 {
            let title = "what grows costs at least as much as before";
            let help = "between what is right and what is wrong: 30 for ten times the input";
            self.reporter
                .report("wrong-growth", &join(way, &[Key("at_most")]), title, help);
        }
        let fits = call.events(most) <= MOST_EVENTS;
        Growth {
            call,
            times: if fits { raw.times.clone() } else { Vec::new() },
            at_most: raw.at_most,
        }
    }

    /// Resolves a call that is to need less memory than another.
    pub(super) fn memory(&mut self, raw: &raw::Memory, way: &Way<'_>) -> Memory {
        let inputs = self.inputs(&raw.inputs, &join(way, &[Key("inputs")]));
        let call = self.call_made_with(&raw.call, &raw.with, inputs, 1, way);
        let inputs = self.inputs(&raw.against, &join(way, &[Key("against")]));
        let against = Call {
            inputs,
            ..call.clone()
        };
        if call.events(1) != against.events(1) {
            let title = format!(
                "the two inputs have {} and {} events, so their memory cannot be compared",
                call.events(1),
                against.events(1)
            );
            let help = "give both as many: only what has to be remembered may differ";
            self.reporter
                .report("wrong-growth", &join(way, &[Key("against")]), &title, help);
        }
        Memory {
            call,
            against,
            at_least: raw.at_least.unwrap_or(16),
        }
    }

    /// Resolves `returns_firsts`: the payloads of an input, each key's first, in order.
    fn firsts(&mut self, id: &str, way: &Way<'_>) -> Option<Expected> {
        let lab = self.lab;
        let Some(input) = lab.input(id) else {
            self.no_input(id, &join(way, &[Key("returns_firsts")]));
            return None;
        };
        Some(Expected::Returns(input.firsts(1)))
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
                    ("callback", Raises::Callback),
                ],
            ))),
            (None, None) => None,
        }
    }

    fn answers_truth(&self, function: Option<&str>) -> bool {
        let step = function.and_then(|function| self.lab.function(function));
        step.is_some_and(|step| step.answers_truth)
    }

    pub(super) fn outcome(
        &mut self,
        function: Option<&str>,
        case: &raw::Case,
        way: &Way<'_>,
    ) -> Option<Expected> {
        let expected = self.said(function, &case.into(), way);
        if expected.is_none() {
            self.reporter.report(
                "no-expectation",
                way,
                "this outcome says nothing of what is right",
                "give it `returns`, `raises` or `has`",
            );
        }
        expected
    }
}
