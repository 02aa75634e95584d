//! Contract, fragment and result as lines.

use std::io::{BufRead, Write};

use super::{Plain, Stop};
use crate::event::{SubjectReport, TestReport};
use crate::model::{Mutant, Prediction, SeenIn, Step, Sure, Test};
use crate::report::human;
use crate::verdict::TestWord;
use crate::worksheet::{
    Change, Comparison, chart_lines, compare, counted, fragment, lasted, letter, rows_lines,
    script_lines, sighted_sentence, storage_lines, summary,
};

/// Columns that a drawing or a table may take.
const ROOM: usize = 76;

impl<R: BufRead, W: Write> Plain<'_, R, W> {
    pub(super) fn show_contract(&mut self, step: &Step) -> Result<(), Stop> {
        self.say("\nCONTRACT\n")?;
        if let Some(signature) = step.signature(self.track) {
            self.tell(signature, "  ")?;
            self.say("")?;
        }
        for clause in &step.promises {
            self.fold(&clause.text, "  - ", "    ")?;
        }
        self.say("\n  What to judge by:")?;
        self.tell(&step.judge_by, "  ")?;
        if let Some(chart) = &step.chart {
            self.say("")?;
            for line in chart_lines(self.lab, chart, ROOM) {
                self.say(&format!("  {line}"))?;
            }
        }
        if let Some(storage) = &step.storage {
            self.say("")?;
            for line in storage_lines(storage, ROOM) {
                self.say(&format!("  {line}"))?;
            }
        }
        if let Some(aside) = step.aside(self.track) {
            self.say("")?;
            self.tell(aside, "  ")?;
        }
        Ok(())
    }

    pub(super) fn show_fragment(&mut self, mutant: &Mutant, mutated: &str) -> Result<(), Stop> {
        self.say("\nFRAGMENT (- the reference, + the wrong one)\n")?;
        let reference = self
            .lab
            .source(self.track)
            .map_or("", |source| &source.text);
        for line in fragment(reference, mutated) {
            let sign = match line.change {
                Change::Same => ' ',
                Change::Removed => '-',
                Change::Added => '+',
                Change::Gap => '…',
            };
            self.say(format!("  {sign} {}", line.text()).trim_end())?;
        }
        self.say("\n  The thought behind it:")?;
        self.tell(&mutant.belief, "  ")
    }

    /// Writes a test's script; with its verdict once that may be known.
    pub(super) fn show_script(
        &mut self,
        test: &Test,
        report: Option<&TestReport>,
    ) -> Result<(), Stop> {
        let lines = script_lines(self.lab, test, report.map(|report| &report.verdict));
        let mut text = String::new();
        for line in &lines {
            human::script_line(&mut text, line, "    ");
        }
        Ok(write!(self.output, "{text}")?)
    }

    pub(super) fn show_result(
        &mut self,
        mutant: &Mutant,
        prediction: &Prediction,
        offered: &[&Test],
        report: &SubjectReport,
    ) -> Result<(), Stop> {
        self.say("\nRESULT\n")?;
        let ids: Vec<&str> = offered.iter().map(|test| test.id.as_str()).collect();
        let comparison = compare(prediction, report, &ids);
        self.show_comparison(prediction, &comparison, &ids, report)?;
        for (place, test) in offered.iter().enumerate() {
            if let Some(seen) = report.test(&test.id)
                && seen.word() != TestWord::Passed
            {
                self.show_red(&letter(place), test, seen)?;
            }
        }
        self.show_blind(mutant, offered, report)
    }

    pub(super) fn show_lesson(&mut self, mutant: &Mutant) -> Result<(), Stop> {
        self.say("\n  The lesson:")?;
        self.tell(&mutant.lesson, "  ")?;
        match &mutant.report {
            Some(report) => self.say(&format!("  The report: {report}")),
            None => Ok(()),
        }
    }

    fn show_comparison(
        &mut self,
        prediction: &Prediction,
        comparison: &Comparison,
        ids: &[&str],
        report: &SubjectReport,
    ) -> Result<(), Stop> {
        let letters = |wanted: &dyn Fn(&str) -> bool| {
            let all: Vec<String> = ids
                .iter()
                .enumerate()
                .filter(|(_, id)| wanted(id))
                .map(|(place, _)| letter(place))
                .collect();
            if all.is_empty() {
                "none".to_owned()
            } else {
                all.join(" ")
            }
        };
        let said = if prediction.unknown {
            "I don't know".to_owned()
        } else {
            letters(&|id| prediction.tests.iter().any(|test| test == id))
        };
        let caught = letters(&|id| report.test(id).is_some_and(TestReport::catches));
        let kind = prediction.seen_in.map_or("not said", SeenIn::words);
        let sure = prediction.sure.map_or("not said", Sure::words);
        self.say(&format!("  You said   {said}  (seen in: {kind}; {sure})"))?;
        self.say(&format!("  The run    {caught}"))?;
        self.say(&format!(
            "             {} in {}",
            counted(report.tests.len(), "test"),
            lasted(report.took)
        ))?;
        if let Some(seen) = sighted_sentence(prediction, self.lab, report) {
            self.say(&format!("  Seen in    {seen}"))?;
        }
        self.tell(&comparison.sentence(), "  ")
    }

    fn show_red(&mut self, letter: &str, test: &Test, report: &TestReport) -> Result<(), Stop> {
        let words = human::test_words(report.word());
        let title = format!("{words}: {}", test.title);
        self.say("")?;
        self.fold(&title, &format!("  {letter}  "), "     ")?;
        self.show_script(test, Some(report))?;
        let broken = report.verdict.line;
        let seen = report
            .verdict
            .seen
            .iter()
            .find(|seen| Some(seen.line) == broken);
        let Some(seen) = seen.filter(|seen| seen.before != seen.after) else {
            return Ok(());
        };
        for (label, dump) in [("rows before", &seen.before), ("rows after", &seen.after)] {
            for table in dump {
                self.say(&format!("         {label} line {}:", seen.line))?;
                for line in rows_lines(&table.rows) {
                    self.say(&format!("           {line}"))?;
                }
            }
        }
        Ok(())
    }

    /// Names the plain cases of the step that saw nothing.
    fn show_blind(
        &mut self,
        mutant: &Mutant,
        offered: &[&Test],
        report: &SubjectReport,
    ) -> Result<(), Stop> {
        for (place, test) in offered.iter().enumerate() {
            let green = report
                .test(&test.id)
                .is_some_and(|test| test.word() == TestWord::Passed);
            if green && test.success && test.step == mutant.step {
                let title = format!("passed, so it cannot tell: {}", test.title);
                self.say("")?;
                self.fold(&title, &format!("  {}  ", letter(place)), "     ")?;
                self.fold(&summary(self.lab, test), "     ", "       ")?;
            }
        }
        Ok(())
    }
}
