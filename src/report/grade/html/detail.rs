//! One submission after the other, folded.

use std::fmt::Write as _;

use super::{bar, block, esc, points, section, who};
use crate::gradebook::{Gradebook, Points, Status, Step, Submission, Test};
use crate::report::grade::view::{Mark, Tally, percent};
use crate::report::grade::words;

pub fn write(page: &mut String, book: &Gradebook) {
    section(
        page,
        "submissions",
        "Submissions",
        "",
        "Open one to see what broke, with what was expected and what was seen.",
    );
    page.push_str("<div class=\"people\">\n");
    for (place, submission) in book.submissions.iter().enumerate() {
        one(page, place, submission);
    }
    page.push_str("</div>\n</section>\n");
}

fn one(page: &mut String, place: usize, submission: &Submission) {
    let mut marks = String::new();
    for step in &submission.steps {
        let mark = Mark::of(submission, step);
        let _ = write!(
            marks,
            "<i class=\"{}\" title=\"{} {}: {}\">{}</i>",
            class(mark),
            step.step,
            esc(&step.function),
            mark.words(),
            step.step
        );
    }
    let (score, share) = match submission.score {
        Some(score) => (
            points(score, submission.max_score),
            percent(score, submission.max_score) as usize,
        ),
        None => ("<b class=\"lost\">ungraded</b>".to_owned(), 0),
    };
    let _ = writeln!(
        page,
        "<details class=\"card person\"><summary><span class=\"name\">{}</span>\
         <span class=\"marks\">{marks}</span>{}<span class=\"tail\">{score}</span></summary>\n\
         <div class=\"body\" id=\"s{place}\">",
        who(submission),
        bar(share, "good")
    );
    facts(page, submission);
    if let Some(why) = &submission.why {
        let _ = writeln!(page, "<pre class=\"message\">{}</pre>", block(why));
    }
    if submission.status == Status::Graded {
        for step in &submission.steps {
            step_of(page, submission, step);
        }
    }
    sections(page, submission);
    page.push_str("</div>\n</details>\n");
}

const fn class(mark: Mark) -> &'static str {
    match mark {
        Mark::Full => "full",
        Mark::Part => "part",
        Mark::None => "none",
        Mark::Unknown => "unknown",
    }
}

fn facts(page: &mut String, submission: &Submission) {
    let confinement = &submission.confinement;
    let mut how = if confinement.applied {
        format!("confined by {}", confinement.by.join(", "))
    } else {
        "not confined".to_owned()
    };
    if !confinement.lacking.is_empty() {
        let _ = write!(
            how,
            "; this machine lacks {}",
            confinement.lacking.join(", ")
        );
    }
    let millis = submission.millis;
    let _ = writeln!(
        page,
        "<p class=\"facts\">{} · {} · {} · {}.{} s</p>",
        esc(&submission.lab),
        esc(&submission.track),
        esc(&how),
        millis / 1000,
        millis % 1000 / 100
    );
}

fn step_of(page: &mut String, submission: &Submission, step: &Step) {
    let mark = Mark::of(submission, step);
    let _ = writeln!(
        page,
        "<div class=\"step {}\"><h3><span class=\"number\">{}</span><code>{}</code> <span \
         class=\"title\">{}</span><span class=\"tail\">{}</span></h3>\n<p class=\"tally\">{}</p>",
        class(mark),
        step.step,
        esc(&step.function),
        esc(&step.title),
        points(step.score, step.max_score),
        Tally::of(step).words()
    );
    if let Some(why) = &step.why {
        let _ = writeln!(page, "<pre class=\"message\">{}</pre>", block(why));
    }
    for test in &step.tests {
        let remark = words::costs_nothing(test);
        if test.counts_against() || remark.is_some() {
            test_of(page, test, remark.as_deref());
        }
    }
    for test in &step.tests {
        let unstable = test
            .unstable
            .then_some("red once, green when it was run again alone");
        for note in unstable
            .into_iter()
            .chain(test.notes.iter().map(String::as_str))
        {
            let (id, note) = (esc(&test.id), esc(note));
            let _ = writeln!(page, "<p class=\"note\"><code>{id}</code> {note}</p>");
        }
    }
    page.push_str("</div>\n");
}

fn test_of(page: &mut String, test: &Test, remark: Option<&str>) {
    let class = if remark.is_some() { "remark" } else { "broken" };
    let hidden = if test.hidden {
        " <span class=\"badge\">hidden</span>"
    } else {
        ""
    };
    let remark = remark.map_or_else(String::new, |remark| {
        format!(" <span class=\"badge\">{}</span>", esc(remark))
    });
    let _ = writeln!(
        page,
        "<div class=\"test {class}\"><h4>{}{hidden}{remark}</h4><p class=\"id\"><code>{}</code> {}</p>\n\
         <div class=\"evidence\">",
        esc(&test.title),
        esc(&test.id),
        esc(&words::broke(test))
    );
    for (label, value) in words::evidence(test) {
        let _ = writeln!(
            page,
            "<figure class=\"{label}\"><figcaption>{label}</figcaption><pre>{}</pre></figure>",
            block(&value)
        );
    }
    page.push_str("</div></div>\n");
}

/// Writes what has points beside the steps.
fn sections(page: &mut String, submission: &Submission) {
    let mut list = |title: &str,
                    score: Points,
                    most: Points,
                    lines: Vec<(String, String, bool)>| {
        if lines.is_empty() && most == Points::default() {
            return;
        }
        let score = if submission.status == Status::Graded {
            points(score, most)
        } else {
            String::new()
        };
        let _ = writeln!(
            page,
            "<div class=\"step\"><h3><span class=\"title\">{title}</span><span class=\"tail\">{score}\
             </span></h3>\n<ul class=\"lines\">"
        );
        for (name, words, good) in lines {
            let class = if good { "good" } else { "open" };
            let (name, words) = (esc(&name), esc(&words));
            let _ = writeln!(
                page,
                "<li class=\"{class}\"><code>{name}</code> {words}</li>"
            );
        }
        page.push_str("</ul></div>\n");
    };
    let probes = &submission.probes;
    let lines = probes.items.iter().map(|probe| {
        let name = format!("{} {}", probe.step, probe.mutant);
        (name, words::probe(probe), probe.valid && probe.caught)
    });
    list("Own tests", probes.score, probes.max_score, lines.collect());
    let predictions = &submission.predictions;
    let lines = predictions.items.iter().map(|item| {
        let name = format!("{} {}", item.step, item.mutant);
        let of = item.caught_by.len();
        let words = if item.made {
            let sure = item
                .sure
                .as_deref()
                .map_or_else(String::new, |sure| format!(", {sure}"));
            format!("{} of {of} found, {} wrong{sure}", item.found, item.wrong)
        } else {
            "no prediction".to_owned()
        };
        (
            name,
            words,
            item.made && item.found == of && item.wrong == 0,
        )
    });
    let (score, most) = (predictions.score, predictions.max_score);
    list("Predictions", score, most, lines.collect());
    let written = &submission.written;
    let lines = written
        .items
        .iter()
        .map(|answer| (answer.id.clone(), words::written(answer), false));
    let title = "Written answers, for a person to read";
    list(title, written.score, written.max_score, lines.collect());
}
