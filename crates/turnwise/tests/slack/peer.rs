//! A stand-in for Slack's methods, and what Slack would send: signed requests to the real server. What is posted is
//! waited for, not slept for. Next: `main`.

use std::fmt::Display;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;
use tempfile::TempDir;

/// Far more than anything takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

pub const SIGNING: &str = "signing-secret-of-the-test";
pub const TOKEN: &str = "xoxb-token-of-the-test";
/// By which a socket is opened.
const APP_TOKEN: &str = "xapp-token-of-the-test";

/// Messages that one page of a thread has where a test says nothing else.
const PAGE: usize = 200;

/// Where the second page of a channel's members begins.
const SECOND_PAGE: &str = "page=2";

/// The file of those who may use the server's own API.
const TOKENS: &str = "people";

/// A method that was called, and with what.
#[derive(Debug)]
struct Call {
    method: String,
    message: Value,
}

/// What was called, in order.
#[derive(Clone, Default)]
struct Calls {
    all: Arc<(Mutex<Vec<Call>>, Condvar)>,
    /// How many calls are still to be answered with 429.
    busy: Arc<Mutex<u32>>,
    /// The method whose next answer is lost on its way.
    losing: Arc<Mutex<Option<String>>>,
    /// The channels where we are not, and may not write.
    closed: Arc<Mutex<Vec<String>>>,
    /// The scopes of the token.
    scopes: Arc<Mutex<String>>,
    /// The method that is not answered for now.
    held: Arc<(Mutex<Option<String>>, Condvar)>,
    /// Where sockets are opened.
    sockets: Arc<Mutex<String>>,
    /// Who left the channels.
    left: Arc<Mutex<Vec<String>>>,
    /// Whether behind each page of members there is another.
    crowded: Arc<AtomicBool>,
    /// What people said, in order: team and channel are not told apart, because a channel has its id in one team.
    threads: Arc<Mutex<Vec<Written>>>,
    /// How many messages of a thread one page has.
    page: Arc<AtomicUsize>,
    /// How many pages of threads are still given before Slack asks for patience; none where it never does.
    pages_left: Arc<Mutex<Option<usize>>>,
}

/// Something that somebody wrote in a thread.
struct Written {
    channel: String,
    root: String,
    message: Value,
}

/// Slack, and a server that speaks with it.
pub struct Slack {
    calls: Calls,
    server: Server,
    address: String,
    said: Said,
    way: Way,
    pub folder: TempDir,
}

/// The process of a server, which does not outlive its test.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What a server says to whoever runs it.
struct Said {
    lines: Arc<(Mutex<String>, Condvar)>,
    reads: JoinHandle<()>,
}

/// How Slack sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Http,
    Socket,
}

impl Slack {
    pub fn new() -> Self {
        Self::over(Way::Http, "")
    }

    /// One whose server serves two teams.
    pub fn of_two_teams() -> Self {
        Self::within(tempfile::tempdir().unwrap(), Way::Http, "", "  teams: [T1, T2]\n")
    }

    /// One that sends over sockets, which are opened at `address`.
    pub fn over_sockets(address: &str) -> Self {
        Self::over(Way::Socket, address)
    }

    /// One whose server lets these people in by tokens, which come with it.
    pub fn with_tokens<const N: usize>(people: [&str; N]) -> (Self, [String; N]) {
        let folder = tempfile::tempdir().unwrap();
        let made = people.map(|person| {
            let mut making = Command::new(env!("CARGO_BIN_EXE_turnwise"));
            making.args(["token", person, "--tokens", TOKENS]).env("TURNWISE_STATE", folder.path().join("state"));
            let made = making.current_dir(folder.path()).output().unwrap();
            String::from_utf8(made.stdout).unwrap().trim().to_owned()
        });
        (Self::within(folder, Way::Http, "", ""), made)
    }

    fn over(way: Way, sockets: &str) -> Self {
        Self::within(tempfile::tempdir().unwrap(), way, sockets, "")
    }

    /// One over `folder` whose configuration says `more`: of Slack itself, or where tickets go, if not to a folder.
    pub fn configured(folder: TempDir, more: &str) -> Self {
        Self::within(folder, Way::Http, "", more)
    }

    fn within(folder: TempDir, way: Way, sockets: &str, more: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let api = listener.local_addr().unwrap();
        let calls = Calls::default();
        calls.page.store(PAGE, Ordering::Relaxed);
        *calls.sockets.lock().unwrap() = sockets.to_owned();
        let answering = calls.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let answering = answering.clone();
                std::thread::spawn(move || answering.answer(stream.unwrap()));
            }
        });
        let config = format!("slack:\n  api: \"http://{api}/api\"\n{more}");
        std::fs::write(folder.path().join("turnwise.yaml"), config).unwrap();
        let (server, address, said) = serve(folder.path(), way);
        Self { calls, server, address, said, way, folder }
    }

    /// Kills the server and starts it again over the same state.
    pub fn start_again(self) -> Self {
        let Self { calls, server, said, way, folder, .. } = self;
        drop(server);
        said.whole();
        let (server, address, said) = serve(folder.path(), way);
        Self { calls, server, address, said, way, folder }
    }

    /// Starts another server over the same state beside this one, which is killed after `last`.
    pub fn handed_over(self, last: impl FnOnce(&Self)) -> Self {
        let (server, address, said) = serve(self.folder.path(), self.way);
        last(&self);
        let Self { calls, server: first, said: told, way, folder, .. } = self;
        drop(first);
        told.whole();
        Self { calls, server, address, said, way, folder }
    }

    /// Ends the server; gives all it said.
    pub fn end(self) -> String {
        drop(self.server);
        self.said.whole()
    }

    /// The next calls of Slack's methods are answered with 429.
    pub fn is_busy_for(&self, calls: u32) {
        *self.calls.busy.lock().unwrap() = calls;
    }

    /// The next answer to this method is lost: it was done, and nobody hears of it.
    pub fn loses(&self, method: &str) {
        *self.calls.losing.lock().unwrap() = Some(method.to_owned());
    }

    /// Nothing of ours is taken in this channel.
    pub fn closes_channel(&self, channel: &str) {
        self.calls.closed.lock().unwrap().push(channel.to_owned());
    }

    /// Calls of this method are answered only once they are let go.
    pub fn holds(&self, method: &str) {
        *self.calls.held.0.lock().unwrap() = Some(method.to_owned());
    }

    pub fn lets_go(&self) {
        *self.calls.held.0.lock().unwrap() = None;
        self.calls.held.1.notify_all();
    }

    /// The server says `words` to whoever runs it.
    #[track_caller]
    pub fn hears(&self, words: &str) {
        let (lines, grew) = &*self.said.lines;
        let known = lines.lock().unwrap();
        let (known, _) = grew.wait_timeout_while(known, PATIENCE, |said| !said.contains(words)).unwrap();
        assert!(known.contains(words), "nobody is told “{words}”: {known}");
    }

    /// Asks the server to end, and waits until it has; gives all it said.
    pub fn closes(mut self) -> String {
        let asked = Command::new("kill").args(["-TERM", &self.server.0.id().to_string()]).status().unwrap();
        assert!(asked.success());
        self.server.0.wait().unwrap();
        self.said.whole()
    }

    /// `user` writes something in a thread, or begins one; nobody is told of it.
    pub fn writes(&self, user: &str, at: &str, thread: Option<&str>, text: &str) {
        self.writes_in("C1", &json!({"user": user, "ts": at, "text": text}), thread);
    }

    /// The same of a whole message in a channel.
    pub fn writes_in(&self, channel: &str, message: &Value, thread: Option<&str>) {
        let root = thread.unwrap_or(message["ts"].as_str().unwrap()).to_owned();
        let written = Written { channel: channel.to_owned(), root, message: message.clone() };
        self.calls.threads.lock().unwrap().push(written);
    }

    /// The message of this id reads so from here on; without a text it is there no more.
    pub fn edits(&self, at: &str, text: Option<&str>) {
        let mut threads = self.calls.threads.lock().unwrap();
        match text {
            Some(text) => threads
                .iter_mut()
                .filter(|written| written.message["ts"] == at)
                .for_each(|written| written.message["text"] = json!(text)),
            None => threads.retain(|written| written.message["ts"] != at),
        }
    }

    /// A page of a thread has so many messages, and after so many pages Slack asks for patience.
    pub fn gives_pages_of(&self, messages: usize, pages: Option<usize>) {
        self.calls.page.store(messages, Ordering::Relaxed);
        *self.calls.pages_left.lock().unwrap() = pages;
    }

    /// `user` is in no channel from here on.
    pub fn leaves(&self, user: &str) {
        self.calls.left.lock().unwrap().push(user.to_owned());
    }

    /// `user` is in the channels again.
    pub fn comes_back(&self, user: &str) {
        self.calls.left.lock().unwrap().retain(|left| left != user);
    }

    /// The channels have more people than anybody looks through.
    pub fn is_crowded(&self) {
        self.calls.crowded.store(true, Ordering::Relaxed);
    }

    /// The scopes of the token from here on.
    pub fn may(&self, scopes: &str) {
        *self.calls.scopes.lock().unwrap() = scopes.to_owned();
    }

    /// What `turnwise doctor` says.
    pub fn doctor(&self) -> String {
        let told = Command::new(env!("CARGO_BIN_EXE_turnwise"))
            .args(["doctor", "--assistant", "tickets", "--port", "0"])
            .env("TURNWISE_STATE", self.folder.path().join("state"))
            .env("SLACK_SIGNING_SECRET", SIGNING)
            .env("SLACK_BOT_TOKEN", TOKEN)
            .current_dir(self.folder.path())
            .output()
            .unwrap();
        String::from_utf8_lossy(&told.stdout).into_owned()
    }

    /// `user` opens the form of the button with this label in `message`; gives what Slack was asked to show.
    pub fn opens(&self, user: &str, message: &Posted, label: &str) -> Value {
        self.press(user, message, label);
        self.wait_for("views.open", |_| true).call["view"].clone()
    }

    /// `user` fills a form in and sends it; gives what is answered.
    pub fn fills_in(&self, user: &str, id: &str, view: &Value, said: &[&str]) -> String {
        let field = |(at, said): (usize, &&str)| {
            (format!("field-{}", at + 1), json!({"said": {"type": "plain_text_input", "value": said}}))
        };
        let values: serde_json::Map<String, Value> = said.iter().enumerate().map(field).collect();
        let payload = json!({"type": "view_submission", "user": {"id": user}, "team": {"id": "T1"},
            "view": {"id": id, "private_metadata": view["private_metadata"], "state": {"values": values}}});
        let body = format!("payload={}", encoded(&payload.to_string()));
        let (status, said) = self.send("/slack/interactivity", "application/x-www-form-urlencoded", &body);
        assert_eq!(status, 200);
        said
    }

    /// Where the server is.
    pub fn address(&self) -> String {
        self.address.clone()
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The answer to a request that is signed as Slack does it.
    pub fn send(&self, path: &str, kind: &str, body: &str) -> (u16, String) {
        let at = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
        self.send_signed(path, kind, body, at, SIGNING)
    }

    pub fn send_signed(&self, path: &str, kind: &str, body: &str, at: u64, secret: &str) -> (u16, String) {
        let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
        mac.update(format!("v0:{at}:{body}").as_bytes());
        let signature = mac.finalize().into_bytes().iter().fold(String::new(), |all, byte| format!("{all}{byte:02x}"));
        let headers = [("X-Slack-Request-Timestamp", at.to_string()), ("X-Slack-Signature", format!("v0={signature}"))];
        self.send_with(path, kind, body, &headers)
    }

    /// The answer to a request with just these `headers` of Slack's.
    pub fn send_with<N: Display, V: Display>(
        &self,
        path: &str,
        kind: &str,
        body: &str,
        headers: &[(N, V)],
    ) -> (u16, String) {
        let slack = headers.iter().fold(String::new(), |all, (name, value)| format!("{all}{name}: {value}\r\n"));
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        write!(
            stream,
            "POST {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\
             {slack}\r\n{body}",
            self.address,
            body.len()
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
        (status, answer.split_once("\r\n\r\n").unwrap().1.to_owned())
    }

    /// What the server's own API has at `path` for whoever has this token.
    pub fn api(&self, path: &str, token: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let host = &self.address;
        let head = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n");
        write!(stream, "{head}Authorization: Bearer {token}\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        (answer.split(' ').nth(1).unwrap().parse().unwrap(), answer.split_once("\r\n\r\n").unwrap().1.to_owned())
    }

    /// An event of the Events API, under an id of its own.
    pub fn event(&self, id: &str, event: &Value) -> u16 {
        self.event_of("T1", id, event)
    }

    /// The same in another team.
    pub fn event_of(&self, team: &str, id: &str, event: &Value) -> u16 {
        let body = json!({"type": "event_callback", "team_id": team, "event_id": id, "event": event});
        self.send("/slack/events", "application/json", &body.to_string()).0
    }

    /// `user` mentions the bot at `at`, in the thread `thread`.
    pub fn mention(&self, user: &str, at: &str, thread: Option<&str>, text: &str) {
        self.mention_in(("T1", "C1"), user, at, thread, text);
    }

    /// The same in a channel of a team.
    pub fn mention_in(&self, place: (&str, &str), user: &str, at: &str, thread: Option<&str>, text: &str) {
        let (team, channel) = place;
        let mut event = json!({"type": "app_mention", "user": user, "text": format!("<@U0BOT> {text}"), "ts": at,
            "channel": channel});
        if let Some(thread) = thread {
            event["thread_ts"] = json!(thread);
        }
        self.writes_in(channel, &event, thread);
        assert_eq!(self.event_of(team, &format!("Ev{at}"), &event), 200);
    }

    /// `user` presses the button with this label in `message`.
    pub fn press(&self, user: &str, message: &Posted, label: &str) {
        self.press_in("T1", user, message, label);
    }

    /// The same in another team.
    pub fn press_in(&self, team: &str, user: &str, message: &Posted, label: &str) {
        assert_eq!(self.press_of(team, user, message, label), 200);
    }

    /// The same; gives the status of the answer.
    pub fn press_of(&self, team: &str, user: &str, message: &Posted, label: &str) -> u16 {
        let button = message.button(label);
        let payload = json!({"type": "block_actions", "user": {"id": user}, "team": {"id": team},
            "channel": {"id": message.call["channel"]}, "trigger_id": "trigger",
            "message": {"ts": message.at, "thread_ts": message.call["thread_ts"]},
            "actions": [{"action_id": button["action_id"], "value": button["value"]}]});
        let body = format!("payload={}", encoded(&payload.to_string()));
        self.send("/slack/interactivity", "application/x-www-form-urlencoded", &body).0
    }

    /// `user` types a slash command.
    pub fn command(&self, user: &str, trigger: &str, text: &str) -> String {
        self.command_in("T1", user, trigger, text)
    }

    /// The same in another team.
    pub fn command_in(&self, team: &str, user: &str, trigger: &str, text: &str) -> String {
        let body = format!("team_id={team}&channel_id=C1&user_id={user}&trigger_id={trigger}&text={}", encoded(text));
        let (status, said) = self.send("/slack/commands", "application/x-www-form-urlencoded", &body);
        assert_eq!(status, 200);
        said
    }

    /// The call of `method` that holds `words`, once there is one.
    #[track_caller]
    pub fn wait(&self, method: &str, words: &str) -> Posted {
        self.wait_for(method, |call| text_of(call).contains(words))
    }

    /// The call of `method` that is meant, once there is one.
    #[track_caller]
    pub fn wait_for(&self, method: &str, is_meant: impl Fn(&Value) -> bool) -> Posted {
        let (calls, grew) = &*self.calls.all;
        let find = |calls: &[Call]| {
            let is_it = |call: &Call| call.method == method && is_meant(&call.message);
            let at = calls.iter().position(is_it)?;
            let mut call = calls[at].message.clone();
            let Some(id) = call["ts"].as_str().map(str::to_owned) else {
                return Some(Posted { at: format!("{}.000", at + 1), call });
            };
            // What is updated stays the message it was, in the thread it was posted to.
            let number: usize = id.trim_end_matches(".000").parse().unwrap();
            call["thread_ts"] = calls[number - 1].message["thread_ts"].clone();
            Some(Posted { at: id, call })
        };
        let known = calls.lock().unwrap();
        let (known, _) = grew.wait_timeout_while(known, PATIENCE, |calls| find(calls).is_none()).unwrap();
        find(&known).unwrap_or_else(|| panic!("nobody called {method} like that: {:#?}", *known))
    }

    /// Waits until so many calls of `method` hold `words`.
    #[track_caller]
    pub fn waits_for(&self, method: &str, words: &str, times: usize) {
        let (calls, grew) = &*self.calls.all;
        let count = |calls: &[Call]| {
            calls.iter().filter(|call| call.method == method && text_of(&call.message).contains(words)).count()
        };
        let known = calls.lock().unwrap();
        let (known, _) = grew.wait_timeout_while(known, PATIENCE, |calls| count(calls) < times).unwrap();
        assert_eq!(count(&known), times, "{:#?}", *known);
    }

    /// How many calls of `method` hold `words`.
    pub fn count(&self, method: &str, words: &str) -> usize {
        let calls = self.calls.all.0.lock().unwrap();
        calls.iter().filter(|call| call.method == method && text_of(&call.message).contains(words)).count()
    }

    pub fn calls(&self) -> Vec<Value> {
        self.calls.all.0.lock().unwrap().iter().map(|call| call.message.clone()).collect()
    }
}

/// A message that was posted.
pub struct Posted {
    pub at: String,
    pub call: Value,
}

impl Posted {
    #[track_caller]
    pub fn button(&self, label: &str) -> Value {
        let rows = self.call["blocks"].as_array().unwrap().iter().filter(|block| block["type"] == "actions");
        let mut buttons = rows.flat_map(|row| row["elements"].as_array().unwrap().clone());
        let found = buttons.find(|button| button["text"]["text"] == label);
        found.unwrap_or_else(|| panic!("there is no button “{label}”: {:#}", self.call))
    }

    pub fn text(&self) -> String {
        text_of(&self.call)
    }
}

/// All texts of a message.
fn text_of(call: &Value) -> String {
    let mut texts = vec![call["text"].as_str().unwrap_or_default().to_owned()];
    for block in call["blocks"].as_array().into_iter().flatten() {
        texts.push(block["text"]["text"].as_str().unwrap_or_default().to_owned());
        texts.extend(
            block["elements"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(|element| element["text"].as_str().map(str::to_owned)),
        );
    }
    texts.join("\n")
}

/// What was asked in an address.
fn query_of(query: &str) -> Value {
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    pairs.map(|(name, value)| (name.to_owned(), json!(value))).collect::<serde_json::Map<_, _>>().into()
}

impl Calls {
    fn answer_to(&self, method: &str, message: &Value, calls: &[Call]) -> Value {
        let at = format!("{}.000", calls.len());
        match method {
            "chat.getPermalink" => {
                let (channel, at) = (message["channel"].as_str().unwrap(), message["message_ts"].as_str().unwrap());
                json!({"ok": true, "permalink": format!("https://team.slack.test/archives/{channel}/p{at}")})
            }
            "conversations.history" => {
                let posted = calls.iter().enumerate().filter(|(_, call)| call.method == "chat.postMessage");
                let messages = posted
                    .map(|(at, call)| json!({"ts": format!("{}.000", at + 1), "metadata": call.message["metadata"]}));
                json!({"ok": true, "messages": messages.collect::<Vec<_>>()})
            }
            "conversations.members" => {
                let is_second = message["cursor"] == SECOND_PAGE.replace('=', "%3D");
                let members: &[&str] = if is_second { &["U2", "U3"] } else { &["U0BOT", "U1"] };
                let left = self.left.lock().unwrap();
                let members: Vec<&str> =
                    members.iter().copied().filter(|member| left.iter().all(|left| left != member)).collect();
                let is_last = is_second && !self.crowded.load(Ordering::Relaxed);
                let next = if is_last { "" } else { SECOND_PAGE };
                json!({"ok": true, "members": members, "response_metadata": {"next_cursor": next}})
            }
            "conversations.replies" => self.page_of(message),
            "apps.connections.open" => json!({"ok": true, "url": *self.sockets.lock().unwrap()}),
            "auth.test" => {
                json!({"ok": true, "user": "turnwise", "user_id": "U0BOT", "team": "The Team", "team_id": "T1"})
            }
            "chat.postMessage" if self.closed.lock().unwrap().iter().any(|closed| message["channel"] == *closed) => {
                json!({"ok": false, "error": "not_in_channel"})
            }
            _ => json!({"ok": true, "ts": at}),
        }
    }

    /// A page of the thread that is asked for; its first message is on every page.
    fn page_of(&self, asked: &Value) -> Value {
        let threads = self.threads.lock().unwrap();
        let is_in = |written: &&Written| asked["channel"] == written.channel && asked["ts"] == written.root;
        let all: Vec<Value> = threads.iter().filter(is_in).map(|written| written.message.clone()).collect();
        let from = asked["cursor"].as_str().and_then(|cursor| cursor.parse().ok()).unwrap_or(0);
        let to = all.len().min(from + self.page.load(Ordering::Relaxed));
        let mut page = all[from..to].to_vec();
        if let Some(first) = all.first().filter(|_| from > 0) {
            page.insert(0, first.clone());
        }
        if let Some(first) = page.first_mut() {
            first["reply_count"] = json!(all.len() - 1);
        }
        let next = if to < all.len() { to.to_string() } else { String::new() };
        json!({"ok": true, "messages": page, "response_metadata": {"next_cursor": next}})
    }

    /// Whether Slack wants to be left alone with this method.
    fn is_throttled(&self, head: &str) -> bool {
        let mut left = self.pages_left.lock().unwrap();
        let Some(pages) = left.as_mut().filter(|_| head.contains("/conversations.replies")) else { return false };
        let is_over = *pages == 0;
        *pages = pages.saturating_sub(1);
        is_over
    }

    fn answer(&self, mut stream: TcpStream) {
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if reader.read_line(&mut head).unwrap() == 0 {
                return;
            }
        }
        let lower = head.to_lowercase();
        let length = lower.split("content-length: ").nth(1).map_or("0", |rest| rest.lines().next().unwrap());
        let mut body = vec![0; length.trim().parse().unwrap()];
        reader.read_exact(&mut body).unwrap();
        let token = if head.contains("/apps.connections.open") { APP_TOKEN } else { TOKEN };
        assert!(head.contains(&format!("Bearer {token}")), "{head}");
        let busy = {
            let mut busy = self.busy.lock().unwrap();
            let is_busy = *busy > 0;
            *busy = busy.saturating_sub(1);
            is_busy
        };
        if busy {
            let _ = stream.write_all(b"HTTP/1.1 429 Too Many Requests\r\nRetry-After: 0\r\nContent-Length: 0\r\n\r\n");
            return;
        }
        if self.is_throttled(&head) {
            let _ = stream.write_all(b"HTTP/1.1 429 Too Many Requests\r\nRetry-After: 30\r\nContent-Length: 0\r\n\r\n");
            return;
        }
        let asked = head.split(' ').nth(1).unwrap().rsplit('/').next().unwrap();
        let (method, query) = asked.split_once('?').unwrap_or((asked, ""));
        let message = if body.is_empty() { query_of(query) } else { serde_json::from_slice(&body).unwrap() };
        let (calls, grew) = &*self.all;
        let mut calls = calls.lock().unwrap();
        calls.push(Call { method: method.to_owned(), message: message.clone() });
        let answer = self.answer_to(method, &message, &calls).to_string();
        drop(calls);
        grew.notify_all();
        let (held, changed) = &*self.held;
        let is_held = |held: &mut Option<String>| held.as_deref() == Some(method);
        drop(changed.wait_timeout_while(held.lock().unwrap(), PATIENCE, is_held).unwrap());
        if self.losing.lock().unwrap().as_deref() == Some(method) {
            *self.losing.lock().unwrap() = None;
            return;
        }
        let scopes = self.scopes.lock().unwrap().clone();
        let length = answer.len();
        let _ =
            write!(stream, "HTTP/1.1 200 OK\r\nx-oauth-scopes: {scopes}\r\nContent-Length: {length}\r\n\r\n{answer}");
    }
}

fn serve(folder: &Path, way: Way) -> (Server, String, Said) {
    let (variable, secret) = match way {
        Way::Http => ("SLACK_SIGNING_SECRET", SIGNING),
        Way::Socket => ("SLACK_APP_TOKEN", APP_TOKEN),
    };
    let config = std::fs::read_to_string(folder.join("turnwise.yaml")).unwrap();
    // Tickets go to one place.
    let data: &[&str] = if config.contains("assistants:") { &[] } else { &["--data", "tickets"] };
    let tokens: &[&str] = if folder.join(TOKENS).exists() { &["--tokens", TOKENS] } else { &[] };
    let mut child = Command::new(env!("CARGO_BIN_EXE_turnwise"))
        .args(["serve", "--assistant", "tickets", "--port", "0"])
        .args(data)
        .args(tokens)
        .env("TURNWISE_STATE", folder.join("state"))
        .env(variable, secret)
        .env("SLACK_BOT_TOKEN", TOKEN)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap());
    let mut said = String::new();
    let address = loop {
        let mut line = String::new();
        assert!(lines.read_line(&mut line).unwrap() > 0, "the server ended: {said}");
        said.push_str(&line);
        if let Some(address) = line.split_whitespace().find_map(|word| word.strip_prefix("http://")) {
            break address.to_owned();
        }
    };
    (Server(child), address, Said::of(said, lines))
}

impl Said {
    /// What was `said` already, and what comes.
    fn of(said: String, mut coming: BufReader<ChildStderr>) -> Self {
        let lines = Arc::new((Mutex::new(said), Condvar::new()));
        let growing = Arc::clone(&lines);
        let reads = std::thread::spawn(move || {
            let mut line = String::new();
            while coming.read_line(&mut line).is_ok_and(|bytes| bytes > 0) {
                growing.0.lock().unwrap().push_str(&line);
                growing.1.notify_all();
                line.clear();
            }
        });
        Self { lines, reads }
    }

    /// All of it, from a server that has ended.
    fn whole(self) -> String {
        self.reads.join().unwrap();
        self.lines.0.lock().unwrap().clone()
    }
}

fn encoded(text: &str) -> String {
    text.bytes().fold(String::new(), |all, byte| format!("{all}%{byte:02X}"))
}
