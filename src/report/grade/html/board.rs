//! Who is where: for each step how many have it, and who works at it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{Group, esc, link, section};
use crate::gradebook::{Status, Submission};
use crate::report::grade::view::Mark;
use crate::report::grade::words;

/// How many names stand beside a step before the rest is folded.
const NAMES: usize = 40;

/// A submission and its place in the book.
type Member<'a> = (usize, &'a Submission);

#[derive(Default)]
struct Row<'a> {
    full: usize,
    part: usize,
    none: usize,
    here: Vec<Member<'a>>,
}

pub fn write(page: &mut String, group: &Group<'_>) {
    section(
        page,
        "where",
        "Who is where",
        group.lab,
        "A name stands at the first step that has not all its points. The bar shows the whole \
         class: all points, some, none.",
    );
    let mut rows: BTreeMap<(u32, &str), Row<'_>> = BTreeMap::new();
    let (mut done, mut ungraded) = (Vec::new(), Vec::new());
    for (place, submission) in &group.members {
        let member = (*place, *submission);
        if submission.status == Status::Ungraded {
            ungraded.push(member);
            continue;
        }
        let mut stands = false;
        for step in &submission.steps {
            let row = rows.entry((step.step, &*step.function)).or_default();
            let mark = Mark::of(submission, step);
            match mark {
                Mark::Full => row.full += 1,
                Mark::Part => row.part += 1,
                _ => row.none += 1,
            }
            if mark != Mark::Full && !stands {
                stands = true;
                row.here.push(member);
            }
        }
        if !stands {
            done.push(member);
        }
    }
    page.push_str("<div class=\"board card\">\n");
    for ((number, function), row) in &rows {
        step(page, *number, function, row);
    }
    plain(page, "done", "✔", "all steps", &done);
    plain(page, "lost", "?", "ungraded", &ungraded);
    page.push_str("</div>\n</section>\n");
}

fn step(page: &mut String, number: u32, function: &str, row: &Row<'_>) {
    let all = row.full + row.part + row.none;
    let _ = write!(
        page,
        "<div class=\"stage\"><div class=\"what\"><span class=\"number\">{number}</span>\
         <code>{}</code></div><div class=\"stack\" role=\"img\" aria-label=\"{} all points, {} some, \
         {} none\">",
        esc(function),
        row.full,
        row.part,
        row.none
    );
    for (class, count) in [("full", row.full), ("part", row.part), ("none", row.none)] {
        if count > 0 {
            let _ = write!(
                page,
                "<i class=\"{class}\" style=\"flex:{count}\">{count}</i>"
            );
        }
    }
    let _ = write!(page, "</div><div class=\"tail\">{}/{all}</div>", row.full);
    names(page, &row.here);
    page.push_str("</div>\n");
}

fn plain(page: &mut String, class: &str, sign: &str, name: &str, members: &[Member<'_>]) {
    if members.is_empty() {
        return;
    }
    let _ = write!(
        page,
        "<div class=\"stage {class}\"><div class=\"what\"><span class=\"number\">{sign}</span>{name}\
         </div><div class=\"stack\"></div><div class=\"tail\">{}</div>",
        members.len()
    );
    names(page, members);
    page.push_str("</div>\n");
}

fn names(page: &mut String, members: &[Member<'_>]) {
    let chips = |members: &[Member<'_>]| -> String {
        let chip = |(place, submission): &Member<'_>| link(*place, submission);
        members.iter().map(chip).collect()
    };
    let (first, rest) = members.split_at(members.len().min(NAMES));
    let _ = write!(page, "<div class=\"names\">{}", chips(first));
    if !rest.is_empty() {
        let more = words::count(rest.len(), "more name");
        let _ = write!(
            page,
            "<details><summary>{more}</summary>{}</details>",
            chips(rest)
        );
    }
    page.push_str("</div>");
}
