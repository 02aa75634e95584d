//! What a window costs, as a table of text: the rows that are live, and their bytes.

use crate::model::Storage;

/// The widest a cell of the table is, in columns.
const WIDE: usize = 23;

/// Writes the rows and bytes of each rate and window, in lines of at most 76 columns.
#[must_use]
pub fn storage_lines(storage: &Storage) -> Vec<String> {
    let mut lines = vec![format!(
        "Live records and their bytes; a row takes about {} bytes with its index.",
        storage.row
    )];
    let cell = |text: &str| format!("{text:>WIDE$}");
    let heads = storage.windows.iter().map(|window| cell(&span(*window)));
    lines.push(
        format!("{:<7}{}", "per s", heads.collect::<String>())
            .trim_end()
            .to_owned(),
    );
    for rate in &storage.rates {
        let cells = storage.windows.iter().map(|window| {
            let rows = rate * window;
            let bytes = rows.saturating_mul(storage.row);
            cell(&format!("{} = {}", grouped(rows), size(bytes)))
        });
        lines.push(format!("{rate:<7}{}", cells.collect::<String>()));
    }
    lines.push("Choose another rate: idemlab --rate N, in charges a second.".to_owned());
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

/// Writes bytes with three digits or fewer, in powers of a thousand, cut.
fn size(bytes: u64) -> String {
    const UNITS: [&str; 6] = ["B", "kB", "MB", "GB", "TB", "PB"];
    let (mut whole, mut unit, mut tenth) = (bytes, 0, 0);
    while whole >= 1000 && unit + 1 < UNITS.len() {
        tenth = whole % 1000 / 100;
        whole /= 1000;
        unit += 1;
    }
    let unit = UNITS[unit];
    if whole < 10 && tenth > 0 {
        format!("{whole}.{tenth} {unit}")
    } else {
        format!("{whole} {unit}")
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
        storage_lines(&Storage {
            row: 300,
            windows: vec![86_400, 259_200, 2_592_000],
            rates,
        })
    }

    #[test]
    fn the_table_has_rows_and_bytes_for_each_window() {
        assert_eq!(
            lines(vec![1, 50, 1000]),
            [
                "Live records and their bytes; a row takes about 300 bytes with its index.",
                "per s                     24 h                   72 h                30 days",
                "1               86,400 = 25 MB        259,200 = 77 MB     2,592,000 = 777 MB",
                "50          4,320,000 = 1.2 GB    12,960,000 = 3.8 GB    129,600,000 = 38 GB",
                "1000        86,400,000 = 25 GB    259,200,000 = 77 GB 2,592,000,000 = 777 GB",
                "Choose another rate: idemlab --rate N, in charges a second.",
            ]
        );
    }

    #[test]
    fn the_largest_rate_still_fits() {
        let lines = lines(vec![crate::model::MOST_A_SECOND]);
        assert!(lines.iter().all(|line| line.len() <= 76), "{lines:#?}");
    }
}
