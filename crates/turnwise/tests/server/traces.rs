//! OpenTelemetry through the real binary: a collector made here is sent the spans of a real conversation, with names,
//! parents and attributes as the conventions for generative AI have them and without a word of what was said. One that
//! is away, slow or refuses changes nothing. Next: `rules`.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use serde_json::{Value, json};

use crate::client::{Client, Server, customers, sample, turnwise};

const QUESTION: &str = "how many customers are there?";
const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const PARENT: &str = "b7ad6b7169203331";
/// Far more than sending takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A request as it came.
struct Request {
    path: String,
    headers: Vec<(String, String)>,
    body: Value,
}

/// A collector of spans that answers each request with `status`.
struct Collector {
    address: String,
    requests: Receiver<Request>,
}

impl Collector {
    fn start(status: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let (sender, requests) = channel();
        std::thread::spawn(move || {
            while let Ok((line, _)) = listener.accept() {
                if take(line, status, &sender).is_none() {
                    return;
                }
            }
        });
        Self { address, requests }
    }

    /// Spans until one is called `last` so many times.
    fn spans_until(&self, last: &str, times: usize) -> Vec<Value> {
        let mut spans: Vec<Value> = Vec::new();
        while spans.iter().filter(|span| span["name"] == last).count() < times {
            let request =
                self.requests.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("{last} is not in {spans:#?}"));
            spans.extend(self.spans(&request));
        }
        spans
    }

    fn spans(&self, request: &Request) -> Vec<Value> {
        assert_eq!(request.path, "/v1/traces");
        let resource = &request.body["resourceSpans"][0];
        let service = json!({"key": "service.name", "value": {"stringValue": "shop"}});
        assert!(resource["resource"]["attributes"].as_array().unwrap().contains(&service), "{resource:#}");
        assert_eq!(resource["scopeSpans"][0]["scope"]["name"], "turnwise");
        resource["scopeSpans"][0]["spans"].as_array().unwrap().clone()
    }

    /// Everything that comes until the process has ended and its line is closed.
    fn rest(&self) -> Vec<Value> {
        self.requests.try_iter().flat_map(|request| self.spans(&request)).collect()
    }
}

fn take(line: TcpStream, status: &str, sender: &Sender<Request>) -> Option<()> {
    let mut reader = BufReader::new(line);
    let mut first = String::new();
    reader.read_line(&mut first).ok()?;
    let mut headers = Vec::new();
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).ok()?;
        let Some((name, value)) = header.trim_end().split_once(':') else { break };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let length = headers.iter().find(|(name, _)| name == "content-length").map(|(_, value)| value.parse().unwrap());
    let mut body = vec![0; length?];
    reader.read_exact(&mut body).ok()?;
    let path = first.split(' ').nth(1)?.to_owned();
    sender.send(Request { path, headers, body: serde_json::from_slice(&body).unwrap() }).ok()?;
    write!(reader.get_mut(), "HTTP/1.1 {status}\r\nContent-Length: 2\r\n\r\n{{}}").ok()
}

fn attribute<'a>(span: &'a Value, key: &str) -> &'a Value {
    let all = span["attributes"].as_array().unwrap();
    let found = all.iter().find(|attribute| attribute["key"] == key);
    found.map_or(&Value::Null, |attribute| attribute["value"].as_object().unwrap().values().next().unwrap())
}

fn named<'a>(spans: &'a [Value], name: &str) -> Vec<&'a Value> {
    spans.iter().filter(|span| span["name"] == name).collect()
}

fn serve(state: &Path, collector: &str, more: &[(&str, &str)]) -> Server {
    let variables = [("OTEL_EXPORTER_OTLP_ENDPOINT", collector), ("OTEL_SERVICE_NAME", "shop")];
    Server::start_with(state, &[], &[&variables, more].concat())
}

/// Asks, has the plan approved within a trace of somebody else, and waits for the result.
fn converse(ada: &Client) -> String {
    let id = ada.begin();
    let mut stream = ada.follow(&id, None);
    ada.say(&id, QUESTION).expect(200);
    let reference = stream.question("approval");
    let body = json!({"reference": reference, "verdict": {"is": "approve"}});
    let traceparent = format!("00-{TRACE}-{PARENT}-01");
    let headers = [("Idempotency-Key", "approve"), ("Traceparent", traceparent.as_str())];
    ada.send("POST", &format!("/v1/conversations/{id}/decisions"), &headers, Some(&body)).expect(200);
    // Whoever records nothing of their own wants nothing recorded of this either.
    let unrecorded = traceparent.replace("-01", "-00");
    let headers = [("Idempotency-Key", "status"), ("Traceparent", unrecorded.as_str())];
    ada.send("POST", &format!("/v1/conversations/{id}/messages"), &headers, Some(&json!({"text": "/facts"})))
        .expect(200);
    assert!(stream.result().to_string().contains(&customers()));
    id
}

#[test]
fn a_conversation_is_recorded_by_the_conventions_and_without_a_word_of_it() {
    let state = tempfile::tempdir().unwrap();
    let collector = Collector::start("200 OK");
    let headers = ("OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer%20abc");
    let mut server = serve(state.path(), &collector.address, &[headers]);
    let id = converse(&server.anyone());
    assert_eq!(server.end(), Some(0));
    let request = collector.requests.recv_timeout(PATIENCE).unwrap();
    assert!(request.headers.contains(&("authorization".to_owned(), "Bearer abc".to_owned())), "{:?}", request.headers);
    assert!(request.headers.contains(&("content-type".to_owned(), "application/json".to_owned())));
    let mut spans = collector.spans(&request);
    spans.extend(collector.rest());

    let invoked = named(&spans, "invoke_agent analyst");
    assert_eq!(invoked.len(), 2, "one for the question and one for the decision: {spans:#?}");
    let of = |kind: &str| *invoked.iter().find(|span| attribute(span, "turnwise.input") == kind).unwrap();
    let (asked, decided) = (of("message"), of("decision"));
    assert_eq!(asked["parentSpanId"], Value::Null, "a trace of its own");
    assert_eq!((&decided["traceId"], &decided["parentSpanId"]), (&json!(TRACE), &json!(PARENT)));
    assert_ne!(asked["traceId"], decided["traceId"]);
    for (name, parent) in [("read message", asked), ("plan analyst", asked), ("execute_tool query", decided)] {
        let found = named(&spans, name);
        // A message is read where it is decided on, and once more for what is said of it.
        assert!(found.len() == 1 || name == "read message", "{name}: {spans:#?}");
        assert_eq!(found[0]["parentSpanId"], parent["spanId"], "{name}");
        assert_eq!(found[0]["traceId"], parent["traceId"], "{name}");
        let nanoseconds = |span: &Value, name: &str| span[name].as_str().unwrap().parse::<u64>().unwrap();
        for span in [found[0], parent] {
            assert!(nanoseconds(span, "startTimeUnixNano") <= nanoseconds(span, "endTimeUnixNano"));
        }
        assert!(nanoseconds(parent, "startTimeUnixNano") <= nanoseconds(found[0], "startTimeUnixNano"), "{name}");
        assert!(nanoseconds(found[0], "endTimeUnixNano") <= nanoseconds(parent, "endTimeUnixNano"), "{name}");
    }
    for span in &spans {
        assert_eq!(attribute(span, "gen_ai.conversation.id"), &json!(id), "{span:#}");
        assert_eq!(attribute(span, "gen_ai.agent.name"), "analyst", "{span:#}");
        assert_eq!(span["status"], json!({}), "nothing failed: {span:#}");
    }
    let operation = |name: &str| attribute(named(&spans, name)[0], "gen_ai.operation.name").clone();
    assert_eq!(operation("invoke_agent analyst"), "invoke_agent");
    assert_eq!(operation("plan analyst"), "plan");
    assert_eq!(operation("execute_tool query"), "execute_tool");
    assert_eq!(attribute(named(&spans, "execute_tool query")[0], "gen_ai.tool.name"), "query");
    assert_eq!(attribute(named(&spans, "read message")[0], "turnwise.reading.intent"), "plan_new");
    let all = json!(spans).to_string();
    // Quoted, because an id in hexadecimal may hold the same letters.
    for word in ["customers", "how many", "SELECT", "\"ada\""] {
        assert!(!all.contains(word), "{word} is in {all}");
    }
}

#[test]
fn words_are_recorded_where_that_is_asked_for_and_faults_always() {
    let state = tempfile::tempdir().unwrap();
    let data = tempfile::tempdir().unwrap();
    std::fs::copy(sample().join("customers.csv"), data.path().join("customers.csv")).unwrap();
    let collector = Collector::start("200 OK");
    let ask = |more: &[&str], variables: &[(&str, &str)]| {
        turnwise(&["ask", "--data", data.path().to_str().unwrap(), "--approve", "all"])
            .args(more)
            .arg(QUESTION)
            .env("TURNWISE_STATE", state.path())
            .env("OTEL_SERVICE_NAME", "shop")
            .envs(variables.iter().copied())
            .output()
            .unwrap()
    };
    let wanted = ("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", "true");
    let done = ask(&["--otlp-endpoint", &collector.address], &[wanted]);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let spans = collector.spans_until("invoke_agent analyst", 2);
    let said = spans.iter().map(|span| attribute(span, "gen_ai.input.messages")).find(|said| !said.is_null()).unwrap();
    let said: Value = serde_json::from_str(said.as_str().unwrap()).unwrap();
    assert_eq!(said, json!([{"role": "user", "parts": [{"type": "text", "content": QUESTION}]}]));

    // Off means off, whatever else is set.
    let endpoint = ("OTEL_EXPORTER_OTLP_ENDPOINT", collector.address.as_str());
    assert!(ask(&[], &[endpoint, ("OTEL_SDK_DISABLED", "true")]).status.success());
    assert!(collector.rest().is_empty());
    // What cannot be followed is told, and the question is answered.
    let other = ask(&[], &[endpoint, ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")]);
    let told = String::from_utf8_lossy(&other.stderr).into_owned();
    assert!(other.status.success() && told.contains("No spans are recorded: OTEL_EXPORTER_OTLP_PROTOCOL"), "{told}");
    assert!(collector.rest().is_empty());
    let wrong = ask(&["--otlp-endpoint", "nowhere"], &[]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("neither http:// nor https://"));
}

#[test]
fn a_run_that_is_stopped_is_told_as_such() {
    let state = tempfile::tempdir().unwrap();
    let collector = Collector::start("200 OK");
    let mut server = serve(state.path(), &collector.address, &[]);
    let ada = server.anyone();
    let id = ada.begin();
    let mut stream = ada.follow(&id, None);
    ada.say(&id, QUESTION).expect(200);
    let reference = stream.question("approval");
    ada.say(&id, "stop").expect(200);
    // Decided on already: refused, and not an error of the program.
    let late = ada.decide(&id, &reference, &json!({"is": "approve"}));
    assert_eq!(late.status, 409, "{}", late.text());
    assert_eq!(server.end(), Some(0));
    let spans = collector.spans_until("invoke_agent analyst", 3);
    let outcomes: Vec<&Value> =
        named(&spans, "invoke_agent analyst").iter().map(|span| attribute(span, "turnwise.outcome")).collect();
    assert!(outcomes.contains(&&json!("refused")), "{outcomes:?}");
    assert!(named(&spans, "execute_tool query").is_empty(), "{spans:#?}");
}

#[test]
fn a_collector_that_is_away_or_refuses_changes_nothing_and_is_told_once() {
    let away = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let refusing = Collector::start("400 Bad Request");
    // Takes connections and never answers.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let silent_at = format!("http://{}", silent.local_addr().unwrap());
    for (collector, words) in [
        (format!("http://{away}"), "cannot be reached"),
        (refusing.address.clone(), "it answers 400 Bad Request"),
        (silent_at, "what was left in time"),
    ] {
        let state = tempfile::tempdir().unwrap();
        let mut server = serve(state.path(), &collector, &[]);
        let ada = server.anyone();
        let id = converse(&ada);
        let metrics = ada.get("/metrics").text();
        assert!(metrics.contains("turnwise_spans_total{outcome=\"sent\"} 0"), "{metrics}");
        ada.get(&format!("/v1/conversations/{id}")).expect(200);
        assert_eq!(server.end(), Some(0));
        // Written before the process ends, and read after that.
        let said = server.all_said();
        assert_eq!(said.matches("Spans are lost").count(), 1, "{said}");
        assert!(said.contains(words), "{words}: {said}");
    }
    drop(silent);
}
