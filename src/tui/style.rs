//! The few styles of the screen: sixteen colours at most, and never colour alone.

use ratatui::style::{Color, Modifier, Style};

/// What a piece of text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Look {
    /// Plain text.
    Plain,
    /// A heading.
    Title,
    /// Something less important.
    Dim,
    /// What the cursor is on.
    Cursor,
    /// A key, or an answer that is chosen.
    Key,
    /// Right, passed, added.
    Good,
    /// Wrong, failed, removed.
    Bad,
    /// The part of a line that differs, in what was removed or is wrong.
    BadMark,
    /// The part of a line that differs, in what was added or expected.
    GoodMark,
    /// A warning.
    Warning,
}

impl Look {
    /// Returns the style; without colours it is told by weight, underline and inversion only.
    #[must_use]
    pub const fn style(self, colour: bool) -> Style {
        let style = Style::new();

        match self {
            Self::Plain => style,
            Self::Title => style.add_modifier(Modifier::BOLD),
            Self::Dim => style.add_modifier(Modifier::DIM),
            Self::Cursor => style.add_modifier(Modifier::REVERSED),
            Self::Key => tint(style.add_modifier(Modifier::BOLD), Color::Cyan, colour),
            Self::Good => tint(style, Color::Green, colour),
            Self::Bad => tint(style, Color::Red, colour),
            Self::GoodMark => tint(style, Color::Green, colour)
                .add_modifier(Modifier::BOLD)
                .add_modifier(Modifier::UNDERLINED),
            Self::BadMark => tint(style, Color::Red, colour)
                .add_modifier(Modifier::BOLD)
                .add_modifier(Modifier::UNDERLINED),
            Self::Warning => tint(style.add_modifier(Modifier::BOLD), Color::Yellow, colour),
        }
    }
}

const fn tint(style: Style, tint: Color, colour: bool) -> Style {
    if colour { style.fg(tint) } else { style }
}
