//! Where in a YAML file a value stands: the only user of the parser that keeps marks.

use saphyr_parser::{Event, Parser, Span};

/// A place in a file: line and column, both counted from 1.
pub type Place = (usize, usize);

/// One step on the way to a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step<'a> {
    /// Into the value of a key.
    Key(&'a str),
    /// Into an item of a list, counted from 0.
    Item(usize),
}

/// The places of all values of a file.
#[derive(Debug)]
pub struct Places(Node);

#[derive(Debug)]
struct Node {
    place: Place,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Map(Vec<(String, Node)>),
    List(Vec<Node>),
    Scalar(String),
}

impl Places {
    /// Reads the places of `text`; a text that is not YAML has only its start.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let mut events = Parser::new_from_str(text)
            .map_while(Result::ok)
            .filter(|(event, _)| {
                !matches!(
                    event,
                    Event::StreamStart | Event::DocumentStart(_) | Event::Nothing
                )
            });
        let top = read(&mut events).unwrap_or(Node {
            place: (1, 1),
            kind: Kind::Scalar(String::new()),
        });
        Self(top)
    }

    /// Finds the place of a value, or of the nearest value around it.
    #[must_use]
    pub fn find(&self, way: &[Step<'_>]) -> Place {
        let mut node = &self.0;
        for step in way {
            let next = match (step, &node.kind) {
                (Step::Key(key), Kind::Map(entries)) => entries
                    .iter()
                    .find(|(name, _)| name == key)
                    .map(|(_, node)| node),
                (Step::Item(place), Kind::List(items)) => items.get(*place),
                _ => None,
            };
            match next {
                Some(next) => node = next,
                None => break,
            }
        }
        node.place
    }
}

fn place(span: Span) -> Place {
    (span.start.line(), span.start.col() + 1)
}

fn read<'i>(events: &mut impl Iterator<Item = (Event<'i>, Span)>) -> Option<Node> {
    let (event, span) = events.next()?;
    let place = place(span);
    let kind = match event {
        Event::Scalar(text, ..) => Kind::Scalar(text.into_owned()),
        Event::Alias(_) => Kind::Scalar(String::new()),
        Event::SequenceStart(..) => {
            let mut items = Vec::new();
            while let Some(item) = read(events) {
                items.push(item);
            }
            Kind::List(items)
        }
        Event::MappingStart(..) => {
            let mut entries = Vec::new();
            while let Some(key) = read(events) {
                let Some(value) = read(events) else { break };
                if let Kind::Scalar(name) = key.kind {
                    entries.push((name, value));
                }
            }
            Kind::Map(entries)
        }
        _ => return None,
    };
    Some(Node { place, kind })
}

#[cfg(test)]
mod tests {
    use super::Step::{Item, Key};
    use super::*;

    const TEXT: &str =
        "- id: a\n  script:\n    - call: x\n    - rows: {keys: [[1, two]]}\n- id: b\n";

    #[test]
    fn finds_values_by_their_way() {
        let places = Places::of(TEXT);
        assert_eq!(places.find(&[Item(1), Key("id")]), (5, 7));
        assert_eq!(
            places.find(&[Item(0), Key("script"), Item(0), Key("call")]),
            (3, 13)
        );
        let way = [
            Item(0),
            Key("script"),
            Item(1),
            Key("rows"),
            Key("keys"),
            Item(0),
            Item(1),
        ];
        assert_eq!(places.find(&way), (4, 25));
    }

    #[test]
    fn a_value_that_is_not_there_is_placed_at_what_is_around_it() {
        let places = Places::of(TEXT);
        assert_eq!(places.find(&[Item(0), Key("script"), Item(9)]), (3, 5));
        assert_eq!(Places::of("").find(&[Key("x")]), (1, 1));
    }
}
