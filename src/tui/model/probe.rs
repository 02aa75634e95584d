//! A probe that is being written: the form, as plain data.

use super::Model;
use crate::model::Step;
use crate::tui::field::Field;
use crate::tui::message::ProbeOutcome;
use crate::worksheet::ProbeForm;

/// A probe that is being written.
#[derive(Debug, Clone, PartialEq)]
pub struct ProbeState {
    /// Place of the function among those that may be called.
    pub function: usize,
    /// Whether the lab has tables, so that rows may be given and looked at.
    pub has_rows: bool,
    /// The rows before the call.
    pub given: Field,
    /// The arguments of the function, in order.
    pub arguments: Vec<Field>,
    /// Whether an error is expected.
    pub raises: bool,
    /// The value that is expected.
    pub returns: Field,
    /// The rows after the call.
    pub rows: Field,
    /// The item under the cursor.
    pub cursor: usize,
    /// The text, once it is settled.
    pub source: Option<String>,
    /// What it came to, once it was run.
    pub outcome: Option<ProbeOutcome>,
    /// First line that is shown.
    pub scroll: usize,
}

/// An item of the probe form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProbeItem {
    /// The rows before the call.
    Given,
    /// The function.
    Function,
    /// One of its arguments.
    Argument(usize),
    /// Value or error.
    Expect,
    /// The value.
    Returns,
    /// The rows after the call.
    Rows,
}

impl ProbeState {
    /// Lists the items of the form.
    #[must_use]
    pub fn items(&self) -> Vec<ProbeItem> {
        let mut items = Vec::new();
        if self.has_rows {
            items.push(ProbeItem::Given);
        }
        items.push(ProbeItem::Function);
        items.extend((0..self.arguments.len()).map(ProbeItem::Argument));
        items.push(ProbeItem::Expect);
        if !self.raises {
            items.push(ProbeItem::Returns);
        }
        if self.has_rows {
            items.push(ProbeItem::Rows);
        }
        items
    }
}

impl Model {
    /// Lists the steps that declare the functions that a probe of the open step may call.
    #[must_use]
    pub fn callable(&self) -> Vec<&Step> {
        let lab = self.lab();
        let functions = lab.functions_up_to(self.number());
        let steps = functions.into_iter();
        steps.filter_map(|name| lab.function(name)).collect()
    }

    /// Gathers the answers of the probe form.
    #[must_use]
    pub fn probe_form(&self, probe: &ProbeState) -> ProbeForm {
        let callable = self.callable();
        let step = callable[probe.function.min(callable.len() - 1)];
        let arguments = step.arguments.iter().zip(&probe.arguments);
        ProbeForm {
            given: probe.given.text().to_owned(),
            function: step.function.clone().unwrap_or_default(),
            arguments: arguments
                .map(|(argument, field)| (argument.name.clone(), field.text().to_owned()))
                .collect(),
            raises: probe.raises,
            returns: probe.returns.text().to_owned(),
            rows: probe.rows.text().to_owned(),
        }
    }
}
