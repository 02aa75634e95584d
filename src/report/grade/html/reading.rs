//! What a teacher reads: the commonest wrong predictions, and the written answers.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{Group, bar, block, esc, link, section, share};
use crate::gradebook::{Submission, Written};
use crate::report::grade::words;

/// How many of the commonest wrong predictions are shown.
const COMMONEST: usize = 12;

/// What was wrong about a prediction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Wrong {
    /// A test was said to catch a mutant, and does not.
    Said,
    /// A test that catches it was not named.
    Missed,
}

#[derive(Default)]
struct Count {
    times: usize,
    certain: usize,
}

pub fn predictions(page: &mut String, group: &Group<'_>) {
    let mut made: BTreeMap<&str, usize> = BTreeMap::new();
    let mut wrong: BTreeMap<(u32, &str, Wrong, &str), Count> = BTreeMap::new();
    let items = group
        .members
        .iter()
        .flat_map(|(_, one)| &one.predictions.items);
    for item in items.filter(|item| item.made) {
        *made.entry(&item.mutant).or_default() += 1;
        let said = item.said.iter().filter(|id| !item.caught_by.contains(id));
        let missed = item.caught_by.iter().filter(|id| !item.said.contains(id));
        let both = said
            .map(|id| (Wrong::Said, id))
            .chain(missed.map(|id| (Wrong::Missed, id)));
        for (kind, id) in both {
            let count = wrong
                .entry((item.step, &item.mutant, kind, id))
                .or_default();
            count.times += 1;
            count.certain += usize::from(item.sure.as_deref() == Some("certain"));
        }
    }
    if made.is_empty() {
        return;
    }
    section(
        page,
        "predictions",
        "Commonest wrong predictions",
        group.lab,
        "Made before the run. Each is a thought worth a minute in class.",
    );
    let mut wrong: Vec<_> = wrong.into_iter().collect();
    wrong.sort_by_key(|(_, count)| std::cmp::Reverse(count.times));
    if wrong.is_empty() {
        page.push_str("<p class=\"card\">All predictions were right.</p>\n");
    } else {
        page.push_str("<ol class=\"ranking card\">\n");
    }
    for ((step, mutant, kind, test), count) in wrong.iter().take(COMMONEST) {
        let of = made.get(mutant).copied().unwrap_or_default();
        let (class, words) = match kind {
            Wrong::Said => ("said", "said to catch it, and does not"),
            Wrong::Missed => ("missed", "catches it, and was not named"),
        };
        let certain = match count.certain {
            0 => String::new(),
            certain => format!(" · {certain} certain"),
        };
        let _ = writeln!(
            page,
            "<li><span class=\"number\">{step}</span><div><b>{}</b> <span class=\"kind {class}\">\
             {words}</span><br><small>wrong version {}{certain}</small></div>{}\
             <span class=\"tail\">{} of {of}</span></li>",
            esc(test),
            esc(mutant),
            bar(share(count.times, of), "odd"),
            count.times
        );
    }
    if !wrong.is_empty() {
        page.push_str("</ol>\n");
    }
    page.push_str("</section>\n");
}

/// An answer, who gave it, and their place in the book.
type Answer<'a> = (usize, &'a Submission, &'a Written);

pub fn answers(page: &mut String, group: &Group<'_>) {
    let mut tasks: Vec<(&str, &str, Vec<Answer<'_>>)> = Vec::new();
    for (place, submission) in &group.members {
        for answer in &submission.written.items {
            let given = (*place, *submission, answer);
            match tasks.iter_mut().find(|(id, ..)| *id == answer.id) {
                Some((.., list)) => list.push(given),
                None => tasks.push((&answer.id, &answer.title, vec![given])),
            }
        }
    }
    if tasks.is_empty() {
        return;
    }
    section(
        page,
        "answers",
        "Written answers",
        group.lab,
        "To be read by a person: a program counts words and looks for terms, and knows no more.",
    );
    for (_, title, list) in tasks {
        let present = list.iter().filter(|(.., answer)| answer.present).count();
        let _ = writeln!(
            page,
            "<details class=\"card task\"><summary><b>{}</b><span class=\"tail\">{present} of {} \
             answered</span></summary>\n<div class=\"answers\">",
            esc(title),
            list.len()
        );
        for given in list.iter().filter(|(.., answer)| answer.present) {
            one(page, given);
        }
        let silent: Vec<String> = list
            .iter()
            .filter(|(.., answer)| !answer.present)
            .map(|(place, submission, _)| link(*place, submission))
            .collect();
        page.push_str("</div>\n");
        if !silent.is_empty() {
            let _ = writeln!(
                page,
                "<p class=\"names\">No answer: {}</p>",
                silent.join(" ")
            );
        }
        page.push_str("</details>\n");
    }
    page.push_str("</section>\n");
}

fn one(page: &mut String, (place, submission, answer): &Answer<'_>) {
    let _ = write!(
        page,
        "<article><h4>{}<small>{}</small></h4>",
        link(*place, submission),
        words::count(answer.words, "word")
    );
    if !answer.missing.is_empty() {
        page.push_str("<ul class=\"missing\">");
        for missing in &answer.missing {
            let _ = write!(page, "<li>{}</li>", esc(missing));
        }
        page.push_str("</ul>");
    }
    let _ = writeln!(
        page,
        "<div class=\"prose\" dir=\"auto\">{}</div></article>",
        block(&answer.text)
    );
}
