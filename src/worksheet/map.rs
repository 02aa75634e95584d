//! The map of the labs: the order in which they are best walked and why, and how far each is.

use crate::event::Attempt;
use crate::model::{Lab, Pack, Step};

use super::is_done;

/// Lists the labs that have a place in the suggested order, in that order, each with its reason.
#[must_use]
pub fn in_order(pack: &Pack) -> Vec<(&Lab, &str)> {
    let mut labs: Vec<(&u32, &Lab, &str)> = pack
        .labs
        .iter()
        .filter_map(|lab| {
            let (place, because) = lab.suggested.as_ref()?;
            Some((place, lab, because.as_str()))
        })
        .collect();
    labs.sort_by_key(|(place, _, _)| *place);
    labs.into_iter()
        .map(|(_, lab, because)| (lab, because))
        .collect()
}

/// Puts the labs into the suggested order; those without a place in it come last, as they are.
pub fn put_in_order(pack: &mut Pack) {
    pack.labs.sort_by_key(|lab| {
        let place = lab.suggested.as_ref().map(|(place, _)| *place);
        place.unwrap_or(u32::MAX)
    });
}

/// Finds the lab with which to go on after `last` was the last one worked in.
///
/// That is `last` itself as long as something is left in it, then the next one in the pack with
/// something left, and once all is done `last` again.
#[must_use]
pub fn lab_to_open(pack: &Pack, last: &str, is_over: &dyn Fn(&Lab) -> bool) -> Option<usize> {
    let at = pack.labs.iter().position(|lab| lab.id == last)?;
    let from_there = (at..pack.labs.len()).chain(0..at);
    let mut open = from_there.filter(|place| !is_over(&pack.labs[*place]));
    Some(open.next().unwrap_or(at))
}

/// Says where a lab stands in the suggested order, and why there; nothing for a lab alone.
#[must_use]
pub fn suggested_place(pack: &Pack, lab: &Lab) -> Option<String> {
    let order = in_order(pack);
    if order.len() < 2 {
        return None;
    }
    let place = order.iter().position(|(other, _)| other.id == lab.id)?;
    Some(format!(
        "{} of {}: {}",
        ordinal(place + 1),
        order.len(),
        order[place].1
    ))
}

/// Says what the order of the labs is worth, if at least two have a place in one.
#[must_use]
pub fn suggested_order(pack: &Pack) -> Option<&'static str> {
    let order = "Each lab stands alone. If you mean to do all, this order is a good one.";
    (in_order(pack).len() > 1).then_some(order)
}

/// Names the lab that follows in the suggested order.
#[must_use]
pub fn next_in_order<'p>(pack: &'p Pack, lab: &Lab) -> Option<&'p Lab> {
    let order = in_order(pack);
    let place = order.iter().position(|(other, _)| other.id == lab.id)?;
    order.get(place + 1).map(|(next, _)| *next)
}

/// Tells whether a step is done: its first prediction was run, or it is answered in writing.
#[must_use]
pub fn is_step_done(
    lab: &Lab,
    step: &Step,
    attempts: &[Attempt],
    is_answered: &dyn Fn(&str) -> bool,
) -> bool {
    match (&step.task, lab.worksheet_mutant(step.number)) {
        (Some(task), None) => is_answered(task),
        _ => is_done(attempts, lab, step.number),
    }
}

fn ordinal(place: usize) -> String {
    let ending = match place {
        1 => "st",
        2 => "nd",
        3 => "rd",
        _ => "th",
    };
    format!("{place}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labs_are_named_in_the_order_of_their_places_each_with_its_reason() {
        let mut pack = crate::pack::shipped().unwrap();
        assert!(suggested_order(&pack).is_some());
        let names: Vec<&str> = in_order(&pack)
            .iter()
            .map(|lab| lab.0.id.as_str())
            .collect();
        assert_eq!(names, ["invoice", "inbox", "charge", "retention"]);
        let first = pack.lab("invoice").unwrap();
        assert_eq!(
            suggested_place(&pack, first).unwrap(),
            "1st of 4: the idea, in memory"
        );
        assert_eq!(next_in_order(&pack, first).unwrap().id, "inbox");
        let last = pack.lab("retention").unwrap();
        assert!(next_in_order(&pack, last).is_none());
        pack.labs.truncate(1);
        assert_eq!(suggested_order(&pack), None);
        assert_eq!(suggested_place(&pack, &pack.labs[0]), None);
    }

    #[test]
    fn a_lab_is_opened_until_nothing_is_left_in_it_and_then_the_next() {
        let mut pack = crate::pack::shipped().unwrap();
        put_in_order(&mut pack);
        let names: Vec<&str> = pack.labs.iter().map(|lab| lab.id.as_str()).collect();
        assert_eq!(names, ["invoice", "inbox", "charge", "retention"]);
        let open = |last: &str, over: &[&str]| {
            lab_to_open(&pack, last, &|lab| over.contains(&lab.id.as_str()))
        };
        assert_eq!(open("inbox", &[]), Some(1));
        assert_eq!(open("inbox", &["invoice", "inbox"]), Some(2));
        assert_eq!(open("retention", &["retention"]), Some(0));
        assert_eq!(open("charge", &names), Some(2));
        assert_eq!(open("no-such-lab", &[]), None);
        // A lab without a place comes after those that have one.
        pack.labs[0].suggested = None;
        put_in_order(&mut pack);
        assert_eq!(pack.labs[3].id, "invoice");
    }

    #[test]
    fn a_written_step_is_done_when_it_is_answered() {
        let pack = crate::pack::shipped().unwrap();
        let lab = pack.lab("inbox").unwrap();
        let step = lab.step(2).unwrap();
        assert!(!is_step_done(lab, step, &[], &|_| false));
        assert!(is_step_done(lab, step, &[], &|task| task == "key"));
    }
}
