//! A class to be graded: right, wrong, ungraded, unstable, hidden and hostile.

use idemlab::gradebook::{
    Confinement, Gradebook, Points, Predicted, Probe, Section, Status, Step, Submission, Test,
    VERSION, Written,
};
use serde_json::{Value, json};

/// Stands in every part of a hidden test; no form for students may hold it.
pub const SECRET: &str = "kept-secret";

/// The steps: name, title, and how many tests each has.
const STEPS: [(&str, &str, usize); 8] = [
    ("init_db", "Set up", 10),
    ("reserve", "Reserve a key", 16),
    ("finish", "Finish a request", 14),
    ("fetch", "Fetch a response", 15),
    ("expired", "List what is due", 17),
    ("purge", "Delete what is due", 19),
    ("counts", "Count by state", 9),
    ("retention_cycle", "A whole cycle", 8),
];

/// The tests of the shipped lab that stand first in a step, so that pages look like real ones.
const NAMED: [(&str, &str); 8] = [
    (
        "set-up-twice-keeps-rows",
        "Set-up a second time leaves rows alone",
    ),
    (
        "second-reserve-is-refused",
        "A second reserve answers false and leaves the row alone",
    ),
    (
        "finish-stores-the-response",
        "Finish stores the response and the new expiry",
    ),
    (
        "fetch-of-another-digest-conflicts",
        "A fetch with another fingerprint is a conflict",
    ),
    (
        "pending-rows-never-expire",
        "A pending row is never listed, however old it is",
    ),
    (
        "purge-keeps-pending-rows",
        "Purge deletes no row that is still running",
    ),
    (
        "empty-table-counts-zero",
        "An empty table counts zero of both states",
    ),
    (
        "a-purged-key-is-new-again",
        "After purge the key is a new request again",
    ),
];

/// How the tests of a submission end: the verdict of test `place` of step `step`, from 1.
type Ending = dyn Fn(usize, usize) -> &'static str;

fn test(step: usize, place: usize, verdict: &str) -> Test {
    let hidden = step > 1 && place % 7 == 5;
    let red = matches!(verdict, "failed" | "errored" | "timed_out");
    let (id, title) = match place {
        1 => (NAMED[step - 1].0.to_owned(), NAMED[step - 1].1.to_owned()),
        _ if hidden => (
            format!("{SECRET}-{step}-{place}"),
            format!("A hidden behaviour, {SECRET} {place}"),
        ),
        _ => (
            format!("{}-case-{place}", STEPS[step - 1].0.replace('_', "-")),
            format!("Case {place} of {}", STEPS[step - 1].0),
        ),
    };
    let secret = if hidden { SECRET } else { "k" };
    let mark = match place {
        8 => "reliability",
        9 => "strictness",
        _ => "contract",
    };
    Test {
        id,
        title,
        verdict: verdict.to_owned(),
        mark: mark.to_owned(),
        hidden,
        unstable: false,
        line: red.then_some(2),
        says: red.then(|| format!("{}(key \"{secret}\", digest \"v1\")", STEPS[step - 1].0)),
        expected: red.then(|| json!({"returns": {"key": secret, "receipt": place}})),
        observed: red.then(|| match verdict {
            "failed" => json!({"returns": null}),
            "errored" => {
                json!({"raises": {"kind": "OperationalError", "message": "no such table"}})
            }
            _ => json!("it did not answer within 3 seconds"),
        }),
        notes: Vec::new(),
        millis: 12 + place as u64,
    }
}

fn step(number: usize, ending: &Ending) -> Step {
    let (function, title, count) = STEPS[number - 1];
    let tests: Vec<Test> = (1..=count)
        .map(|place| test(number, place, ending(number, place)))
        .collect();
    let contract = tests.iter().filter(|test| test.mark == "contract").count();
    let right = tests
        .iter()
        .filter(|test| test.mark == "contract" && test.verdict == "passed")
        .count();
    Step {
        step: u32::try_from(number).unwrap(),
        function: function.to_owned(),
        title: title.to_owned(),
        score: Points::whole(8).share(right, contract),
        max_score: Points::whole(8),
        why: None,
        tests,
        hidden: 0,
    }
}

/// Makes a submission whose tests end as `ending` says.
pub fn submission(path: &str, ending: &Ending) -> Submission {
    let steps: Vec<Step> = (1..=STEPS.len())
        .map(|number| step(number, ending))
        .collect();
    let mut submission = Submission {
        path: path.to_owned(),
        lab: "retention".to_owned(),
        track: "python".to_owned(),
        status: Status::Graded,
        why: None,
        score: None,
        max_score: Points::whole(84),
        confinement: Confinement {
            applied: true,
            by: ["landlock", "seccomp", "rlimits"]
                .map(str::to_owned)
                .to_vec(),
            lacking: vec!["pids.max".to_owned()],
        },
        steps,
        probes: probes(path.len()),
        written: written(path.len()),
        predictions: predictions(path.len()),
        millis: 1_834,
    };
    total(&mut submission);
    submission
}

fn total(submission: &mut Submission) {
    let steps: Points = submission.steps.iter().map(|step| step.score).sum();
    let rest = [
        submission.probes.score,
        submission.written.score,
        submission.predictions.score,
    ];
    submission.score = Some(rest.into_iter().chain([steps]).sum());
}

fn probes(seed: usize) -> Section<Probe> {
    let caught = seed.is_multiple_of(2);
    Section {
        score: if caught {
            Points::whole(4)
        } else {
            Points::whole(2)
        },
        max_score: Points::whole(4),
        items: vec![
            Probe {
                step: 2,
                mutant: "reserve-for-all".to_owned(),
                valid: true,
                caught: true,
                why: None,
            },
            Probe {
                step: 6,
                mutant: "purge-all".to_owned(),
                valid: caught,
                caught,
                why: (!caught).then(|| "line 2: the reference returns 1, not 2".to_owned()),
            },
        ],
    }
}

fn written(seed: usize) -> Section<Written> {
    let answer = |id: &str, title: &str, text: &str, missing: Vec<String>| Written {
        id: id.to_owned(),
        title: title.to_owned(),
        present: !text.is_empty(),
        words: text.split_whitespace().count(),
        missing,
        text: text.to_owned(),
    };
    let short = !seed.is_multiple_of(3);
    Section {
        score: Points::whole(8),
        max_score: Points::whole(8),
        items: vec![
            answer(
                "two-questions",
                "Which two questions had been mixed up?",
                "How long a finished response is kept, and who owns a request that is still \
                 running. The expiry time answers the first one only.\n\nA row that is pending \
                 belongs to its request until that request ends.",
                Vec::new(),
            ),
            answer(
                "what-a-client-loses",
                "What does a client lose when its row is gone?",
                if short {
                    ""
                } else {
                    "The promise that a retry is answered, not repeated."
                },
                if short {
                    Vec::new()
                } else {
                    vec!["it has 9 words of 20".to_owned()]
                },
            ),
        ],
    }
}

fn predictions(seed: usize) -> Section<Predicted> {
    let names = |names: &[&str]| {
        names
            .iter()
            .map(|name| (*name).to_owned())
            .collect::<Vec<_>>()
    };
    let caught = names(&[
        "purge-keeps-pending-rows",
        "purge-case-2",
        "kept-secret-6-5",
    ]);
    let said = match seed % 3 {
        0 => names(&[
            "purge-keeps-pending-rows",
            "purge-case-2",
            "kept-secret-6-5",
        ]),
        1 => names(&["purge-case-3", "purge-case-2"]),
        _ => names(&["purge-keeps-pending-rows"]),
    };
    let found = said.iter().filter(|id| caught.contains(id)).count();
    Section {
        score: Points::whole(4),
        max_score: Points::whole(8),
        items: vec![
            Predicted {
                step: 6,
                mutant: "purge-all".to_owned(),
                made: true,
                wrong: said.len() - found,
                said,
                caught_by: caught,
                sure: Some(
                    if seed.is_multiple_of(2) {
                        "certain"
                    } else {
                        "guess"
                    }
                    .to_owned(),
                ),
                found,
            },
            Predicted {
                step: 2,
                mutant: "reserve-for-all".to_owned(),
                made: !seed.is_multiple_of(4),
                said: if seed.is_multiple_of(4) {
                    Vec::new()
                } else {
                    names(&["reserve-case-2"])
                },
                caught_by: names(&["second-reserve-is-refused"]),
                sure: None,
                found: 0,
                wrong: usize::from(!seed.is_multiple_of(4)),
            },
        ],
    }
}

/// Makes a submission that could not be graded.
pub fn ungraded(path: &str, why: &str) -> Submission {
    let mut submission = submission(path, &|_, _| "not_run");
    submission.status = Status::Ungraded;
    submission.score = None;
    submission.why = Some(why.to_owned());
    for step in &mut submission.steps {
        step.score = Points::default();
    }
    for section in [
        &mut submission.probes.score,
        &mut submission.predictions.score,
    ] {
        *section = Points::default();
    }
    submission
}

/// Puts submissions into a book.
pub fn book(submissions: Vec<Submission>) -> Gradebook {
    Gradebook {
        version: VERSION,
        complete: true,
        pack: "idemlab 0.1.0, pack 3f1c".to_owned(),
        shard: None,
        submissions,
    }
}

/// Breaks every test of the given steps that has an even number.
fn even(steps: &'static [usize]) -> impl Fn(usize, usize) -> &'static str {
    move |step, place| {
        if steps.contains(&step) && place.is_multiple_of(2) {
            "failed"
        } else {
            "passed"
        }
    }
}

/// A submission in which only hidden tests are red.
pub fn only_hidden_red(path: &str) -> Submission {
    submission(path, &|step, place| {
        if step == 3 && place == 5 {
            "failed"
        } else {
            "passed"
        }
    })
}

/// A submission with a bit of everything: red, dead, slow, unstable, remarked, missing.
pub fn mixed(path: &str) -> Submission {
    let mut mixed = submission(path, &|step, place| match (step, place) {
        (2, 1) | (6, 1 | 5 | 9) => "failed",
        (4, 2) | (6, 8) => "errored",
        (5, 3) => "timed_out",
        (7, 3) => "inconclusive",
        (8, _) => "not_run",
        _ => "passed",
    });
    mixed.steps[0].tests[2].unstable = true;
    mixed.steps[0].tests[3].notes = vec!["returns 1 where true is meant".to_owned()];
    mixed.steps[7].why = Some("there is no function `retention_cycle`".to_owned());
    mixed
}

/// What a name or a value may try.
pub const HOSTILE: &str =
    "<script>alert(1)</script>\"'&`|*_[x](y:z)\n::error::no\u{1b}[31m\u{202e}";

/// A submission whose every text is hostile.
pub fn hostile() -> Submission {
    let mut hostile = submission(HOSTILE, &even(&[1, 3]));
    hostile.steps[0].tests[1].observed = Some(json!({"returns": HOSTILE}));
    hostile.steps[0].tests[3].observed = Some(Value::String("x".repeat(200_000)));
    hostile.steps[0].tests[5].says = Some(format!("```\n{HOSTILE}\n]]>-->"));
    hostile.steps[0].tests[0].notes = vec![HOSTILE.to_owned()];
    hostile.steps[2].why = Some(HOSTILE.to_owned());
    hostile.written.items[0].text = format!("{HOSTILE}\n</div></details>");
    hostile.probes.items[1].why = Some(HOSTILE.to_owned());
    HOSTILE.clone_into(&mut hostile.track);
    hostile
}

/// A class of twelve.
pub fn class() -> Gradebook {
    let mut unloadable = submission("erik", &|_, _| "not_run");
    unloadable.why = Some(
        "  File \"retention.py\", line 12\n    def reserve(path key):\n                     ^\n\
         SyntaxError: invalid syntax"
            .to_owned(),
    );
    for step in &mut unloadable.steps {
        step.score = Points::default();
    }
    total(&mut unloadable);
    let mut unconfined = submission("hana", &even(&[7, 8]));
    unconfined.confinement = Confinement {
        applied: false,
        by: Vec::new(),
        lacking: vec!["landlock".to_owned(), "seccomp".to_owned()],
    };
    book(vec![
        submission("anna", &|_, _| "passed"),
        mixed("ben"),
        ungraded("cem", "node is not installed here"),
        submission("dora/retention", &even(&[5, 6])),
        unloadable,
        submission("fatima", &|step, place| match (step, place) {
            (6.., 1..=4) => "failed",
            (8, _) => "errored",
            _ => "passed",
        }),
        only_hidden_red("gus"),
        unconfined,
        hostile(),
        submission("=HYPERLINK(\"x\")", &even(&[2])),
        ungraded("@ida", "there is no file `retention.py`,\nand no `command`"),
        submission("김철수", &|step, _| {
            if step > 4 { "errored" } else { "passed" }
        }),
    ])
}
