//! The lab's own SQL in a few words: what it is there for, not what it shows.

use super::cut;

/// The widest a statement that puts rows in is shown: whatever it puts in, it begins alike.
const WIDEST_INSERT: usize = 26;
/// The most rows that are written out where a statement lists them.
const MOST_ROWS: usize = 3;
/// The widest one value of such a row is shown.
const WIDEST_CELL: usize = 14;
/// The widest any other statement is shown.
const WIDEST: usize = 60;

/// Names what a piece of the lab's own SQL is there for.
pub(super) fn sql_words(sql: &str) -> String {
    let upper = sql.to_uppercase();
    match upper.matches("CREATE TRIGGER").count() {
        0 if upper.contains("DROP TRIGGER") => "trigger off".to_owned(),
        0 if upper.contains("RECURSIVE") => "many rows".to_owned(),
        0 => statement(sql),
        1 => match moment(&upper) {
            Some(moment) => format!("a trigger {moment}"),
            None => "a trigger".to_owned(),
        },
        more => format!("{more} triggers"),
    }
}

/// Writes a statement in one line, cut to what a list can afford.
pub(super) fn statement(sql: &str) -> String {
    let line = sql.split_whitespace().collect::<Vec<&str>>().join(" ");
    if !line.to_uppercase().starts_with("INSERT") {
        return cut(&line, WIDEST);
    }
    let rows = inserted(&line);
    match rows.as_slice() {
        [] => cut(&line, WIDEST_INSERT),
        rows if rows.len() <= MOST_ROWS => format!("INSERT {}", rows.join(" ")),
        rows => {
            let left = rows.len() - MOST_ROWS;
            format!("INSERT {} …{left} more", rows[..MOST_ROWS].join(" "))
        }
    }
}

/// Lists the rows that a statement puts in by their first two values, which tell them apart.
fn inserted(line: &str) -> Vec<String> {
    let Some(at) = line.to_uppercase().find("VALUES") else {
        return Vec::new();
    };
    // Where a capital is longer than its small letter, the place is not one of this line.
    let Some(values) = line.get(at + "VALUES".len()..) else {
        return Vec::new();
    };
    let (mut rows, mut row) = (Vec::new(), vec![String::new()]);
    let (mut depth, mut is_quoted) = (0_usize, false);
    for sign in values.chars() {
        match sign {
            '\'' => is_quoted = !is_quoted,
            '(' if !is_quoted => depth += 1,
            ')' if !is_quoted && depth == 1 => {
                rows.push(first_two(&row));
                row = vec![String::new()];
                depth = 0;
                continue;
            }
            ')' if !is_quoted => depth = depth.saturating_sub(1),
            ',' if !is_quoted && depth == 1 => {
                row.push(String::new());
                continue;
            }
            ';' if !is_quoted => break,
            _ => {}
        }
        let opens = sign == '(' && depth == 1 && !is_quoted;
        if let Some(cell) = row.last_mut().filter(|_| depth > 0 && !opens) {
            cell.push(sign);
        }
    }
    rows
}

fn first_two(row: &[String]) -> String {
    let cells: Vec<String> = row
        .iter()
        .take(2)
        .map(|cell| cut(cell.trim(), WIDEST_CELL))
        .collect();
    let more = if row.len() > 2 { ",…" } else { "" };
    format!("({}{more})", cells.join(","))
}

/// Says what the lab does while a call waits for its lock.
pub(super) fn meanwhile_words(statements: &[String]) -> String {
    let statements = statements.iter().flat_map(|sql| sql.split(';'));
    let mut words: Vec<&str> = Vec::new();
    for word in statements.filter_map(|sql| sql.split_whitespace().next()) {
        let does = match word.to_uppercase().as_str() {
            "INSERT" => "inserts a row",
            "DELETE" => "deletes a row",
            "UPDATE" => "updates a row",
            "CREATE" => "creates the table",
            _ => "changes something",
        };
        if !words.contains(&does) {
            words.push(does);
        }
    }
    words.join(" and ")
}

/// Says when a trigger fires.
fn moment(upper: &str) -> Option<String> {
    let words: Vec<&str> = upper.split_whitespace().collect();
    words.windows(2).find_map(|pair| {
        let is_time = matches!(pair[0], "BEFORE" | "AFTER");
        let is_event = matches!(pair[1], "INSERT" | "UPDATE" | "DELETE");
        (is_time && is_event).then(|| pair.join(" ").to_lowercase())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sql_is_named_by_what_it_is_there_for() {
        let trigger = "CREATE TRIGGER keep BEFORE DELETE ON keys BEGIN SELECT 1; END";
        assert_eq!(sql_words(trigger), "a trigger before delete");
        assert_eq!(sql_words(&trigger.repeat(3)), "3 triggers");
        assert_eq!(sql_words("DROP TRIGGER keep"), "trigger off");
        assert_eq!(
            sql_words("UPDATE keys\n  SET status = 'done'"),
            "UPDATE keys SET status = 'done'"
        );
        assert_eq!(
            sql_words("INSERT INTO keys(id, fingerprint) VALUES ('k', 'v1')"),
            "INSERT ('k','v1')"
        );
        assert_eq!(
            sql_words("INSERT INTO t VALUES ('a ', 'O(1', 2), ('b', upper('x,y'), 3);"),
            "INSERT ('a ','O(1',…) ('b',upper('x,y'),…)"
        );
        assert_eq!(
            sql_words("INSERT INTO t VALUES (1), (2), (3), (4)"),
            "INSERT (1) (2) (3) …1 more"
        );
        assert_eq!(
            sql_words("INSERT INTO keys(id, fingerprint) SELECT 1, 2"),
            "INSERT INTO keys(id, fing…"
        );
    }

    #[test]
    fn what_the_lab_does_meanwhile_is_said_once() {
        let sql = [
            "DELETE FROM keys",
            "INSERT INTO keys VALUES (1); INSERT INTO keys VALUES (2)",
        ];
        assert_eq!(
            meanwhile_words(&sql.map(str::to_owned)),
            "deletes a row and inserts a row"
        );
    }
}
