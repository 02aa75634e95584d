//! Resolves calls whose order is forced: `schedule` and `together`.

use super::super::Step::{Item, Key};
use super::{Resolver, Way, join, raw};
use crate::model::{Call, Case, Expected, Forced, Joint};

impl Resolver<'_, '_> {
    pub(super) fn schedule(
        &mut self,
        raw: &raw::Schedule,
        line: &raw::Line,
        way: &Way<'_>,
    ) -> Forced {
        let inner = join(way, &[Key("schedule")]);
        let call = self.call(&raw.call, &raw.with, 1, &inner);
        let expect = match &line.one_of {
            Some(cases) => self.cases(cases, &[call.function.as_str()], way),
            None => match self.said(Some(&call.function), &line.into(), way) {
                Some(expected) => vec![Case {
                    outcomes: vec![expected],
                    rows: Vec::new(),
                }],
                None => {
                    self.reporter.report(
                        "no-expectation",
                        way,
                        "this schedule expects nothing",
                        "add `returns`, `raises` or `one_of`",
                    );
                    Vec::new()
                }
            },
        };
        Forced {
            calls: vec![call],
            held: true,
            meanwhile: raw.meanwhile.clone(),
            patient: raw.patient,
            at_once: raw.at_once.unwrap_or(0),
            expect: Joint::OneOf(expect),
        }
    }

    pub(super) fn together(
        &mut self,
        raw: &raw::Together,
        line: &raw::Line,
        way: &Way<'_>,
    ) -> Forced {
        let inner = join(way, &[Key("together")]);
        let calls: Vec<Call> = raw
            .calls
            .iter()
            .enumerate()
            .map(|(place, call)| {
                self.call(
                    &call.call,
                    &call.with,
                    place + 1,
                    &join(&inner, &[Key("calls"), Item(place)]),
                )
            })
            .collect();
        let functions: Vec<&str> = calls.iter().map(|call| call.function.as_str()).collect();
        // In any order: only what all the calls have in common is known of an outcome.
        let same = functions.windows(2).all(|pair| pair[0] == pair[1]);
        let common = functions.first().copied().filter(|_| same);
        let expect = match (&line.one_of, &raw.outcomes) {
            (Some(cases), None) => Joint::OneOf(self.cases(cases, &functions, way)),
            (None, Some(outcomes)) => {
                let way = join(&inner, &[Key("outcomes")]);
                if outcomes.len() != calls.len() {
                    let title = format!("{} calls have {} outcomes", calls.len(), outcomes.len());
                    self.reporter
                        .report("wrong-count", &way, &title, "give each call its outcome");
                }
                let outcomes = outcomes.iter().enumerate();
                Joint::Unordered(
                    outcomes
                        .filter_map(|(place, case)| {
                            self.outcome(common, case, &join(&way, &[Item(place)]))
                        })
                        .collect(),
                )
            }
            _ => {
                self.reporter.report(
                    "no-expectation",
                    way,
                    "these calls need either `outcomes` or `one_of`",
                    "give one of the two",
                );
                Joint::OneOf(Vec::new())
            }
        };
        Forced {
            calls,
            held: raw.held,
            meanwhile: raw.meanwhile.clone(),
            patient: raw.patient,
            at_once: 0,
            expect,
        }
    }

    pub(super) fn cases(
        &mut self,
        cases: &[raw::Case],
        functions: &[&str],
        way: &Way<'_>,
    ) -> Vec<Case> {
        let way = join(way, &[Key("one_of")]);
        let mut resolved = Vec::new();
        for (place, case) in cases.iter().enumerate() {
            let way = join(&way, &[Item(place)]);
            let outcomes: Vec<Expected> = match &case.outcomes {
                Some(all) => all
                    .iter()
                    .enumerate()
                    .filter_map(|(at, one)| {
                        self.outcome(
                            functions.get(at).copied(),
                            one,
                            &join(&way, &[Key("outcomes"), Item(at)]),
                        )
                    })
                    .collect(),
                None => self
                    .outcome(functions.first().copied(), case, &way)
                    .into_iter()
                    .collect(),
            };
            if outcomes.len() != functions.len() {
                let calls = functions.len();
                let title = format!("{calls} calls have {} outcomes", outcomes.len());
                self.reporter
                    .report("wrong-count", &way, &title, "give each call its outcome");
            }
            let rows = case
                .rows
                .as_ref()
                .map(|rows| self.rows(rows, &join(&way, &[Key("rows")]), false));
            resolved.push(Case {
                outcomes,
                rows: rows.unwrap_or_default(),
            });
        }
        resolved
    }
}
