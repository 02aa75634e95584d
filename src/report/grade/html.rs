//! A class on one page: nothing is loaded from elsewhere and nothing in it runs.
//!
//! Names, values and answers come from submissions: all text goes through [`esc`] or [`block`],
//! and the page forbids its reader scripts and foreign addresses besides.

mod board;
mod detail;
mod heat;
mod reading;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::view::Class;
use super::words;
use crate::gradebook::{Gradebook, Points, Submission};

/// How many characters of a value are written.
const VALUE: usize = 4_000;

/// The look of the page.
const STYLE: &str = include_str!("html/style.css");

/// What the page may do: show itself.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; \
                      form-action 'none'";

/// The submissions of one lab, each with its place in the book.
struct Group<'a> {
    lab: &'a str,
    members: Vec<(usize, &'a Submission)>,
}

/// Writes the page.
#[must_use]
pub fn write(book: &Gradebook) -> String {
    let groups = groups(book);
    let mut page = String::new();
    head(&mut page, book, &groups);
    for group in &groups {
        board::write(&mut page, group);
        heat::write(&mut page, group);
    }
    for group in &groups {
        reading::predictions(&mut page, group);
    }
    for group in &groups {
        reading::answers(&mut page, group);
    }
    detail::write(&mut page, book);
    let _ = write!(
        page,
        "<footer>Graded by idemlab with <code>{}</code>. What is ungraded could not be run; it is \
         not zero.</footer>\n</main>\n</body>\n</html>\n",
        esc(&book.pack)
    );
    page
}

/// Groups the submissions by lab; those whose lab is not known come last.
fn groups(book: &Gradebook) -> Vec<Group<'_>> {
    let mut labs: BTreeMap<(bool, &str), Vec<(usize, &Submission)>> = BTreeMap::new();
    for (place, submission) in book.submissions.iter().enumerate() {
        let key = (submission.lab.is_empty(), &*submission.lab);
        labs.entry(key).or_default().push((place, submission));
    }
    labs.into_iter()
        .map(|((_, lab), members)| Group { lab, members })
        .collect()
}

fn head(page: &mut String, book: &Gradebook, groups: &[Group<'_>]) {
    let labs: Vec<&str> = groups
        .iter()
        .map(|group| group.lab)
        .filter(|lab| !lab.is_empty())
        .collect();
    let labs = esc(&labs.join(", "));
    let _ = write!(
        page,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <title>Class results: {labs}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n\
         <header>\n<p class=\"lab\">{labs}</p>\n<h1>Class results</h1>\n"
    );
    let class = Class::of(&book.submissions);
    let share =
        |share: Option<u32>| share.map_or_else(|| "–".to_owned(), |share| format!("{share}%"));
    page.push_str("<dl class=\"figures\">\n");
    for (name, figure, alarm) in [
        ("submissions", class.all.to_string(), false),
        ("graded", class.graded.to_string(), false),
        ("ungraded", class.ungraded.to_string(), class.ungraded > 0),
        ("median", share(class.median), false),
        ("mean", share(class.mean), false),
    ] {
        let alarm = if alarm { " class=\"alarm\"" } else { "" };
        let _ = writeln!(page, "<div{alarm}><dt>{name}</dt><dd>{figure}</dd></div>");
    }
    page.push_str("</dl>\n");
    if !book.complete {
        page.push_str("<p class=\"warning\">Not complete: submissions are missing.</p>\n");
    }
    if class.unconfined > 0 {
        let _ = writeln!(
            page,
            "<p class=\"warning\">{} not confined: see their details.</p>",
            words::count(class.unconfined, "submission")
        );
    }
    page.push_str(
        "<nav><a href=\"#where\">Who is where</a><a href=\"#tests\">Tests</a>\
         <a href=\"#predictions\">Predictions</a><a href=\"#answers\">Answers</a>\
         <a href=\"#submissions\">Submissions</a></nav>\n</header>\n",
    );
}

/// Opens a section. Only the first of a kind carries the name that links lead to.
fn section(page: &mut String, id: &str, title: &str, lab: &str, lead: &str) {
    let opening = format!("<section id=\"{id}\">");
    let opening = if page.contains(&opening) {
        "<section>"
    } else {
        &opening
    };
    let lab = if lab.is_empty() {
        String::new()
    } else {
        format!(" <small>{}</small>", esc(lab))
    };
    let _ = writeln!(
        page,
        "{opening}\n<h2>{title}{lab}</h2>\n<p class=\"lead\">{lead}</p>"
    );
}

/// Escapes a text that stays in one line.
fn esc(text: &str) -> String {
    html(&words::one_line(text))
}

/// Escapes a text that may have several lines, and cuts it if it is very long.
fn block(text: &str) -> String {
    html(&words::lines(&words::cut(text, VALUE)))
}

fn html(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            sign => safe.push(sign),
        }
    }
    safe
}

/// Writes the name of a submission so that its direction stays its own.
fn who(submission: &Submission) -> String {
    format!("<bdi>{}</bdi>", esc(&submission.path))
}

/// Writes a link to the details of a submission.
fn link(place: usize, submission: &Submission) -> String {
    format!("<a href=\"#s{place}\">{}</a>", who(submission))
}

/// Writes points beside what they could have been.
fn points(score: Points, most: Points) -> String {
    format!("<b>{score}</b><span class=\"of\"> / {most}</span>")
}

/// Writes a bar of a share in percent.
fn bar(percent: usize, class: &str) -> String {
    format!(
        "<span class=\"bar {class}\"><i style=\"width:{}%\"></i></span>",
        percent.min(100)
    )
}

/// Returns a share in whole percent.
fn share(part: usize, whole: usize) -> usize {
    part * 100 / whole.max(1)
}
