//! Resolves the rows of tables and the cells in them.

use std::collections::BTreeMap;

use serde_json::Value;

use super::super::Step::{Item, Key};
use super::{Resolver, Way, join};
use crate::model::{Cell, TableRows};

impl Resolver<'_, '_> {
    /// Resolves rows by table. Tables other than the lab's may be looked at, not given.
    pub(super) fn rows(
        &mut self,
        raw: &BTreeMap<String, Vec<Vec<Value>>>,
        way: &Way<'_>,
        given: bool,
    ) -> Vec<TableRows> {
        let mut tables = Vec::new();
        for (name, rows) in raw {
            let way = join(way, &[Key(name)]);
            match self.lab.tables.iter().find(|table| table.name == *name) {
                Some(table) => {
                    for (place, row) in rows.iter().enumerate() {
                        if row.len() != table.columns.len() {
                            let title = format!(
                                "a row of {name} has {} cells; this one has {}",
                                table.columns.len(),
                                row.len()
                            );
                            let help = format!("its columns are: {}", table.columns.join(", "));
                            self.reporter.report(
                                "wrong-row",
                                &join(&way, &[Item(place)]),
                                &title,
                                &help,
                            );
                        }
                    }
                }
                None if given || !is_name(name) => {
                    let known = self.lab.tables.iter().map(|table| table.name.as_str());
                    self.reporter
                        .unknown("unknown-table", &way, "table", name, known);
                }
                None => {}
            }
            tables.push(TableRows {
                table: name.clone(),
                rows: self.cells(rows, &way),
            });
        }
        tables
    }

    pub(super) fn cells(&mut self, rows: &[Vec<Value>], way: &Way<'_>) -> Vec<Vec<Cell>> {
        let mut resolved = Vec::new();
        for (place, row) in rows.iter().enumerate() {
            let cells = row.iter().enumerate().map(|(at, value)| {
                cell(value).unwrap_or_else(|| {
                    let title = format!("a cell cannot be {value}");
                    let help = "write null, a number, a text or {json: …}";
                    self.reporter.report(
                        "wrong-cell",
                        &join(way, &[Item(place), Item(at)]),
                        &title,
                        help,
                    );
                    Cell::Null
                })
            });
            resolved.push(cells.collect());
        }
        resolved
    }
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

pub(super) fn cell(value: &Value) -> Option<Cell> {
    match value {
        Value::Null => Some(Cell::Null),
        Value::Number(number) => match number.as_i64() {
            Some(whole) => Some(Cell::Integer(whole)),
            None => number.as_f64().map(Cell::Real),
        },
        Value::String(text) => Some(Cell::Text(text.clone())),
        Value::Object(map) if map.len() == 1 => map.get("json").cloned().map(Cell::Json),
        _ => None,
    }
}
