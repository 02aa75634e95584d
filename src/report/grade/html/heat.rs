//! Tests by submissions: a cell for each, and the tests that break most often.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

use super::{Group, bar, esc, link, section, share};
use crate::gradebook::{Points, Status, Submission, Test};
use crate::report::grade::words;

/// How many of the tests that break most often are named.
const HARDEST: usize = 12;

/// What the cells mean: class, sign, words.
const LEGEND: [(&str, &str, &str); 7] = [
    ("p", "", "passed"),
    ("f", "×", "failed"),
    ("e", "!", "died"),
    ("t", "t", "timed out"),
    ("r", "°", "red, costs nothing"),
    ("u", "~", "unstable, counts as passed"),
    ("n", "·", "not decided"),
];

/// A test of a lab, seen over all submissions.
struct Column<'a> {
    step: u32,
    id: &'a str,
    title: &'a str,
    hidden: bool,
    opens: bool,
    ran: usize,
    broken: usize,
}

pub fn write(page: &mut String, group: &Group<'_>) {
    let columns = columns(group);
    if columns.is_empty() {
        return;
    }
    section(
        page,
        "tests",
        "Tests by submissions",
        group.lab,
        "A row is a submission, the best first; a column is a test. The strip on top is darker the \
         more submissions break a test.",
    );
    page.push_str("<div class=\"card scroll\" tabindex=\"0\">\n<table class=\"heat\">\n<thead>\n");
    heads(page, &columns);
    page.push_str("</thead>\n<tbody>\n");
    let mut rows = group.members.clone();
    rows.sort_by_key(|(place, submission)| {
        (
            std::cmp::Reverse(submission.score.map(|Points(score)| score)),
            *place,
        )
    });
    for (place, submission) in rows {
        row(page, &columns, place, submission);
    }
    page.push_str("</tbody>\n</table>\n</div>\n");
    page.push_str("<ul class=\"legend\">");
    for (class, sign, words) in LEGEND {
        let _ = write!(
            page,
            "<li><span class=\"{class}\">{sign}</span>{words}</li>"
        );
    }
    page.push_str("</ul>\n");
    hardest(page, &columns);
    page.push_str("</section>\n");
}

/// Lists the tests that any submission has, by step, then as they first come.
fn columns<'a>(group: &Group<'a>) -> Vec<Column<'a>> {
    let mut steps: BTreeMap<u32, Vec<Column<'a>>> = BTreeMap::new();
    let mut places: HashMap<(u32, &str), usize> = HashMap::new();
    for (_, submission) in &group.members {
        for step in &submission.steps {
            let list = steps.entry(step.step).or_default();
            for test in &step.tests {
                let place = *places.entry((step.step, &test.id)).or_insert_with(|| {
                    list.push(Column {
                        step: step.step,
                        id: &test.id,
                        title: &test.title,
                        hidden: test.hidden,
                        opens: list.is_empty(),
                        ran: 0,
                        broken: 0,
                    });
                    list.len() - 1
                });
                if submission.status == Status::Graded {
                    list[place].ran += 1;
                    list[place].broken += usize::from(test.counts_against());
                }
            }
        }
    }
    steps.into_values().flatten().collect()
}

fn heads(page: &mut String, columns: &[Column<'_>]) {
    page.push_str(
        "<tr><th class=\"who\" scope=\"col\">submission</th><th scope=\"col\">points</th>",
    );
    let mut rest = columns;
    while let Some(first) = rest.first() {
        let span = rest
            .iter()
            .take_while(|column| column.step == first.step)
            .count();
        let step = first.step;
        let _ = write!(
            page,
            "<th class=\"g\" colspan=\"{span}\" scope=\"colgroup\">{step}</th>"
        );
        rest = &rest[span..];
    }
    page.push_str(
        "</tr>\n<tr class=\"strip\"><th class=\"who\" scope=\"row\">broken by</th><td></td>",
    );
    for column in columns {
        let _ = write!(
            page,
            "<td{} style=\"--h:{}%\" title=\"{}: broken by {} of {}\"></td>",
            if column.opens { " class=\"g\"" } else { "" },
            share(column.broken, column.ran),
            esc(column.id),
            column.broken,
            column.ran
        );
    }
    page.push_str("</tr>\n");
}

fn row(page: &mut String, columns: &[Column<'_>], place: usize, submission: &Submission) {
    let score = submission
        .score
        .map_or_else(|| "–".to_owned(), |score| score.to_string());
    let _ = write!(
        page,
        "<tr><th class=\"who\" scope=\"row\" title=\"{}\">{}</th><td class=\"score\">{score}</td>",
        esc(&submission.path),
        link(place, submission)
    );
    if submission.status == Status::Ungraded {
        let _ = writeln!(
            page,
            "<td class=\"g why\" colspan=\"{}\">ungraded: {}</td></tr>",
            columns.len(),
            esc(&words::cut(
                &words::in_short(words::why_ungraded(submission)),
                160
            ))
        );
        return;
    }
    let tests: HashMap<(u32, &str), &Test> = submission
        .steps
        .iter()
        .flat_map(|step| step.tests.iter().map(|test| ((step.step, &*test.id), test)))
        .collect();
    for column in columns {
        let opens = if column.opens { "g " } else { "" };
        match tests.get(&(column.step, column.id)) {
            None => {
                let _ = write!(page, "<td class=\"{opens}x\">");
            }
            Some(test) => cell(page, opens, test, submission),
        }
    }
    page.push_str("</tr>\n");
}

fn cell(page: &mut String, opens: &str, test: &Test, submission: &Submission) {
    let (class, sign) = look(test);
    let _ = write!(page, "<td class=\"{opens}{class}\"");
    if class != "p" {
        let remark = words::costs_nothing(test).map_or_else(String::new, |why| format!(" ({why})"));
        let _ = write!(
            page,
            " title=\"{}, {}: {}{remark}\"",
            esc(&submission.path),
            esc(&test.id),
            words::broke(test)
        );
    }
    let _ = write!(page, ">{sign}");
}

/// Returns the class and the sign of a cell.
fn look(test: &Test) -> (&'static str, &'static str) {
    match &*test.verdict {
        "passed" if test.unstable => ("u", "~"),
        "passed" => ("p", ""),
        "failed" | "errored" | "timed_out" if !test.counts_against() => ("r", "°"),
        "failed" => ("f", "×"),
        "errored" => ("e", "!"),
        "timed_out" => ("t", "t"),
        _ => ("n", "·"),
    }
}

fn hardest(page: &mut String, columns: &[Column<'_>]) {
    let mut broken: Vec<&Column<'_>> = columns.iter().filter(|column| column.broken > 0).collect();
    broken.sort_by_key(|column| std::cmp::Reverse(share(column.broken, column.ran)));
    broken.truncate(HARDEST);
    if broken.is_empty() {
        return;
    }
    page.push_str("<h3>Tests that break most often</h3>\n<ol class=\"ranking card\">\n");
    for column in broken {
        let hidden = if column.hidden {
            " <span class=\"badge\">hidden</span>"
        } else {
            ""
        };
        let _ = writeln!(
            page,
            "<li><span class=\"number\">{}</span><div><b>{}</b>{hidden}<br><small>{}</small></div>{}\
             <span class=\"tail\">{} of {}</span></li>",
            column.step,
            esc(column.title),
            esc(column.id),
            bar(share(column.broken, column.ran), "bad"),
            column.broken,
            column.ran
        );
    }
    page.push_str("</ol>\n");
}
