//! Is what a learner begins with red where it must be, and never broken?

use super::{Bench, Checker, Fault};
use crate::event::SubjectId;
use crate::model::{Lab, Test, Track};
use crate::pack::Step;
use crate::verdict::TestWord;

impl Checker<'_> {
    /// Runs the starter of a track: each test must see it fail, and none may see it break.
    pub(super) fn starter(&mut self, bench: &Bench<'_>, tests: &[&Test]) -> Result<(), Fault> {
        let lab = bench.lab();
        let track = bench.track();
        let Some(starter) = lab.starters.iter().find(|starter| starter.track == track) else {
            return Ok(());
        };
        let key = self.cache.subject(bench, &starter.text, [&[]; 2]);
        let known = self.cache.find(&key, lab, tests);
        let cells = match known {
            Some(cells) => cells,
            None => {
                let subject = SubjectId::Submission(starter.file.clone());
                match bench.source(subject, &starter.text, tests) {
                    Ok(report) => {
                        if let Some(why) = report.not_loaded() {
                            self.broken_starter(lab, track, why);
                            return Ok(());
                        }
                        self.ran += report.tests.len();
                        let cells = super::cells(&report, None);
                        self.cache.keep(&key, lab, &cells);
                        cells
                    }
                    Err(Fault::DoesNotBuild(why)) => {
                        self.broken_starter(lab, track, &why);
                        return Ok(());
                    }
                    Err(Fault::NotReady(_)) => return Ok(()),
                    Err(fault) => return Err(fault),
                }
            }
        };
        for (id, cell) in &cells {
            let way = [Step::Key("starters"), Step::Key(track.id())];
            let file = format!("exercises/{}/lab.yaml", lab.id);
            match cell.word {
                TestWord::Failed => {}
                TestWord::Passed | TestWord::Inconclusive | TestWord::NotRun => {
                    let title =
                        format!("`{id}` does not see that the {track} starter is not written yet");
                    self.report("starter-not-red", &file, &way, &title, "leave every function of the starter unwritten, or let the test look at something");
                }
                TestWord::Errored | TestWord::TimedOut => {
                    let title = format!("the {track} starter breaks `{id}`: {}", cell.word.id());
                    self.report(
                        "starter-broken",
                        &file,
                        &way,
                        &title,
                        "a starter raises an error that names the step; it neither dies nor hangs",
                    );
                }
            }
        }
        Ok(())
    }

    fn broken_starter(&mut self, lab: &Lab, track: Track, why: &str) {
        let way = [Step::Key("starters"), Step::Key(track.id())];
        let file = format!("exercises/{}/lab.yaml", lab.id);
        let title = format!("the {track} starter does not build or load");
        self.report("starter-broken", &file, &way, &title, why.trim());
    }
}
