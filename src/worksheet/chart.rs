//! The keys that are live over time, drawn as text: what a store has to remember.
//!
//! The lab replays an input by the contract: first sight starts the only clock. It runs no
//! subject, so the drawing shows what is right, not what somebody's code does.

use std::collections::VecDeque;

use super::storage::grouped;
use crate::model::{Chart, Delivery, Lab};

/// Columns of the drawing, without its scale, where there is room.
const WIDE: usize = 62;
/// Columns of the scale on the left.
const SCALE: usize = 9;
/// Rows of the drawing.
const HIGH: u64 = 8;

/// Draws how many keys are live over the time of an input; the drawing is as wide as `room`, and
/// what is said below it, unless that is wider than 76 columns.
#[must_use]
pub fn chart_lines(lab: &Lab, chart: &Chart, room: usize) -> Vec<String> {
    let Some(input) = lab.input(&chart.input) else {
        return Vec::new();
    };
    let deliveries = input.deliveries(1);
    let live = live_over_time(&deliveries, chart.ttl);
    let peak = live.iter().copied().max().unwrap_or(0);
    let keys = input.new;
    let end = deliveries.last().map_or(1, |last| last.t.max(1));
    let wide = WIDE.min(room.saturating_sub(SCALE)).max(1);
    let columns = columns(&deliveries, &live, end, wide);
    let mut lines = vec![format!(
        "Live keys over time: {}, with a ttl of {}",
        input.title,
        span(chart.ttl)
    )];
    for row in (1..=HIGH).rev() {
        let scale = match row {
            HIGH => peak.to_string(),
            row if row == HIGH / 2 => (peak / 2).to_string(),
            _ => String::new(),
        };
        // A column reaches a row when it fills at least half of it.
        let reaches = |live: &u64| 2 * HIGH * live >= (2 * row - 1) * peak.max(1);
        let bars: String = columns
            .iter()
            .map(|live| if reaches(live) { '#' } else { ' ' })
            .collect();
        lines.push(format!("{scale:>7} |{}", bars.trim_end()));
    }
    lines.push(format!("{:>7} +{}", 0, "-".repeat(wide)));
    lines.push(format!("         {}", days(end, wide)));
    let told = [
        format!(
            "{} deliveries of {} keys, which do not come evenly: at most {peak} are",
            grouped(deliveries.len() as u64),
            grouped(keys)
        ),
        format!(
            "live at once. Without expiry there would be {} in the end.",
            grouped(keys)
        ),
    ];
    if wide == WIDE {
        lines.extend(told);
    } else {
        lines.push(told.join(" "));
    }
    lines
}

/// Counts the live keys after each delivery.
fn live_over_time(deliveries: &[Delivery], ttl: u64) -> Vec<u64> {
    let mut live: VecDeque<(u64, u64)> = VecDeque::new();
    let mut keys = std::collections::HashSet::new();
    let mut counts = Vec::new();
    for delivery in deliveries {
        while let Some((first_seen, key)) = live.front().copied()
            && delivery.t - first_seen >= ttl
        {
            keys.remove(&key);
            live.pop_front();
        }
        if keys.insert(delivery.key) {
            live.push_back((delivery.t, delivery.key));
        }
        counts.push(live.len() as u64);
    }
    counts
}

/// Takes the most keys that were live in the time of each column.
fn columns(deliveries: &[Delivery], live: &[u64], end: u64, wide: usize) -> Vec<u64> {
    let mut columns = vec![0; wide];
    for (delivery, live) in deliveries.iter().zip(live) {
        let place = delivery.t * (wide as u64 - 1) / end;
        let column = &mut columns[usize::try_from(place).unwrap_or(0)];
        *column = (*column).max(*live);
    }
    for place in 1..wide {
        if columns[place] == 0 {
            columns[place] = columns[place - 1];
        }
    }
    columns
}

/// Writes the days below a drawing.
fn days(end: u64, wide: usize) -> String {
    let mut line = String::new();
    for day in 0..=end / 86_400 {
        let at = usize::try_from(day * 86_400 * (wide as u64 - 1) / end).unwrap_or(0);
        let text = format!("day {day}");
        let after = line.len() + 2 * usize::from(!line.is_empty());
        if at >= after && at + text.len() <= wide {
            line.push_str(&" ".repeat(at - line.len()));
            line.push_str(&text);
        }
    }
    line
}

/// Writes seconds as a person says them.
fn span(seconds: u64) -> String {
    if seconds > 0 && seconds.is_multiple_of(3600) {
        format!("{} hours", seconds / 3600)
    } else {
        format!("{seconds} s")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_week_has_its_peak_near_506_and_fits_into_80_columns() {
        let pack = crate::pack::shipped().unwrap();
        let lab = pack.lab("invoice").unwrap();
        let chart = lab.steps.iter().find_map(|step| step.chart.as_ref());
        let lines = chart_lines(lab, chart.unwrap(), 76);
        assert!(lines.iter().all(|line| line.len() <= 76), "{lines:#?}");
        let peak = lines.iter().find_map(|line| line.split("at most ").nth(1));
        let peak: u64 = peak.unwrap().split(' ').next().unwrap().parse().unwrap();
        assert!((496..=520).contains(&peak), "{lines:#?}");
        assert_eq!(lines.len() as u64, HIGH + 5);

        let narrow = chart_lines(lab, chart.unwrap(), 56);
        let (told, drawn) = narrow.split_last().unwrap();
        assert!(
            drawn[1..].iter().all(|line| line.len() <= 56),
            "{narrow:#?}"
        );
        assert_eq!(*told, lines[lines.len() - 2..].join(" "));
    }
}
