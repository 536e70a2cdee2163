//! Documents through the program: quoted with their place, without a plan, beside tables in one conversation.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use turnwise_analyst::Analyst;
use turnwise_core::{AnswerOutcome, QueryKind, Question};

const HANDBOOK: &str = "# Handbook

## Leave

Every employee has 25 days of paid leave a year.
Leave that is not taken by the end of March expires.

## Refunds

A refund is paid within 14 days of the request,
to the account the payment came from.

## Travel

Trips are booked in the second class.
";

const FAQ: &str = "<html><head><title>FAQ</title><style>p { color: red }</style></head><body>
<h1>Parking</h1>
<p>There are <b>12</b> parking spaces behind the house.</p>
</body></html>";

/// A folder with documents, one of them broken, and a table.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, content: &[u8]| std::fs::write(folder.path().join(name), content).unwrap();
    write("handbook.md", HANDBOOK.as_bytes());
    write("faq.html", FAQ.as_bytes());
    write("notes.txt", b"Office hours\n\nThe office opens at nine.\n");
    write("broken.pdf", b"%PDF-1.7 and then nothing");
    write("latin.md", b"caf\xe9");
    write("refunds.csv", b"day,amount\n2024-01-05,10\n2024-01-20,5\n2024-02-01,7\n");
    folder
}

fn turnwise(folder: &Path, arguments: &[&str], input: &str) -> Output {
    let state = tempfile::tempdir().unwrap();
    let (command, rest) = arguments.split_first().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_turnwise"))
        .args([command, "--ephemeral", "--data"])
        .arg(folder)
        .args(rest)
        .env("TURNWISE_STATE", state.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[track_caller]
fn check(folder: &Path, question: &str, expected: &str) {
    let asked = turnwise(folder, &["ask", question], "");
    let told = text(&asked).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains(expected), "{question}: {told}");
    assert_eq!(asked.status.code(), Some(0), "{question} needs no plan: {told}");
}

#[test]
fn a_question_is_answered_with_a_quotation_and_its_place() {
    let folder = folder();
    check(
        folder.path(),
        "what does our handbook say about refunds?",
        "handbook.md, section Refunds, line 10: “A refund is paid within 14 days of the request, to the account the \
         payment came from.”",
    );
    check(
        folder.path(),
        "what do the documents say about parking?",
        "faq.html, section Parking, line 3: “There are 12 parking",
    );
    check(folder.path(), "how many days of paid leave does an employee have?", "handbook.md, section Leave, line 5:");
    let unknown = turnwise(folder.path(), &["ask", "what does the handbook say about dogs?"], "");
    assert!(text(&unknown).contains("handbook.md says nothing about “dogs”"), "{}", text(&unknown));
    assert_eq!(unknown.status.code(), Some(1), "what is not known is no answer");
}

#[test]
fn documents_and_tables_are_asked_in_one_conversation() {
    let folder = folder();
    let said = "what does our handbook say about refunds?\ntotal amount by month\ny\nwhat does the handbook say about leave?\n";
    let chat = turnwise(folder.path(), &["chat"], said);
    let told = text(&chat);
    assert!(told.contains("section Refunds, line 10"), "{told}");
    assert!(told.contains("2024  01               15"), "{told}");
    assert!(told.contains("section Leave, line 5"), "{told}");
    let refund = told.find("section Refunds").unwrap();
    assert!(!told[..refund].contains("pprove"), "a quotation needs no plan: {told}");
}

#[test]
fn what_cannot_be_read_is_named_at_the_start() {
    let folder = folder();
    let chat = text(&turnwise(folder.path(), &["chat"], ""));
    let words = chat.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("The document broken.pdf is left out: it is no whole PDF file"), "{words}");
    assert!(words.contains("The document latin.md is left out: it is not UTF-8 text from byte 3 on"), "{words}");
    assert!(words.contains("handbook.md (3 passages)"), "{words}");
}

fn ask(analyst: &Analyst, text: &str) -> AnswerOutcome {
    let question = Question {
        text: text.to_owned(),
        kind: QueryKind::Lookup,
        target: None,
        plan: None,
        facts: Vec::new(),
        heard: turnwise_core::Heard::default(),
    };
    analyst.answer(&question)
}

#[test]
fn a_document_that_changes_is_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rules.md");
    std::fs::write(&path, "# Rules\n\nDogs may come in.\n").unwrap();
    let analyst = Analyst::open(&[folder.path().to_owned()]).unwrap();
    assert!(format!("{:?}", ask(&analyst, "may dogs come in?")).contains("Dogs may come in."));
    std::fs::write(&path, "# Rules\n\nThe dogs must not come in any more.\n").unwrap();
    assert!(format!("{:?}", ask(&analyst, "may dogs come in?")).contains("line 3: “The dogs must not come in"));
    std::fs::remove_file(&path).unwrap();
    assert!(matches!(ask(&analyst, "may dogs come in?"), AnswerOutcome::Unknown { .. }));
}

/// A page of text as the simplest PDF there is.
fn pdf(pages: &[&str]) -> Vec<u8> {
    let mut objects = vec!["<< /Type /Catalog /Pages 2 0 R >>".to_owned()];
    let kids: Vec<String> = (0..pages.len()).map(|at| format!("{} 0 R", 4 + 2 * at)).collect();
    objects.push(format!("<< /Type /Pages /Kids [{}] /Count {} >>", kids.join(" "), pages.len()));
    objects.push("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".to_owned());
    for (at, page) in pages.iter().enumerate() {
        objects.push(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents {} 0 R >>",
            5 + 2 * at
        ));
        // Each line is set below the one before, as programs do that know no ends of lines.
        let lines: Vec<String> = page.lines().map(|line| format!("({line}) Tj 0 -16 Td")).collect();
        let drawn = format!("BT /F1 12 Tf 72 720 Td {} ET", lines.join(" "));
        objects.push(format!("<< /Length {} >>\nstream\n{drawn}\nendstream", drawn.len()));
    }
    let (mut bytes, mut places) = (b"%PDF-1.4\n".to_vec(), Vec::new());
    for (at, object) in objects.iter().enumerate() {
        places.push(bytes.len());
        bytes.extend(format!("{} 0 obj\n{object}\nendobj\n", at + 1).into_bytes());
    }
    let table = bytes.len();
    bytes.extend(format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).into_bytes());
    for place in places {
        bytes.extend(format!("{place:010} 00000 n \n").into_bytes());
    }
    let size = objects.len() + 1;
    bytes.extend(format!("trailer << /Size {size} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n").into_bytes());
    bytes
}

#[test]
fn a_pdf_is_quoted_with_its_page() {
    let folder = tempfile::tempdir().unwrap();
    let pages = ["The lease begins in May.", "The deposit is three rents."];
    std::fs::write(folder.path().join("lease.pdf"), pdf(&pages)).unwrap();
    check(
        folder.path(),
        "what does the lease say about the deposit?",
        "lease.pdf, page 2: “The deposit is three rents.”",
    );
}

/// "Rules" and "Helmets" would be one word if the lines of a page ran into each other.
#[test]
fn the_lines_of_a_page_are_kept_apart() {
    let folder = tempfile::tempdir().unwrap();
    let pages = ["Safety rules\nHelmets are mandatory on site.", "Extinguishers are checked every 24 months."];
    std::fs::write(folder.path().join("safety.pdf"), pdf(&pages)).unwrap();
    std::fs::write(folder.path().join("sales.csv"), "day,amount\n2024-01-05,10\n2024-01-20,5\n").unwrap();
    let helmets = "safety.pdf, page 1: “Safety rules Helmets are mandatory on site.”";
    check(folder.path(), "what do the documents say about helmets?", helmets);
    check(folder.path(), "what do the documents say about a helmet?", helmets);
    check(
        folder.path(),
        "how often are extinguishers checked?",
        "page 2: “Extinguishers are checked every 24 months.”",
    );
}

#[test]
fn what_is_asked_in_other_words_than_written_is_found() {
    let folder = folder();
    let taxis = "# Taxi\n\nTaxi receipts are handed in within 14 days.\n\n# Remote work\n\nRemote work is allowed up to 3 days a week.\n";
    std::fs::write(folder.path().join("travel.md"), taxis).unwrap();
    check(
        folder.path(),
        "what does the travel policy say about taxis?",
        "“Taxi receipts are handed in within 14 days.”",
    );
    check(folder.path(), "what is the refund period?", "handbook.md, section Refunds, line 10:");
    check(folder.path(), "is remote work allowed on Fridays?", "“Remote work is allowed up to 3 days a week.”");
    let unknown = text(&turnwise(folder.path(), &["ask", "is smoking allowed in the office?"], ""));
    assert!(!unknown.contains("nothing can be removed"), "{unknown}");
}
