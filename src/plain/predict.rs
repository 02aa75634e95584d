//! The prediction: four questions, asked before anything runs.

use std::io::{BufRead, Write};

use super::ask::Answer;
use super::{Plain, Stop};
use crate::model::{Mutant, Prediction, Sure, Test};
use crate::worksheet::{letter, letter_place, offered_kinds, summary};

const HOW_TO_NAME: &str = "Type the letters of the tests, such as: b c. `read b` shows a test, \
                           `earlier` lists those of earlier steps, `none` means that no test \
                           catches it, ? is \"I don't know\".";

impl<R: BufRead, W: Write> Plain<'_, R, W> {
    /// Asks for a whole prediction; the tests are shown only after the first two answers.
    pub(super) fn predict(
        &mut self,
        mutant: &Mutant,
        offered: &[&Test],
    ) -> Result<Prediction, Stop> {
        let mut prediction = Prediction::default();
        self.say("\nPREDICT (? is \"I don't know\" at every question)")?;
        self.say("\nQuestion 1 of 4. What would have to happen for anyone to notice?")?;
        self.say("Which input, exception or state would show the difference? One line.")?;
        loop {
            match self.line()?.as_str() {
                "" => self.say("One line first, or ? for \"I don't know\".")?,
                "?" => {
                    prediction.unknown = true;
                    break;
                }
                line => {
                    line.clone_into(&mut prediction.observation);
                    break;
                }
            }
        }
        self.say("\nQuestion 2 of 4. Where would it be seen?")?;
        let kinds = offered_kinds(self.lab);
        let words: Vec<&str> = kinds.iter().map(|kind| kind.choice()).collect();
        match self.one_of(&words)? {
            Answer::Said(place) => prediction.seen_in = Some(kinds[place]),
            Answer::Unknown => prediction.unknown = true,
        }
        self.offer_probe(mutant)?;
        self.say("\nQuestion 3 of 4. Which of these tests catch it?")?;
        match self.name_tests(mutant, offered)? {
            Answer::Said(tests) => {
                prediction.tests = tests;
                prediction.unknown = false;
            }
            Answer::Unknown => prediction.unknown = true,
        }
        self.say("\nQuestion 4 of 4. How sure are you?")?;
        if let Answer::Said(place) = self.one_of(&Sure::ALL.map(Sure::words))? {
            prediction.sure = Some(Sure::ALL[place]);
        }
        Ok(prediction)
    }

    fn name_tests(
        &mut self,
        mutant: &Mutant,
        offered: &[&Test],
    ) -> Result<Answer<Vec<String>>, Stop> {
        self.list_tests(offered, |test| test.step == mutant.step)?;
        let earlier = offered
            .iter()
            .filter(|test| test.step != mutant.step)
            .count();
        if earlier > 0 {
            self.say(&format!("  and {earlier} of earlier steps, still in force"))?;
        }
        self.tell(HOW_TO_NAME, "")?;
        loop {
            let line = self.line()?;
            match line.as_str() {
                "?" => return Ok(Answer::Unknown),
                "none" => return Ok(Answer::Said(Vec::new())),
                "earlier" => self.list_tests(offered, |test| test.step != mutant.step)?,
                other => match other.strip_prefix("read ") {
                    Some(name) => self.read(name.trim(), offered)?,
                    None => match named(other, offered) {
                        Some(tests) => return Ok(Answer::Said(tests)),
                        None => self.tell(HOW_TO_NAME, "")?,
                    },
                },
            }
        }
    }

    fn list_tests(
        &mut self,
        offered: &[&Test],
        wanted: impl Fn(&Test) -> bool,
    ) -> Result<(), Stop> {
        let mut step = None;
        for (place, test) in offered.iter().enumerate().filter(|(_, test)| wanted(test)) {
            if step != Some(test.step) {
                step = Some(test.step);
                self.say(&format!("  step {}", test.step))?;
            }
            let first = format!("  {:<3} ", letter(place));
            self.fold(&summary(self.lab, test), &first, "      ")?;
        }
        Ok(())
    }

    fn read(&mut self, name: &str, offered: &[&Test]) -> Result<(), Stop> {
        match letter_place(name).and_then(|place| offered.get(place)) {
            Some(test) => self.show_script(test, None),
            None => self.say("There is no test of that letter."),
        }
    }
}

/// Reads letters, apart by blanks or commas, as tests; none if one of them is no test.
fn named(line: &str, offered: &[&Test]) -> Option<Vec<String>> {
    let mut tests: Vec<String> = Vec::new();
    for name in line.split([' ', ',']).filter(|name| !name.is_empty()) {
        let test = offered.get(letter_place(name)?)?;
        if !tests.contains(&test.id) {
            tests.push(test.id.clone());
        }
    }
    (!tests.is_empty()).then_some(tests)
}
