//! Resolves what is said of a part of an answer, and calls with each file of a folder.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::super::Step::{Item, Key};
use super::rows::cell;
use super::{Resolver, Way, join, raw};
use crate::model::{Cell, Each, Expected, Member, Part, Stored};

/// What a line or a case says of one call, as it is written.
pub(super) struct Said<'s> {
    returns: Option<&'s Value>,
    raises: Option<&'s str>,
    has: Option<&'s Map<String, Value>>,
    stored: Option<&'s BTreeMap<String, raw::Stored>>,
}

impl<'s> From<&'s raw::Line> for Said<'s> {
    fn from(line: &'s raw::Line) -> Self {
        Self {
            returns: line.returns.as_ref(),
            raises: line.raises.as_deref(),
            has: line.has.as_ref(),
            stored: line.stored.as_ref(),
        }
    }
}

impl<'s> From<&'s raw::Case> for Said<'s> {
    fn from(case: &'s raw::Case) -> Self {
        Self {
            returns: case.returns.as_ref(),
            raises: case.raises.as_deref(),
            has: case.has.as_ref(),
            stored: case.stored.as_ref(),
        }
    }
}

impl Resolver<'_, '_> {
    /// Resolves what is said of one call.
    pub(super) fn said(
        &mut self,
        function: Option<&str>,
        said: &Said<'_>,
        way: &Way<'_>,
    ) -> Option<Expected> {
        if said.has.is_none() && said.stored.is_none() {
            return self.expected(function, said.returns, said.raises, way);
        }
        if said.returns.is_some() || said.raises.is_some() {
            let title = "`has` and `stored` say what is in an answer, so nothing else can";
            let help = "keep them, or `returns` or `raises`";
            self.reporter.report("two-expectations", way, title, help);
        }
        let mut members = said.has.map(members).unwrap_or_default();
        for (name, stored) in said.stored.into_iter().flatten() {
            let way = join(way, &[Key("stored"), Key(name)]);
            if let Some(stored) = self.stored(stored, &way) {
                members.push(Member {
                    name: name.clone(),
                    value: Part::Stored(stored),
                });
            }
        }
        Some(Expected::Has(members))
    }

    fn stored(&mut self, raw: &raw::Stored, way: &Way<'_>) -> Option<Stored> {
        let lab = self.lab;
        let Some(table) = lab.tables.iter().find(|table| table.name == raw.table) else {
            let known = lab.tables.iter().map(|table| table.name.as_str());
            let at = join(way, &[Key("table")]);
            self.reporter
                .unknown("unknown-table", &at, "table", &raw.table, known);
            return None;
        };
        let Some(place) = table.columns.iter().position(|name| *name == raw.column) else {
            let known = table.columns.iter().map(String::as_str);
            let at = join(way, &[Key("column")]);
            self.reporter
                .unknown("unknown-table", &at, "column", &raw.column, known);
            return None;
        };
        Some(Stored {
            table: raw.table.clone(),
            column: raw.column.clone(),
            place,
            row: cell(&raw.row).unwrap_or(Cell::Null),
        })
    }

    /// Resolves a call that is made with each file of a folder.
    pub(super) fn each(&mut self, raw: &raw::Each, line: &raw::Line, way: &Way<'_>) -> Each {
        let inner = join(way, &[Key("each")]);
        let lab = self.lab;
        let files = lab
            .folder(&raw.folder)
            .map(|folder| folder.files.as_slice());
        if files.is_none() {
            let known = lab.folders.iter().map(|folder| folder.name.as_str());
            let at = join(&inner, &[Key("folder")]);
            self.reporter
                .unknown("missing-file", &at, "folder", &raw.folder, known);
        }
        let files = files.unwrap_or_default();
        let but = raw.but.as_ref();
        for (place, name) in but.into_iter().flat_map(|but| &but.files).enumerate() {
            if !files.iter().any(|(file, _)| file == name) {
                let at = join(&inner, &[Key("but"), Key("files"), Item(place)]);
                let known = files.iter().map(|(file, _)| file.as_str());
                self.reporter
                    .unknown("missing-file", &at, "file", name, known);
            }
        }
        if line.has.is_none() {
            let title = "these calls expect nothing";
            let help = "add `has:` with what each answer has";
            self.reporter.report("no-expectation", way, title, help);
        }
        let mut calls = Vec::new();
        for (file, text) in files {
            let mut with = raw.with.clone();
            with.insert(raw.argument.clone(), Value::String(text.clone()));
            // What is wrong with one call is wrong with all: it is told once.
            let call = match calls.first() {
                Some((_, first, _)) => crate::model::Call {
                    with,
                    ..crate::model::Call::clone(first)
                },
                None => self.call(&raw.call, &with, 1, &inner),
            };
            let other = but.filter(|but| but.files.contains(file));
            let has = other.map(|but| &but.has).or(line.has.as_ref());
            let has = has.map(members).unwrap_or_default();
            calls.push((file.clone(), call, Expected::Has(has)));
        }
        Each {
            folder: raw.folder.clone(),
            argument: raw.argument.clone(),
            calls,
        }
    }
}

fn members(has: &Map<String, Value>) -> Vec<Member> {
    let members = has.iter().map(|(name, value)| Member {
        name: name.clone(),
        value: Part::Is(value.clone()),
    });
    members.collect()
}
