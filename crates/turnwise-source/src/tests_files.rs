//! The promises of loading files, each shown on a small literal file.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use proptest::prelude::*;
use turnwise_core::Cell;

use super::{ColumnKind, Freshness, QueryLimits, SourceTable, Workbench};

const LIMITS: QueryLimits = QueryLimits { rows_max: 100, timeout: Duration::from_secs(60) };

pub(super) fn rows(workbench: &Workbench, table: &SourceTable) -> Vec<Vec<Cell>> {
    let sql = format!("SELECT * FROM {}", table.sql_name);
    workbench.query(&sql, &[], LIMITS, || false).unwrap().rows
}

pub(super) fn opened(name: &str, content: impl AsRef<[u8]>) -> Result<Workbench, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, content).unwrap();
    let place = format!("{}/", folder.path().display());
    Workbench::open(&[path]).map_err(|error| error.to_string().replace(&place, ""))
}

/// Loads the file and shows it as `name:kind` headers and rows joined by `|`, missing values as `–`, then its notes.
fn shown(name: &str, content: impl AsRef<[u8]>) -> String {
    let workbench = opened(name, content).unwrap();
    let table = &workbench.tables()[0];
    let header: Vec<String> = table.columns.iter().map(|column| format!("{}:{:?}", column.name, column.kind)).collect();
    let mut lines = vec![header.join(" | ")];
    for row in rows(&workbench, table) {
        let cells: Vec<String> = row.iter().map(ToString::to_string).collect();
        lines.push(cells.join(" | "));
    }
    lines.extend(table.notes.iter().map(|note| format!("# {note}")));
    lines.join("\n")
}

#[track_caller]
fn check(name: &str, content: impl AsRef<[u8]>, expected: &[&str]) {
    assert_eq!(shown(name, content), expected.join("\n"));
}

#[track_caller]
fn check_error(name: &str, content: impl AsRef<[u8]>, expected: &str) {
    assert_eq!(opened(name, content).expect_err("should be refused"), expected);
}

#[test]
fn a_plain_csv_file() {
    check(
        "a.csv",
        "id,city,born,ok\n1,\"Köln, am Rhein\",2024-01-31,true\n2,\"say \"\"hi\"\"\nthere\",,false\n",
        &[
            "id:Integer | city:Text | born:Date | ok:Boolean",
            "1 | Köln, am Rhein | 2024-01-31 | 1",
            "2 | say \"hi\"\nthere | – | 0",
        ],
    );
}

#[test]
fn delimiters_are_found() {
    for delimiter in [";", "\t", "|", ","] {
        let content = "name_price_note\nA_1_\"x,y\"\nB_2_z\n".replace('_', delimiter);
        check("a.csv", content, &["name:Text | price:Integer | note:Text", "A | 1 | x,y", "B | 2 | z"]);
    }
    check("one.csv", "name\nA\nB\n", &["name:Text", "A", "B"]);
    check("sentences.txt", "a;b\nx, y;1\nx, y, z;2\n", &["a:Text | b:Integer", "x, y | 1", "x, y, z | 2"]);
}

#[test]
fn utf16_and_line_ends_of_windows() {
    let utf16: Vec<u8> =
        std::iter::once(0xFEFF).chain("name,x\r\nZoë,1\r\n".encode_utf16()).flat_map(u16::to_le_bytes).collect();
    check("a.csv", utf16, &["name:Text | x:Integer", "Zoë | 1"]);
    check("b.csv", "\u{feff}name,x\r\nZoë,1\r\n", &["name:Text | x:Integer", "Zoë | 1"]);
}

#[test]
fn older_encodings_are_read_with_a_note() {
    check(
        "a.csv",
        b"name;price\nZo\xEB;1,50\nAnna;12\n",
        &[
            "name:Text | price:Real",
            "Zoë | 1.50",
            "Anna | 12.00",
            "# The file is not UTF-8; it is read as Windows-1252 (Latin-1), so that line 2 says “Zoë”. If that looks wrong, \
             convert the file to UTF-8 first.",
            "# The numbers in price are written for people: 1,50 on line 2 is read as 1.5.",
        ],
    );
    check_error(
        "a.csv",
        b"name\nJos\xC3\xA9\nZo\xEB\n",
        "a.csv is not UTF-8 text: line 3 holds the byte 0xEB (byte 13 of the file); convert it with `iconv -f windows-1252 \
         -t UTF-8` first.",
    );
}

#[test]
fn commas_that_could_be_either_are_asked_of_whoever_wrote_them() {
    check(
        "a.csv",
        "name;price\nA;1,500\nB;12\n",
        &[
            "name:Text | price:Text",
            "A | 1,500",
            "B | 12",
            "# The commas in price could part thousands or fractions (the first is 1,500 on line 2), so its numbers are kept \
             as text; write them as 1234.56 to calculate with them.",
        ],
    );
}

#[test]
fn ragged_rows() {
    check(
        "short.csv",
        "a,b,c\n1,2,3\n4\n5,6\n",
        &[
            "a:Integer | b:Integer | c:Integer",
            "1 | 2 | 3",
            "4 | – | –",
            "5 | 6 | –",
            "# 2 rows (the first on line 3) with fewer than 3 fields: those missing at the end are empty.",
        ],
    );
    check(
        "trailing.csv",
        "a,b\n1,2,\n",
        &[
            "a:Integer | b:Integer",
            "1 | 2",
            "# 1 row (the first on line 2) with empty fields beyond the header: these are ignored.",
        ],
    );
    check_error(
        "long.csv",
        "a,b\n1,2\n3,4,5\n",
        "long.csv, line 3: this row has 3 fields but the header has 2; quote values that contain the delimiter, or \
         remove the surplus.",
    );
}

#[test]
fn a_quote_that_is_never_closed_does_not_swallow_the_rest() {
    check_error(
        "a.csv",
        "a,b\n1,x\n2,\"y\n3,z\n",
        "a.csv, line 3: a quote opened in this row is never closed, so all that follows is one value; close it, or \
         double a quote that is part of a value.",
    );
    check("inch.csv", "a,b\n1,5\" pipe\n", &["a:Integer | b:Text", "1 | 5\" pipe"]);
}

#[test]
fn headers_that_need_help() {
    check(
        "a.csv",
        "id,,ID,\"a \"\"b\"\"\",select\n1,2,3,4,5\n",
        &[
            "id:Integer | column_2:Integer | ID_2:Integer | a \"b\":Integer | select:Integer",
            "1 | 2 | 3 | 4 | 5",
            "# Column 2 has no name in the file; it is named column_2.",
            "# Column 3 repeats the name ID; it is named ID_2.",
        ],
    );
    check(
        "none.csv",
        "1,2\n3,4\n",
        &[
            "1:Integer | 2:Integer",
            "3 | 4",
            "# The first line is taken as the header, although it looks like data; add a header if it is missing.",
        ],
    );
}

#[test]
fn empty_files_and_headers_without_rows() {
    check_error("a.csv", "", "a.csv is empty: it holds no byte; check that it was written completely.");
    check_error("a.csv", "\n\n", "a.csv is empty: it holds no header line; check that it was written completely.");
    check_error(
        "a.jsonl",
        "{}\n",
        "a.jsonl is empty: it holds no object with a value; check that it was written completely.",
    );
    check("b.csv", "a\n", &["a:Text", "# The column a has no values.", "# The file has a header but no rows."]);
}

#[test]
fn values_are_never_lost_to_a_type() {
    check(
        "a.csv",
        "zip,price,n\n01234,1.50,1\n99999,NA,two\n88888,3,3\n",
        &[
            "zip:Text | price:Real | n:Text",
            "01234 | 1.50 | 1",
            "99999 | – | two",
            "88888 | 3.00 | 3",
            "# Words such as NA and null are read as missing values in price (1).",
            "# The column n holds 2 numbers but also 1 other value (the first is two on line 3), so all of it is kept as text.",
        ],
    );
}

#[test]
fn json_lines_keep_the_order_of_keys_and_their_types() {
    let content = "{\"z\": 1, \"a\": \"x\", \"when\": \"2024-03-01T10:00:00Z\"}\n\n{\"a\": null, \"z\": 2.5, \"ok\": true, \
                   \"tags\": [1, {\"k\": 2}]}\n{\"a\": 7}\n";
    check(
        "a.jsonl",
        content,
        &[
            "z:Real | a:Text | when:Date | ok:Boolean | tags:Text",
            "1.00 | x | 2024-03-01 10:00:00 | – | –",
            "2.50 | – | – | 1 | [1,{\"k\":2}]",
            "– | 7 | – | – | –",
            "# The column a mixes types (line 4 differs from line 1), so all of it is kept as text.",
            "# The column tags holds lists or objects, which are kept as JSON text.",
        ],
    );
}

#[test]
fn an_array_of_objects_is_a_table() {
    check(
        "a.json",
        r#"[{"name": "Ada", "born": "1815-12-10", "age": 36}, {"name": "Bo", "age": "x"}]"#,
        &[
            "name:Text | born:Date | age:Text",
            "Ada | 1815-12-10 | 36",
            "Bo | – | x",
            "# The column age mixes types (object 2 differs from object 1), so all of it is kept as text.",
        ],
    );
}

#[test]
fn arrays_of_objects_in_an_object_are_tables() {
    let one = r#"{"page": 1, "items": [{"b": 1, "a": 2}]}"#;
    check(
        "a.json",
        one,
        &["b:Integer | a:Integer", "1 | 2", "# Beside its tables the file holds page; that is not read."],
    );
    let two = opened("a.json", r#"{"people": [{"name": "Ada"}], "towns": [{"town": "Bern"}]}"#).unwrap();
    let names: Vec<&str> = two.tables().iter().map(|table| table.name.as_str()).collect();
    assert_eq!(names, ["people", "towns"]);
    check("a.json", r#"{"name": "Ada", "age": 36}"#, &["name:Text | age:Integer", "Ada | 36"]);
}

#[test]
fn a_json_document_that_is_no_table_is_refused_with_its_place() {
    for content in ["[1, 2]", "[{\"a\": 1},\n]", "42", "{\"a\": "] {
        let error = opened("a.json", content).expect_err("should be refused");
        assert!(error.contains("a.json, line") && error.contains("column"), "{error}");
    }
    check_error(
        "a.json",
        "[]",
        "a.json is empty: it holds no object with a value; check that it was written completely.",
    );
}

#[test]
fn a_bad_line_of_json_is_named() {
    check_error(
        "a.jsonl",
        "{\"a\": 1}\n{\"a\": }\n",
        "a.jsonl, line 2: this line is not one JSON object (column 7: expected value); write each object on a line of its \
         own.",
    );
    check_error(
        "a.jsonl",
        "[1]\n",
        "a.jsonl, line 1: this line is not one JSON object (column 0: invalid type: sequence, expected a map); \
         write each object on a line of its own.",
    );
}

#[test]
fn formats_that_are_not_read_say_what_to_do() {
    check_error(
        "a.ods",
        "PK",
        "a.ods is not a format the analyst reads: save it as .xlsx, or its sheets as CSV, and name that.",
    );
    check_error(
        "a.csv.gz",
        "x",
        "a.csv.gz is not a format the analyst reads: unpack it first and name what was in it.",
    );
    let error = opened("a.bin", "x").expect_err("not data");
    assert!(error.contains("CSV (.csv, .tsv, .txt), spreadsheets (.xlsx), Parquet (.parquet)"), "{error}");
    let error = opened("a.parquet", "not really").expect_err("not Parquet");
    assert!(error.starts_with("a.parquet is damaged ("), "{error}");
}

#[test]
#[cfg(unix)]
fn a_device_is_refused_rather_than_read_without_end() {
    let error = Workbench::open(&[PathBuf::from("/dev/zero")]).unwrap_err().to_string();
    assert!(error.ends_with("it is a pipe or device; save its content to a file and name that."), "{error}");
}

#[test]
fn a_name_typed_wrong_is_corrected() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("orders_2024.csv"), "a\n1\n").unwrap();
    let open = |name: &str| Workbench::open(&[folder.path().join(name)]).expect_err("not there").to_string();
    assert!(open("order_2024.csv").ends_with("; did you mean orders_2024.csv?"));
    assert!(open("zebra.parquet").ends_with("; check the path."));
    assert!(open("order_2024.csv/x.csv").ends_with("; did you mean orders_2024.csv?"));
    assert!(Workbench::open(&[]).unwrap_err().to_string().starts_with("No data was named"));
}

#[test]
fn a_folder_is_loaded_file_by_file() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, content: &str| fs::write(folder.path().join(name), content).unwrap();
    write("b.csv", "x\n2\n");
    write("a.jsonl", "{\"x\": 1}\n");
    write("README.md", "about");
    write("picture.png", "");
    write(".hidden.csv", "x\n3\n");
    let workbench = Workbench::open(&[folder.path().to_owned()]).unwrap();
    let names: Vec<&str> = workbench.tables().iter().map(|table| table.name.as_str()).collect();
    assert_eq!(names, ["a", "b"]);
    assert_eq!(workbench.notes(), [format!("Not read from the folder {}: picture.png.", folder.path().display())]);
    assert!(workbench.documents()[0].path.ends_with("README.md"));
    let empty = tempfile::tempdir().unwrap();
    let error = Workbench::open(&[empty.path().to_owned()]).unwrap_err().to_string();
    assert!(error.contains("holds no data file"), "{error}");
}

#[test]
fn files_and_databases_are_queried_together() {
    let folder = tempfile::tempdir().unwrap();
    let csv = folder.path().join("sales.csv");
    fs::write(&csv, "region,amount\nNorth,5\nSouth,7\n").unwrap();
    let other = folder.path().join("old");
    fs::create_dir(&other).unwrap();
    fs::write(other.join("sales.csv"), "region,amount\nNorth,1\n").unwrap();
    let database = folder.path().join("shop.db");
    let sql = "CREATE TABLE sales(region TEXT, amount INTEGER); INSERT INTO sales VALUES ('North', 100)";
    rusqlite::Connection::open(&database).unwrap().execute_batch(sql).unwrap();
    let workbench = Workbench::open(&[csv, other, database]).unwrap();
    let names: Vec<&str> = workbench.tables().iter().map(|table| table.name.as_str()).collect();
    assert_eq!(names, ["sales", "sales_2", "shop_sales"]);
    let [first, second, third] = workbench.tables() else { panic!("three tables") };
    let sql = format!(
        "SELECT SUM(a.amount + b.amount + c.amount) FROM {} AS a JOIN {} AS b USING (region) JOIN {} AS c USING (region)",
        first.sql_name, second.sql_name, third.sql_name
    );
    let total = workbench.query(&sql, &[], LIMITS, || false).unwrap();
    assert_eq!(total.scalar(), Some(&Cell::Integer(106)));
    assert!(second.notes[0].starts_with("Another file gives a table sales;"), "{:?}", second.notes);
}

#[test]
fn names_of_the_engine_are_not_taken() {
    let workbench = opened("sqlite_master.csv", "x\n1\n").unwrap();
    let table = &workbench.tables()[0];
    assert_eq!(table.name, "table_sqlite_master");
    assert!(table.notes[0].starts_with("Names like sqlite_master belong to the engine;"), "{:?}", table.notes);
    assert_eq!(rows(&workbench, table), [[Cell::Integer(1)]]);
}

#[test]
fn one_file_named_twice_is_one_table() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    fs::write(&path, "x\n1\n").unwrap();
    let workbench = Workbench::open(&[path.clone(), path]).unwrap();
    assert_eq!(workbench.tables().len(), 1);
}

#[test]
fn a_file_that_changes_still_answers_from_what_was_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    fs::write(&path, "x\n1\n").unwrap();
    let workbench = Workbench::open(std::slice::from_ref(&path)).unwrap();
    let table = &workbench.tables()[0];
    assert_eq!(workbench.freshness(table), Freshness::Unchanged);
    fs::write(&path, "x\n1\n2\n").unwrap();
    assert_eq!(workbench.freshness(table), Freshness::Changed);
    assert_eq!(workbench.current_stamp(table).unwrap(), table.stamp, "what is read is what was loaded");
    assert_eq!(rows(&workbench, table), [[Cell::Integer(1)]]);
}

#[test]
fn workbenches_do_not_share_their_files() {
    let (first, second) = (opened("a.csv", "x\n1\n").unwrap(), opened("a.csv", "x\n2\n").unwrap());
    assert_eq!(rows(&first, &first.tables()[0]), [[Cell::Integer(1)]]);
    assert_eq!(rows(&second, &second.tables()[0]), [[Cell::Integer(2)]]);
}

#[test]
fn real_files_of_a_hundred_thousand_cells_are_read_whole() {
    let folder: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/flights");
    if !folder.exists() {
        assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "CI needs {}", folder.display());
        eprintln!("SKIPPED: {} is not there", folder.display());
        return;
    }
    let workbench = Workbench::open(&[folder.join("weather.csv"), folder.join("planes.csv")]).unwrap();
    let [weather, planes] = workbench.tables() else { panic!("two tables") };
    let kind = |table: &SourceTable, name: &str| table.columns.iter().find(|column| column.name == name).unwrap().kind;
    assert_eq!((weather.rows, planes.rows), (26_115, 3_322));
    assert_eq!(kind(weather, "time_hour"), ColumnKind::Date);
    assert_eq!(kind(weather, "temp"), ColumnKind::Real);
    assert_eq!(kind(planes, "speed"), ColumnKind::Integer);
    assert_eq!(kind(planes, "tailnum"), ColumnKind::Text);
}

#[test]
fn limits_are_named_when_they_are_met() {
    let folder = tempfile::tempdir().unwrap();
    // Of lines of JSON, because CSV of that size is read in place where it can be.
    let path = folder.path().join("huge.jsonl");
    let size = super::limits::IMPORT_BYTES_MAX + 1;
    fs::File::create(&path).unwrap().set_len(size).unwrap();
    let error = Workbench::open(&[path]).unwrap_err().to_string();
    assert!(error.contains("more than is held in memory (512 MiB, of Parquet a quarter)"), "{error}");
    assert!(error.contains("put it into an SQLite, PostgreSQL or MySQL database"), "{error}");
    let many = tempfile::tempdir().unwrap();
    for number in 0..=super::limits::FILES_MAX {
        fs::write(many.path().join(format!("{number}.csv")), "a\n1\n").unwrap();
    }
    let error = Workbench::open(&[many.path().to_owned()]).unwrap_err().to_string();
    assert!(error.starts_with("Files to load: 501 are more than the 500"), "{error}");
    let header: Vec<String> = (0..=super::limits::COLUMNS_MAX).map(|number| format!("c{number}")).collect();
    let error = opened("wide.csv", header.join(",")).expect_err("too wide");
    assert!(error.ends_with("2001 are more than the 2000 that can be read at once; name fewer."), "{error}");
    let databases: Vec<PathBuf> = (0..=super::limits::DATABASES_MAX)
        .map(|number| {
            let path = folder.path().join(format!("{number}.db"));
            rusqlite::Connection::open(&path).unwrap().execute_batch("CREATE TABLE t(x)").unwrap();
            path
        })
        .collect();
    let error = Workbench::open(&databases).unwrap_err().to_string();
    assert!(error.starts_with("Databases: 10 are more than the 9"), "{error}");
    let most = Workbench::open(&databases[1..]).unwrap();
    let sql = format!("SELECT COUNT(*) FROM {}", most.tables()[8].sql_name);
    assert_eq!(most.query(&sql, &[], LIMITS, || false).unwrap().scalar(), Some(&Cell::Integer(0)));
}

#[test]
fn hundreds_of_notes_are_cut_and_say_so() {
    let header: String = (0..300).map(|_| "a,").collect();
    let workbench = opened("a.csv", format!("{header}a\n")).unwrap();
    let notes = &workbench.tables()[0].notes;
    assert_eq!(notes.len(), super::limits::NOTES_MAX);
    assert!(notes.last().unwrap().ends_with("more notes of this kind are left out."), "{notes:?}");
}

/// Fields that provoke: quotes, delimiters, line ends, numbers, dates and words for nothing, mixed with anything.
fn field() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ -~äé€\n]{0,8}",
        "-?[0-9]{1,20}(\\.[0-9]{1,3})?",
        "(NA|null|true|no|inf|1e5|007|2024-02-30|03/04/2024|2024-03-01 10:00)",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn every_value_of_a_written_table_is_there_after_loading(
        rows in prop::collection::vec(prop::collection::vec(field(), 3), 1..8),
    ) {
        let mut writer = csv::WriterBuilder::new().quote_style(csv::QuoteStyle::Always).from_writer(Vec::new());
        writer.write_record(["first", "second", "third"]).unwrap();
        for row in &rows {
            writer.write_record(row).unwrap();
        }
        let workbench = opened("a.csv", writer.into_inner().unwrap()).unwrap();
        let table = &workbench.tables()[0];
        let loaded = self::rows(&workbench, table);
        prop_assert_eq!(loaded.len(), rows.len());
        for (written, read) in rows.iter().flatten().zip(loaded.iter().flatten()) {
            let text = written.trim();
            let is_nothing = text.is_empty() || ["na", "null"].contains(&text.to_lowercase().as_str());
            match read {
                Cell::Null => prop_assert!(is_nothing, "{written:?} was lost"),
                Cell::Integer(number) if text.starts_with(|letter: char| letter.is_ascii_digit() || letter == '-') => {
                    prop_assert_eq!(Ok(*number), text.parse::<i64>());
                }
                Cell::Integer(truth) => prop_assert_eq!(*truth, i64::from(text == "true")),
                Cell::Real(number) => prop_assert_eq!(Ok(*number), text.parse::<f64>()),
                Cell::Text(shown) => prop_assert!(shown == written || shown.starts_with("2024-"), "{shown:?} for {written:?}"),
            }
        }
    }

    #[test]
    fn whatever_the_bytes_loading_ends_in_a_table_or_a_message(content in prop::collection::vec(any::<u8>(), 0..200)) {
        for name in ["a.csv", "a.jsonl", "a.parquet", "a.db"] {
            if let Err(message) = opened(name, &content) {
                prop_assert!(message.starts_with(name), "{message}");
            }
        }
    }

    #[test]
    fn whatever_the_text_loading_ends_in_a_table_or_a_message(content in "[a-c,;|\t\"\n0-9{}:. ]{0,60}") {
        for name in ["a.csv", "a.jsonl"] {
            if let Err(message) = opened(name, &content) {
                prop_assert!(message.starts_with(name), "{message}");
            }
        }
    }
}

#[test]
fn a_last_line_of_totals_is_left_out_and_said() {
    let content = "month;paid;open\n2024-01;1.200,50;yes\n2024-02;0,25;no\n2024-03;10,00;no\nTotal;1.210,75;\n";
    let bench = opened("a.csv", content).unwrap();
    let table = &bench.tables()[0];
    assert_eq!(rows(&bench, table).len(), 3);
    let note = "Line 5 is left out: it is called “Total”, and its 1.210,75 in paid is the sum of the rows above it.";
    assert!(table.notes.iter().any(|told| told == note), "{:?}", table.notes);
    let other = content.replace("1.210,75", "1.210,70");
    assert_eq!(rows(&opened("a.csv", &other).unwrap(), &opened("a.csv", &other).unwrap().tables()[0]).len(), 4);
}
