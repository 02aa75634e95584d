//! What a window costs, as a table of text: the rows that are live, and their bytes.

use crate::model::Storage;

/// The widest a cell of the table is, in columns.
const WIDE: usize = 23;
/// Columns of the rate in front.
const FIRST: usize = 7;

/// Writes the rows and bytes of each rate and window: as a table where there is room for one, and
/// otherwise a line for each.
#[must_use]
pub fn storage_lines(storage: &Storage, room: usize) -> Vec<String> {
    let mut lines = vec![format!(
        "Live records and their bytes; a row takes about {} bytes with its index.",
        storage.row
    )];
    if room < FIRST + WIDE * storage.windows.len() {
        lines.extend(one_a_line(storage));
    } else {
        lines.extend(table(storage));
    }
    lines.push("Choose another rate: idemlab --rate N, in charges a second.".to_owned());
    lines
}

/// Writes the rows that are live at a rate with a window, and their bytes.
fn cost(storage: &Storage, rate: u64, window: u64) -> String {
    let rows = rate * window;
    let bytes = rows.saturating_mul(storage.row);
    format!("{} = {}", grouped(rows), size(bytes))
}

fn one_a_line(storage: &Storage) -> Vec<String> {
    let mut lines = vec![format!(
        "{:<7}{:<9}{:>WIDE$}",
        "per s", "window", "rows = bytes"
    )];
    for rate in &storage.rates {
        for window in &storage.windows {
            let cost = cost(storage, *rate, *window);
            lines.push(format!("{rate:<7}{:<9}{cost:>WIDE$}", span(*window)));
        }
    }
    lines
}

fn table(storage: &Storage) -> Vec<String> {
    let cell = |text: &str| format!("{text:>WIDE$}");
    let mut lines = Vec::new();
    let heads = storage.windows.iter().map(|window| cell(&span(*window)));
    lines.push(
        format!("{:<7}{}", "per s", heads.collect::<String>())
            .trim_end()
            .to_owned(),
    );
    for rate in &storage.rates {
        let windows = storage.windows.iter();
        let cells = windows.map(|window| cell(&cost(storage, *rate, *window)));
        lines.push(format!("{rate:<7}{}", cells.collect::<String>()));
    }
    lines
}

/// Writes a number with its digits in threes.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Writes bytes with three digits or fewer, in powers of a thousand, rounded.
fn size(bytes: u64) -> String {
    const UNITS: [&str; 6] = ["B", "kB", "MB", "GB", "TB", "PB"];
    let bytes = u128::from(bytes);
    let (mut scale, mut unit) = (1, 0);
    while (bytes + scale / 2) / scale >= 1000 && unit + 1 < UNITS.len() {
        scale *= 1000;
        unit += 1;
    }
    let (whole, tenths) = (
        (bytes + scale / 2) / scale,
        (bytes * 10 + scale / 2) / scale,
    );
    let unit = UNITS[unit];
    match (tenths / 10, tenths % 10) {
        (few @ 0..=9, tenth @ 1..) => format!("{few}.{tenth} {unit}"),
        _ => format!("{whole} {unit}"),
    }
}

/// Writes seconds as a person says them.
fn span(seconds: u64) -> String {
    match (seconds / 86_400, seconds / 3600) {
        (days, _) if days > 3 && seconds.is_multiple_of(86_400) => format!("{days} days"),
        (_, hours) if hours > 0 && seconds.is_multiple_of(3600) => format!("{hours} h"),
        _ => format!("{seconds} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(rates: Vec<u64>) -> Vec<String> {
        lines_in(76, rates)
    }

    fn lines_in(room: usize, rates: Vec<u64>) -> Vec<String> {
        let storage = Storage {
            row: 300,
            windows: vec![86_400, 259_200, 2_592_000],
            rates,
        };
        storage_lines(&storage, room)
    }

    #[test]
    fn without_room_for_the_table_each_cost_has_a_line() {
        let lines = lines_in(75, vec![50]);
        assert_eq!(
            lines[1..5],
            [
                "per s  window              rows = bytes",
                "50     24 h          4,320,000 = 1.3 GB",
                "50     72 h         12,960,000 = 3.9 GB",
                "50     30 days      129,600,000 = 39 GB",
            ]
        );
    }

    #[test]
    fn the_table_has_rows_and_bytes_for_each_window() {
        assert_eq!(
            lines(vec![1, 50, 1000]),
            [
                "Live records and their bytes; a row takes about 300 bytes with its index.",
                "per s                     24 h                   72 h                30 days",
                "1               86,400 = 26 MB        259,200 = 78 MB     2,592,000 = 778 MB",
                "50          4,320,000 = 1.3 GB    12,960,000 = 3.9 GB    129,600,000 = 39 GB",
                "1000        86,400,000 = 26 GB    259,200,000 = 78 GB 2,592,000,000 = 778 GB",
                "Choose another rate: idemlab --rate N, in charges a second.",
            ]
        );
    }

    #[test]
    fn bytes_are_rounded_and_never_four_digits() {
        let of = |bytes: u64| size(bytes);
        assert_eq!([of(0), of(999), of(1000)], ["0 B", "999 B", "1 kB"]);
        assert_eq!([of(9949), of(9950), of(9999)], ["9.9 kB", "10 kB", "10 kB"]);
        assert_eq!([of(999_499), of(999_500)], ["999 kB", "1 MB"]);
        assert_eq!([of(7_957_440_000), of(79_574_400_000)], ["8 GB", "80 GB"]);
    }

    #[test]
    fn the_largest_rate_still_fits() {
        let lines = lines(vec![crate::model::MOST_A_SECOND]);
        assert!(lines.iter().all(|line| line.len() <= 76), "{lines:#?}");
    }
}
