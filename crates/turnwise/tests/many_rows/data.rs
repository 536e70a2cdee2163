//! Sales of many shops or of many days, as a file for the program and as a table for SQL. What is highest and lowest
//! lies behind the rows that a fact keeps, so that it is missed by whoever looks at these alone.

use std::io::Write as _;
use std::process::{Command, Stdio};

use rusqlite::Connection;
use tempfile::TempDir;

/// A table of sales.
pub struct Sales {
    pub folder: TempDir,
    oracle: Connection,
}

/// The amount of one row of `size`: the last is the highest, and of many the last but one the lowest.
fn amount(at: usize, size: usize) -> usize {
    match size - at {
        1 => 900_001,
        2 if size > 1_001 => 1,
        _ => 1_000 + (at * 7_919) % 50_021,
    }
}

/// So many shops, each with a sale in two years; what grew the most is the last but two.
pub fn shops(size: usize) -> Sales {
    let of_year = move |year: usize| {
        (0..size).map(move |at| {
            let grown = if year == 1 && at + 3 == size { 400_000 } else { 0 };
            (format!("shop {at:06}"), year * 365, amount(at, size) + grown)
        })
    };
    Sales::of(of_year(0).chain(of_year(1)))
}

/// So many days, one after the other, each with a sale.
pub fn days(size: usize) -> Sales {
    Sales::of((0..size).map(|at| ("shop".to_owned(), at, amount(at, size))))
}

/// 73 shops on 4,000 days: 292,000 rows.
pub fn shops_by_day() -> Sales {
    let size = 73 * 4_000;
    Sales::of((0..size).map(|at| (format!("shop {:02}", at / 4_000), at % 4_000, amount(at, size))))
}

impl Sales {
    /// Rows of a shop, a day counted from the first of 2015, and an amount.
    pub fn of(rows: impl Iterator<Item = (String, usize, usize)>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut oracle = Connection::open_in_memory().unwrap();
        oracle.execute_batch("CREATE TABLE sales (sale_id INTEGER, shop TEXT, sold_on TEXT, amount INTEGER)").unwrap();
        let inside = oracle.transaction().unwrap();
        let mut insert =
            inside.prepare("INSERT INTO sales VALUES (?, ?, date('2015-01-01', ? || ' days'), ?)").unwrap();
        for (at, (shop, day, amount)) in rows.enumerate() {
            insert.execute((number(at + 1), shop, day.to_string(), number(amount))).unwrap();
        }
        drop(insert);
        inside.commit().unwrap();
        let sales = Self { folder, oracle };
        sales.write();
        sales
    }

    /// Writes the table out for the program.
    fn write(&self) {
        let mut file = std::io::BufWriter::new(std::fs::File::create(self.folder.path().join("sales.csv")).unwrap());
        writeln!(file, "sale_id,shop,sold_on,amount").unwrap();
        let mut all =
            self.oracle.prepare("SELECT sale_id || ',' || shop || ',' || sold_on || ',' || amount FROM sales").unwrap();
        let mut rows = all.query([]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            writeln!(file, "{}", row.get::<_, String>(0).unwrap()).unwrap();
        }
        file.flush().unwrap();
    }

    /// Changes the data, for SQL and for the program.
    pub fn change(&self, sql: &str) {
        self.oracle.execute_batch(sql).unwrap();
        self.write();
    }

    /// The one value that the SQL gives.
    pub fn one(&self, sql: &str) -> String {
        let value: rusqlite::types::Value =
            self.oracle.query_row(sql, [], |row| row.get(0)).unwrap_or_else(|error| panic!("{sql}: {error}"));
        match value {
            rusqlite::types::Value::Integer(number) => number.to_string(),
            rusqlite::types::Value::Text(text) => text,
            other => panic!("{sql}: {other:?}"),
        }
    }

    /// The highest or lowest group by its total, with that: "shop 000001 (17)".
    pub fn end(&self, by: &str, order: &str) -> String {
        self.one(&format!(
            "SELECT printf('%s (%d)', {by}, SUM(amount)) FROM sales GROUP BY {by} ORDER BY SUM(amount) {order}, {by} LIMIT 1"
        ))
    }

    /// All shops with their totals, to be put in an order.
    pub fn ranking(&self) -> &'static str {
        "SELECT printf('%s (%d)', shop, SUM(amount)) FROM sales GROUP BY shop ORDER BY SUM(amount)"
    }

    /// The amount below which that part of all lies.
    pub fn quantile(&self, part: f64) -> f64 {
        let count: f64 = self.one("SELECT COUNT(*) FROM sales").parse().unwrap();
        let place = part * (count - 1.0);
        let value = |at: f64| -> f64 {
            self.one(&format!("SELECT amount FROM sales ORDER BY amount LIMIT 1 OFFSET {at:.0}")).parse().unwrap()
        };
        value(place.floor()) + (value(place.ceil()) - value(place.floor())) * place.fract()
    }

    /// All that the program prints.
    pub fn run(&self, command: &str, more: &[&str], words: &[&str], input: &str) -> String {
        let mut child = Command::new(env!("CARGO_BIN_EXE_turnwise"))
            .args([command, "--data", "sales.csv"])
            .args(if command == "ask" { &["--approve", "all"][..] } else { &[] })
            .args(more)
            .args(words)
            .current_dir(self.folder.path())
            .env("TURNWISE_STATE", self.folder.path().join("state"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A command that fails before it reads closes the pipe; what it says is what is tested.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        let output = child.wait_with_output().unwrap();
        plain(&format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr)))
    }

    /// What is said to a question.
    pub fn ask(&self, question: &str) -> String {
        let told = self.run("ask", &["--ephemeral", "--json"], &[question], "");
        let told: serde_json::Value = serde_json::from_str(&told).unwrap_or_else(|error| panic!("{error}: {told}"));
        told["answer"].as_str().unwrap().to_owned()
    }

    /// What is said to a question holds `wanted`.
    #[track_caller]
    pub fn says(&self, question: &str, wanted: &str) {
        let said = self.ask(question);
        assert!(said.contains(wanted), "{question}: {said}\nwanted: {wanted}");
    }

    /// All that is printed while `lines` are said one after the other.
    pub fn talk(&self, lines: &[&str]) -> String {
        self.run("chat", &["--ephemeral"], &[], &(lines.join("\n") + "\n"))
    }

    /// Asks, writes the proof of it out and checks it.
    pub fn prove(&self, question: &str) -> String {
        self.run("ask", &[], &[question], "");
        self.other(&["proof", "export", "--output", "proof.json"]);
        self.verify()
    }

    /// Checks the proof against the data as they are.
    pub fn verify(&self) -> String {
        self.other(&["verify", "proof.json", "--data", "sales.csv"])
    }

    fn other(&self, arguments: &[&str]) -> String {
        let mut command = Command::new(env!("CARGO_BIN_EXE_turnwise"));
        command.args(arguments).current_dir(self.folder.path());
        command.env("TURNWISE_STATE", self.folder.path().join("state")).stdin(Stdio::null());
        let output = command.output().unwrap();
        plain(&format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr)))
    }
}

/// As the database takes it.
fn number(of: usize) -> i64 {
    i64::try_from(of).unwrap()
}

/// What is told, with its figures as SQL writes them: without commas between thousands.
fn plain(told: &str) -> String {
    let letters: Vec<char> = told.chars().collect();
    let is_mark = |at: usize| {
        let digit = |at: usize| letters.get(at).is_some_and(char::is_ascii_digit);
        letters[at] == ',' && at > 0 && digit(at - 1) && (1..=3).all(|next| digit(at + next)) && !digit(at + 4)
    };
    (0..letters.len()).filter(|at| !is_mark(*at)).map(|at| letters[at]).collect()
}
