//! A screen as a picture: SVG text, cell by cell, in the colours of a quiet terminal.

use std::fmt::Write as _;

use vt100::{Cell, Color, Screen};

const CELL: (usize, usize) = (9, 20);
const MARGIN: usize = 12;
const PAPER: &str = "#fdfdf8";
const INK: &str = "#24292f";

/// Draws the screen. Times are not the same twice, so each is drawn as one.
pub fn picture(screen: &Screen) -> String {
    let (rows, columns) = screen.size();
    let (rows, columns) = (rows.get(), columns.get());
    let width = usize::from(columns) * CELL.0 + 2 * MARGIN;
    let height = usize::from(rows) * CELL.1 + 2 * MARGIN;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"ui-monospace, Menlo, Consolas, \
         'DejaVu Sans Mono', monospace\" font-size=\"15\">\n\
         <rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"{PAPER}\" stroke=\"#d0d7de\"/>\n"
    );
    for row in 0..rows {
        let text: String = (0..columns)
            .filter_map(|column| screen.cell(row, column))
            .map(shown)
            .collect();
        // A time may be a digit longer or shorter: what follows keeps the style of the row's end.
        let last = text.trim_end().chars().count().saturating_sub(1);
        let mut cells: Vec<(char, Option<&Cell>)> = Vec::new();
        for (column, sign) in settle(text.trim_end()).chars().enumerate() {
            let column = u16::try_from(column.min(last)).unwrap();
            cells.push((sign, screen.cell(row, column)));
        }
        draw(&mut svg, usize::from(row), &cells);
    }
    svg.push_str("</svg>\n");
    svg
}

fn shown(cell: &Cell) -> String {
    if cell.has_contents() {
        cell.contents().to_owned()
    } else {
        " ".to_owned()
    }
}

/// Draws a row in stretches of one style.
fn draw(svg: &mut String, row: usize, cells: &[(char, Option<&Cell>)]) {
    let style = |cell: Option<&Cell>| cell.map(|cell| (colour(cell), cell.bold(), cell.inverse()));
    let mut column = 0;
    for stretch in cells.chunk_by(|a, b| style(a.1) == style(b.1)) {
        let text: String = stretch.iter().map(|(sign, _)| *sign).collect();
        let (x, y) = (MARGIN + column * CELL.0, MARGIN + row * CELL.1);
        column += stretch.len();
        let (fill, bold, inverse) = style(stretch[0].1).unwrap_or((INK, false, false));
        if inverse {
            let width = stretch.len() * CELL.0;
            let _ = writeln!(
                svg,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{}\" fill=\"{fill}\"/>",
                CELL.1
            );
        }
        if text.trim().is_empty() {
            continue;
        }
        let weight = if bold { " font-weight=\"bold\"" } else { "" };
        let fill = if inverse { PAPER } else { fill };
        let width = stretch.len() * CELL.0;
        let _ = writeln!(
            svg,
            "<text x=\"{x}\" y=\"{}\" fill=\"{fill}\"{weight} textLength=\"{width}\" xml:space=\"preserve\">{}</text>",
            y + 15,
            escaped(&text)
        );
    }
}

fn colour(cell: &Cell) -> &'static str {
    if cell.dim() {
        return "#6e7781";
    }
    match cell.fgcolor() {
        Color::Idx(1 | 9) => "#b42318",
        Color::Idx(2 | 10) => "#1a7f37",
        Color::Idx(3 | 11) => "#8a6100",
        Color::Idx(4 | 12) => "#0b5cad",
        Color::Idx(5 | 13) => "#7d3ba8",
        Color::Idx(6 | 14) => "#0f766e",
        Color::Idx(7 | 8) => "#6e7781",
        _ => INK,
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// Puts 12 ms in the place of a time.
fn settle(line: &str) -> String {
    let Some(end) = line.find(" ms") else {
        return line.to_owned();
    };
    let start = line[..end]
        .rfind(|sign: char| !sign.is_ascii_digit())
        .map_or(0, |at| at + 1);
    format!("{}12{}", &line[..start], &line[end..])
}
