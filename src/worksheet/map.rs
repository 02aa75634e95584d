//! The order in which a learner is told to walk the labs, and why.

use crate::model::{Lab, Pack};

/// Says which order is good, if at least two labs have a place in one.
#[must_use]
pub fn suggested_order(pack: &Pack) -> Option<String> {
    let mut labs: Vec<(&u32, &Lab, &str)> = pack
        .labs
        .iter()
        .filter_map(|lab| {
            let (place, because) = lab.suggested.as_ref()?;
            Some((place, lab, because.as_str()))
        })
        .collect();
    if labs.len() < 2 {
        return None;
    }
    labs.sort_by_key(|(place, _, _)| *place);
    let named: Vec<String> = labs
        .iter()
        .map(|(_, lab, because)| format!("{} ({because})", lab.id))
        .collect();
    Some(format!(
        "Each lab stands alone. A good order for all: {}.",
        named.join(", ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labs_are_named_in_the_order_of_their_places_each_with_its_reason() {
        let mut pack = crate::pack::shipped().unwrap();
        let words = suggested_order(&pack).unwrap();
        let place = |name: &str| words.find(name).unwrap();
        assert!(place("invoice (the idea") < place("retention (the end"));
        pack.labs.truncate(1);
        assert_eq!(suggested_order(&pack), None);
    }
}
