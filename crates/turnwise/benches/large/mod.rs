//! Grouped questions over a large Parquet file, read in place, beside the same statements in DuckDB's Python package
//! over the same file with as many threads. Both take turns in one run, so that what disturbs the machine disturbs
//! both.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use turnwise_analyst::Analyst;
use turnwise_analyst::source::{Dialect, QueryLimits};

/// How often each statement runs on either side; the best counts.
const ROUNDS: usize = 7;

/// What is asked.
const QUESTIONS: [&str; 6] = [
    "total amount by region",
    "average amount and total quantity by channel",
    "number of sales by month",
    "total amount by region and year",
    "number of sales where quantity is over 15 by channel",
    "median amount by region",
];

/// Python with DuckDB's package, which makes the data and is the baseline.
struct Peer {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Peer {
    fn start(threads: usize) -> Self {
        let python = std::env::var("TURNWISE_BENCH_PYTHON").unwrap_or_else(|_| "python3".to_owned());
        let script = format!(
            "import duckdb, time, json, sys\n\
             d = duckdb.connect()\n\
             d.execute('SET threads TO {threads}; SET enable_progress_bar = false')\n\
             print(duckdb.__version__, flush=True)\n\
             for line in sys.stdin:\n\
             \x20   t = time.perf_counter(); d.execute(json.loads(line)).fetchall()\n\
             \x20   print((time.perf_counter() - t) * 1e3, flush=True)\n"
        );
        let mut child = Command::new(python)
            .args(["-c", &script])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("Python, named in TURNWISE_BENCH_PYTHON");
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let mut peer = Self { child, input, output };
        println!("  beside DuckDB's Python package {}, {threads} threads each", peer.line());
        peer
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        assert!(!line.is_empty(), "Python ended: `pip install duckdb`, and see above");
        line.trim().to_owned()
    }

    /// Milliseconds that a statement takes.
    fn run(&mut self, sql: &str) -> f64 {
        writeln!(self.input, "{}", serde_json::to_string(sql).unwrap()).unwrap();
        self.line().parse().unwrap()
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sales made by the hash of their number: the same in every run.
fn generated(path: &Path, rows: u64) -> String {
    let made = |salt: u32, modulo: u32| format!("CAST(hash(i + {salt}::UBIGINT * 1000000007) % {modulo} AS INTEGER)");
    format!(
        "COPY (SELECT i AS id, ['North','South','East','West','Centre','Coast','Hills','Islands'][{} + 1] AS region, \
         ['web','shop','phone','partner'][{} + 1] AS channel, DATE '2022-01-01' + {} AS sold_on, {} + 1 AS quantity, \
         {} / 100.0::DOUBLE AS amount FROM range({rows}) AS t(i)) TO '{}' (FORMAT parquet)",
        made(1, 8),
        made(2, 4),
        made(3, 1_096),
        made(4, 20),
        made(5, 100_000),
        path.display()
    )
}

/// Makes the data, asks, and says how both sides compare.
pub fn measure(rows: u64) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sales.parquet");
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    println!("questions over {rows} rows of Parquet, read in place, best of {ROUNDS}");
    let mut peer = Peer::start(threads);
    peer.run(&generated(&path, rows));
    peer.run(&format!("CREATE VIEW sales AS SELECT * FROM read_parquet('{}')", path.display()));
    let began = Instant::now();
    let analyst = Analyst::open(std::slice::from_ref(&path)).unwrap();
    let size = std::fs::metadata(&path).unwrap().len() >> 20;
    println!("  opening {size} MiB: {:.2} s", began.elapsed().as_secs_f64());
    assert_eq!(analyst.workbench().tables()[0].dialect, Dialect::Duckdb, "so much is read in place by itself");
    let limits = QueryLimits { rows_max: 10_000, timeout: Duration::from_secs(600) };
    let (mut sum, mut baseline) = (0.0, 0.0);
    for question in QUESTIONS {
        let (plan, sql) = super::drafted(&analyst, question);
        // Values are bound on our side only; the other side gets them written, which changes nothing it does.
        let bound: Vec<turnwise_core::Cell> = serde_json::from_str(&plan.steps[0].arguments["parameters"]).unwrap();
        let written = bound
            .iter()
            .enumerate()
            .fold(sql.clone(), |sql, (at, value)| sql.replace(&format!("${}", at + 1), &value.to_string()));
        let (mut ours, mut theirs, mut found) = (f64::MAX, f64::MAX, 0);
        for _ in 0..ROUNDS {
            let began = Instant::now();
            let table = analyst.workbench().query_over(&["sales".to_owned()], &sql, &bound, limits, || false).unwrap();
            ours = ours.min(began.elapsed().as_secs_f64() * 1e3);
            found = table.total_rows;
            theirs = theirs.min(peer.run(&written));
        }
        println!("  {question}: {ours:.0} ms, {found} rows, {:.3} × DuckDB's {theirs:.0} ms", ours / theirs);
        sum += ours;
        baseline += theirs;
    }
    println!("  all: {:.3} ×", sum / baseline);
}
