//! Where in a YAML file a value stands: the only user of the parser that keeps marks.

use std::sync::OnceLock;

use saphyr_parser::{Event, Parser, ScalarStyle, Span};

/// A place in a file: line and column, both counted from 1.
pub type Place = (usize, usize);

/// How deep values may lie in one another.
const DEEPEST: usize = 48;

/// One step on the way to a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step<'a> {
    /// Into the value of a key.
    Key(&'a str),
    /// Into an item of a list, counted from 0.
    Item(usize),
}

/// A value with its place, and the values inside it.
#[derive(Debug, Clone)]
pub struct Node {
    /// Where it begins.
    pub place: Place,
    /// What it is.
    pub kind: NodeKind,
}

/// What a value is.
#[derive(Debug, Clone)]
pub enum NodeKind {
    /// Keys with their own places, and their values.
    Map(Vec<(String, Place, Node)>),
    /// Items in order.
    List(Vec<Node>),
    /// Anything else, as it is written.
    Scalar {
        /// The text, without quotes.
        text: String,
        /// Whether it is written without quotes, so that it may be a number or null.
        plain: bool,
    },
    /// A value written elsewhere, under an anchor.
    Alias,
}

/// Why a text has no places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unplaced {
    /// It is not YAML.
    Syntax {
        /// Where that shows.
        place: Place,
        /// What the parser says.
        why: String,
    },
    /// Values lie too deep in one another.
    TooDeep {
        /// Where that shows.
        place: Place,
    },
}

/// The places of all values of a file.
#[derive(Debug, Clone)]
pub struct Places {
    top: OnceLock<Node>,
    /// The text of a file that is read when a place is asked for.
    unread: String,
}

impl Places {
    /// Reads the places of `text`; of an empty one there is only the start.
    ///
    /// # Errors
    ///
    /// Says where and why the text cannot be read.
    pub fn of(text: &str) -> Result<Self, Unplaced> {
        Ok(Self {
            top: OnceLock::from(Node::read(text)?),
            unread: String::new(),
        })
    }

    /// The places of a text that is known to be YAML; it is read when one is asked for.
    #[must_use]
    pub const fn later(text: String) -> Self {
        Self {
            top: OnceLock::new(),
            unread: text,
        }
    }

    /// Returns the value that holds all others.
    #[must_use]
    pub fn top(&self) -> &Node {
        let read = || Node::read(&self.unread).unwrap_or(Node::START);
        self.top.get_or_init(read)
    }

    /// Returns the text of a plain value.
    #[must_use]
    pub fn text(&self, way: &[Step<'_>]) -> Option<&str> {
        let node = way
            .iter()
            .try_fold(self.top(), |node, step| node.step(step))?;
        match &node.kind {
            NodeKind::Scalar { text, .. } => Some(text),
            _ => None,
        }
    }

    /// Finds the place of a value, or of the nearest value around it.
    #[must_use]
    pub fn find(&self, way: &[Step<'_>]) -> Place {
        let mut node = self.top();
        for step in way {
            match node.step(step) {
                Some(next) => node = next,
                None => break,
            }
        }
        node.place
    }
}

impl Node {
    /// The start of a file that holds nothing.
    const START: Self = Self {
        place: (1, 1),
        kind: NodeKind::Alias,
    };

    /// Reads the value that holds all others.
    fn read(text: &str) -> Result<Self, Unplaced> {
        let events = Parser::new_from_str(text);
        let top = Reader { events }.value(DEEPEST)?;
        Ok(top.unwrap_or(Self::START))
    }

    fn step(&self, step: &Step<'_>) -> Option<&Self> {
        match (step, &self.kind) {
            (Step::Key(key), NodeKind::Map(entries)) => entries
                .iter()
                .find(|(name, _, _)| name == key)
                .map(|(_, _, node)| node),
            (Step::Item(place), NodeKind::List(items)) => items.get(*place),
            _ => None,
        }
    }
}

struct Reader<'i> {
    events: Parser<'i, saphyr_parser::StrInput<'i>>,
}

impl<'i> Reader<'i> {
    fn next(&mut self) -> Result<Option<(Event<'i>, Span)>, Unplaced> {
        match self.events.next() {
            None => Ok(None),
            Some(Ok(event)) => Ok(Some(event)),
            Some(Err(error)) => Err(Unplaced::Syntax {
                place: (error.marker().line(), error.marker().col() + 1),
                why: error.info().to_owned(),
            }),
        }
    }

    /// Reads one value; none at the end of what holds it.
    fn value(&mut self, depth: usize) -> Result<Option<Node>, Unplaced> {
        while let Some((event, span)) = self.next()? {
            let place = (span.start.line(), span.start.col() + 1);
            let deep = matches!(event, Event::SequenceStart(..) | Event::MappingStart(..));
            if deep && depth == 0 {
                return Err(Unplaced::TooDeep { place });
            }
            let kind = match event {
                Event::StreamStart | Event::DocumentStart(_) | Event::Nothing => continue,
                Event::Scalar(text, style, ..) => NodeKind::Scalar {
                    text: text.into_owned(),
                    plain: style == ScalarStyle::Plain,
                },
                Event::Alias(_) => NodeKind::Alias,
                Event::SequenceStart(..) => self.list(depth - 1)?,
                Event::MappingStart(..) => self.map(depth - 1)?,
                Event::SequenceEnd | Event::MappingEnd | Event::DocumentEnd | Event::StreamEnd => {
                    return Ok(None);
                }
            };
            return Ok(Some(Node { place, kind }));
        }
        Ok(None)
    }

    fn list(&mut self, depth: usize) -> Result<NodeKind, Unplaced> {
        let mut items = Vec::new();
        while let Some(item) = self.value(depth)? {
            items.push(item);
        }
        Ok(NodeKind::List(items))
    }

    fn map(&mut self, depth: usize) -> Result<NodeKind, Unplaced> {
        let mut entries = Vec::new();
        while let Some(key) = self.value(depth)? {
            let Some(value) = self.value(depth)? else {
                break;
            };
            if let NodeKind::Scalar { text, .. } = key.kind {
                entries.push((text, key.place, value));
            }
        }
        Ok(NodeKind::Map(entries))
    }
}

#[cfg(test)]
mod tests {
    use super::Step::{Item, Key};
    use super::*;

    const TEXT: &str =
        "- id: a\n  script:\n    - call: x\n    - rows: {keys: [[1, two]]}\n- id: b\n";

    #[test]
    fn finds_values_by_their_way() {
        let places = Places::of(TEXT).unwrap();
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
        let places = Places::of(TEXT).unwrap();
        assert_eq!(places.find(&[Item(0), Key("script"), Item(9)]), (3, 5));
        assert_eq!(Places::of("").unwrap().find(&[Key("x")]), (1, 1));
    }

    #[test]
    fn a_text_that_is_not_yaml_has_a_place_where_that_shows() {
        let unplaced = Places::of("a: 1\nb: [1, 2\nc: 3\n").unwrap_err();
        assert!(
            matches!(unplaced, Unplaced::Syntax { place: (3, _), .. }),
            "{unplaced:?}"
        );
    }

    #[test]
    fn places_that_are_read_later_are_the_same() {
        let (now, later) = (Places::of(TEXT).unwrap(), Places::later(TEXT.to_owned()));
        for way in [vec![Item(1), Key("id")], vec![Item(0), Key("script")]] {
            assert_eq!(later.find(&way), now.find(&way));
            assert_eq!(later.text(&way), now.text(&way));
        }
    }

    #[test]
    fn depth_is_limited() {
        assert!(Places::of(&"[".repeat(100_000)).is_err());
        let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
        assert!(matches!(Places::of(&deep), Err(Unplaced::TooDeep { .. })));
    }
}
