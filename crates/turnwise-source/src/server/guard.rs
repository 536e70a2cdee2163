//! What a statement may not hold, whatever else forbids it: MySQL's `SELECT` can write files, wait and take locks, none
//! of which a read-only transaction prevents, and DuckDB takes several statements for one. Our own statements are
//! plain, so what is not plain is refused. Next: `mysql` and `duckdb`, which send only what passes here.

/// Words that make a `SELECT` do more than read; functions among them are names like any other unless called.
const FORBIDDEN: [&str; 9] =
    ["into", "outfile", "dumpfile", "procedure", "for update", "for share", "lock in share mode", "handler", "call"];

/// Functions that read files, wait, take locks or count up.
const FORBIDDEN_CALLS: [&str; 17] = [
    "load_file",
    "sleep",
    "benchmark",
    "get_lock",
    "release_lock",
    "release_all_locks",
    "is_used_lock",
    "is_free_lock",
    "nextval",
    "setval",
    "lastval",
    "master_pos_wait",
    "master_gtid_wait",
    "wait_for_executed_gtid_set",
    "wait_until_sql_thread_after_gtids",
    "last_insert_id",
    "sys_exec",
];

/// Stands before what was quoted, so that it is taken for no word of the language.
const QUOTED: char = '`';

/// Refuses whatever is not one plain `SELECT`, and says why.
pub fn check(sql: &str) -> Result<(), String> {
    let words = words(sql)?;
    if words.first().map(String::as_str) != Some("select") {
        return Err("it does not begin with SELECT".to_owned());
    }
    for (at, word) in words.iter().enumerate() {
        let stands = |known: &&&str| known.split(' ').eq(words[at..].iter().take(known.split(' ').count()));
        if let Some(found) = FORBIDDEN.iter().find(stands) {
            return Err(format!("{} is not allowed in it", found.to_uppercase()));
        }
        // A name in quotes can be called too.
        let called = word.trim_start_matches(QUOTED);
        if words.get(at + 1).map(String::as_str) == Some("(") && FORBIDDEN_CALLS.contains(&called) {
            return Err(format!("{}() is not allowed in it", called.to_uppercase()));
        }
    }
    Ok(())
}

/// The words and opening brackets outside of quotes, in small letters. Comments, variables and further statements have
/// no place in a question.
fn words(sql: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut letters = sql.chars().peekable();
    let mut word = String::new();
    while let Some(letter) = letters.next() {
        if letter.is_alphanumeric() || letter == '_' || letter == '$' {
            word.extend(letter.to_lowercase());
            continue;
        }
        if !word.is_empty() {
            // In some of such texts a backslash hides the closing quote.
            if letter == '\'' {
                return Err(format!("there is a text with a {word} before it"));
            }
            words.push(std::mem::take(&mut word));
        }
        match (letter, letters.peek()) {
            ('\'' | '"' | '`', _) => {
                // A doubled quote is read as the end of one and the begin of another, which comes to the same.
                let mut within = QUOTED.to_string();
                loop {
                    match letters.next() {
                        Some(other) if other == letter => break,
                        Some(other) => within.extend(other.to_lowercase()),
                        None => return Err(format!("a {letter} in it is not closed")),
                    }
                }
                words.push(within);
            }
            ('-', Some('-')) | ('/', Some('*')) | ('#', _) => return Err("there is a comment in it".to_owned()),
            (';', _) => return Err("it is more than one statement".to_owned()),
            ('@', _) | (':', Some('=')) => return Err("there is a variable in it".to_owned()),
            ('(', _) => words.push("(".to_owned()),
            _ => {}
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn plain_questions_pass() {
        for sql in [
            "SELECT COUNT(*) FROM `a` AS `into`",
            "SELECT `x` FROM t WHERE `name` = 'it''s; -- sleep(1) /* */ @x' AND \"y\" LIKE ? ESCAPE '\\'",
            " SELECT `sleep` FROM t WHERE (a) IN (SELECT b FROM u)",
        ] {
            assert_eq!(check(sql), Ok(()), "{sql}");
        }
    }

    #[test]
    fn what_writes_waits_or_locks_is_refused() {
        for (sql, reason) in [
            ("DELETE FROM t", "it does not begin with SELECT"),
            ("(SELECT 1)", "it does not begin with SELECT"),
            ("SELECT 1 INTO OUTFILE '/tmp/x'", "INTO is not allowed in it"),
            ("SELECT x FROM t FOR  UPDATE", "FOR UPDATE is not allowed in it"),
            ("SELECT x FROM t LOCK IN SHARE MODE", "LOCK IN SHARE MODE is not allowed in it"),
            ("SELECT SLEEP (5)", "SLEEP() is not allowed in it"),
            ("SELECT `sleep`(5)", "SLEEP() is not allowed in it"),
            ("SELECT nextval(s)", "NEXTVAL() is not allowed in it"),
            ("SELECT LOAD_FILE('/etc/passwd')", "LOAD_FILE() is not allowed in it"),
            ("SELECT 1 /*!50000 INTO OUTFILE '/tmp/x' */", "there is a comment in it"),
            ("SELECT 1 -- x", "there is a comment in it"),
            ("SELECT 1; DELETE FROM t", "it is more than one statement"),
            ("SELECT @x := 1", "there is a variable in it"),
            ("SELECT E'\\'' ; DROP VIEW t --'", "there is a text with a e before it"),
            ("SELECT 'open", "a ' in it is not closed"),
        ] {
            assert_eq!(check(sql), Err(reason.to_owned()), "{sql}");
        }
    }
}
