//! The lab's own SQL in a few words: what it is there for, not what it shows.

use super::cut;

/// The widest a statement that puts rows in is shown: whatever it puts in, it begins alike.
const WIDEST_INSERT: usize = 26;
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
    let widest = if line.to_uppercase().starts_with("INSERT") {
        WIDEST_INSERT
    } else {
        WIDEST
    };
    cut(&line, widest)
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
