//! Resolves what a subject may ask of the lab in the middle of a call, and calls held there.

use std::collections::BTreeSet;

use super::super::Step::{Item, Key};
use super::{Resolver, Way, join, raw};
use crate::model::{Action, Call, Callback, CallbackAnswer, Callbacks, Gate, Kind, Step};

/// Lists the callbacks that a step's function is given, each with the names of its arguments.
pub(super) fn callbacks_of(step: &Step) -> Vec<(String, Vec<String>)> {
    let arguments = step.arguments.iter();
    arguments
        .filter(|argument| argument.kind == Kind::Callback)
        .map(|argument| (argument.name.clone(), argument.parts.clone()))
        .collect()
}

impl Resolver<'_, '_> {
    /// Resolves `callback` and `called` of a line.
    pub(super) fn callbacks(&mut self, raw: &raw::Line, way: &Way<'_>) -> Callbacks {
        let known = self.given_in(raw);
        let mut resolved = Callbacks::default();
        for (name, raw) in raw.callback.iter().flatten() {
            let way = join(way, &[Key("callback"), Key(name)]);
            let Some((_, parts)) = known.iter().find(|(given, _)| given == name) else {
                self.no_callback(name, &known, &way);
                continue;
            };
            for argument in raw.with.iter().flatten().map(|(argument, _)| argument) {
                if !parts.contains(argument) {
                    let at = join(&way, &[Key("with"), Key(argument)]);
                    let parts = parts.iter().map(String::as_str);
                    self.reporter
                        .unknown("unknown-argument", &at, "argument", argument, parts);
                }
            }
            let answer = match (&raw.gives, &raw.raises) {
                (Some(value), None) => CallbackAnswer::Gives(value.clone()),
                (None, Some(text)) => CallbackAnswer::Raises(text.clone()),
                (Some(_), Some(_)) => {
                    let title = "a callback cannot both give and raise";
                    self.reporter
                        .report("two-expectations", &way, title, "keep one");
                    continue;
                }
                (None, None) => {
                    let title = "this callback says neither `gives` nor `raises`";
                    self.reporter
                        .report("no-expectation", &way, title, "give one of the two");
                    continue;
                }
            };
            resolved.answers.push(Callback {
                name: name.clone(),
                with: raw.with.clone(),
                answer,
            });
        }
        for (name, times) in raw.called.iter().flatten() {
            if known.iter().any(|(given, _)| given == name) {
                resolved.called.push((name.clone(), *times));
            } else {
                let way = join(way, &[Key("called"), Key(name)]);
                self.no_callback(name, &known, &way);
            }
        }
        resolved
    }

    /// Resolves a call that is killed: while it writes, or in the middle of a callback.
    pub(super) fn kill(&mut self, raw: &raw::Kill, way: &Way<'_>) -> Action {
        let call = self.call(&raw.call, &raw.with, 1, way);
        match &raw.during {
            None => Action::Kill(call),
            Some(name) => {
                self.given_to(&call, name, &join(way, &[Key("during")]));
                Action::KillDuring {
                    call,
                    callback: name.clone(),
                }
            }
        }
    }

    /// Resolves calls made while the first of them is held.
    pub(super) fn gate(&mut self, raw: &raw::Gate, line: &raw::Line, way: &Way<'_>) -> Gate {
        let inner = join(way, &[Key("gate")]);
        let calls = raw.calls.iter().enumerate().map(|(place, call)| {
            let way = join(&inner, &[Key("calls"), Item(place)]);
            self.call(&call.call, &call.with, place + 1, &way)
        });
        let calls: Vec<Call> = calls.collect();
        if !(2..=16).contains(&calls.len()) {
            let title = "a gate needs one call that is held, and others that meet it";
            let help = "give it from two to sixteen calls";
            self.reporter
                .report("wrong-gate", &join(&inner, &[Key("calls")]), title, help);
        }
        if let Some(first) = calls.first() {
            self.given_to(first, &raw.held, &join(&inner, &[Key("held")]));
        }
        let answers = line.callback.as_ref();
        if answers.is_none_or(|answers| !answers.contains_key(&raw.held)) {
            let title = format!("nothing says what `{}` does once it is let go", raw.held);
            let help = "add it to `callback:` of the line, with `gives` or `raises`";
            self.reporter.report("no-expectation", way, &title, help);
        }
        let functions: Vec<&str> = calls.iter().map(|call| call.function.as_str()).collect();
        let expect = if let Some(cases) = &line.one_of {
            self.cases(cases, &functions, way)
        } else {
            let title = "this gate expects nothing";
            let help = "add `one_of:`, each case with `outcomes` in the order of the calls";
            self.reporter.report("no-expectation", way, title, help);
            Vec::new()
        };
        Gate {
            calls,
            held: raw.held.clone(),
            at_once: raw.at_once,
            expect,
        }
    }

    /// Reports a callback that a call is not given.
    fn given_to(&mut self, call: &Call, name: &str, way: &Way<'_>) {
        if !call.callbacks.iter().any(|(given, _)| given == name) {
            self.no_callback(name, &call.callbacks, way);
        }
    }

    fn no_callback(&mut self, name: &str, known: &[(String, Vec<String>)], way: &Way<'_>) {
        let known = known.iter().map(|(name, _)| name.as_str());
        self.reporter
            .unknown("unknown-callback", way, "callback", name, known);
    }

    /// Lists the callbacks of all functions that a line calls.
    fn given_in(&self, raw: &raw::Line) -> Vec<(String, Vec<String>)> {
        let mut functions: BTreeSet<&str> = BTreeSet::new();
        functions.extend(raw.call.as_deref());
        functions.extend(raw.schedule.iter().map(|schedule| schedule.call.as_str()));
        let together = raw.together.iter().flat_map(|together| &together.calls);
        let gate = raw.gate.iter().flat_map(|gate| &gate.calls);
        functions.extend(together.chain(gate).map(|call| call.call.as_str()));
        let steps = functions
            .into_iter()
            .filter_map(|name| self.lab.function(name));
        steps.flat_map(callbacks_of).collect()
    }
}
