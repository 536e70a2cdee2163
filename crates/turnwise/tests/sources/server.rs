//! A PostgreSQL server of the tests' own: a new folder, a free port, a user who may only read, and nothing left behind.
//! It ends with the test process, because it waits for the end of a pipe that the process holds.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

/// The password of the user who may only read; no output may ever hold it.
pub const PASSWORD: &str = "tiger-lily-42";

/// A server that runs as long as this is held, or as the process lives.
pub struct Server {
    folder: PathBuf,
    pub port: u16,
    child: Child,
}

/// The server most tests share, with nothing in it that one test could take from another; none where it cannot be had.
pub fn shared() -> Option<&'static Server> {
    static SHARED: OnceLock<Option<Server>> = OnceLock::new();
    SHARED.get_or_init(|| Server::start(&[])).as_ref()
}

/// Says that nothing was tested, or fails where everything has to be there.
pub fn skipped(why: &str) {
    assert!(std::env::var("CI").as_deref() != Ok("true"), "CI needs a database server: {why}");
    let _ = writeln!(std::io::stderr(), "SKIPPED: {why}, so nothing was tested");
}

/// The newest installed PostgreSQL.
fn programs() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?;
    let mut found: Vec<PathBuf> = versions.flatten().map(|entry| entry.path().join("bin")).collect();
    found.retain(|folder| folder.join("initdb").exists());
    found.sort();
    found.pop()
}

pub fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output();
    id.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

/// A command of the server's own user: PostgreSQL refuses to run as root.
fn as_user(script: &str, arguments: &[&str]) -> Command {
    let mut command = if is_root() { Command::new("runuser") } else { Command::new("sh") };
    if is_root() {
        command.args(["-u", "postgres", "--", "sh"]);
    }
    command.args(["-c", script, "sh"]).args(arguments).current_dir("/");
    command
}

pub fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

impl Server {
    /// Starts a server with these settings.
    pub fn start(settings: &[&str]) -> Option<Self> {
        let Some(programs) = programs() else {
            skipped("there is no PostgreSQL in /usr/lib/postgresql (`apt-get install postgresql`)");
            return None;
        };
        let made = as_user(MAKE, &[programs.to_str().unwrap(), PASSWORD]).output().unwrap();
        let told = String::from_utf8_lossy(&made.stdout).into_owned();
        assert!(made.status.success(), "{told}{}", String::from_utf8_lossy(&made.stderr));
        let folder = PathBuf::from(told.lines().last().unwrap());
        let server = Self::run(&programs, folder, free_port(), settings);
        server.admin("postgres", &format!("CREATE ROLE reader LOGIN PASSWORD '{PASSWORD}'"));
        Some(server)
    }

    /// Starts a server with a certificate.
    pub fn start_encrypted(key: &[u8], certificate: &[u8]) -> Option<Self> {
        let keep = as_user("mktemp -d /tmp/turnwise-tls-XXXXXX", &[]).output().unwrap();
        let folder = String::from_utf8(keep.stdout).unwrap().trim().to_owned();
        for (name, content) in [("key", key), ("crt", certificate)] {
            // Written by the server's user: it refuses a key that others could read.
            let script = "umask 077; cat > \"$1\"";
            let mut written = as_user(script, &[&format!("{folder}/{name}")]).stdin(Stdio::piped()).spawn().unwrap();
            written.stdin.take().unwrap().write_all(content).unwrap();
            assert!(written.wait().unwrap().success());
        }
        let (key, certificate) = (format!("ssl_key_file={folder}/key"), format!("ssl_cert_file={folder}/crt"));
        let server = Self::start(&["-c", "ssl=on", "-c", &key, "-c", &certificate]);
        // The server has read both when it is ready.
        let _ = as_user("rm -rf \"$1\"", &[&folder]).status();
        server
    }

    fn run(programs: &Path, folder: PathBuf, port: u16, settings: &[&str]) -> Self {
        let (programs, place, number) = (programs.to_str().unwrap(), folder.to_str().unwrap(), port.to_string());
        let mut arguments = vec![programs, place, &number];
        arguments.extend(settings);
        let mut child = as_user(RUN, &arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // The server itself says when it can be asked.
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut told = String::new();
        for line in lines.map_while(Result::ok) {
            if line.contains("ready to accept connections") {
                return Self { folder, port, child };
            }
            told.push_str(&line);
            told.push('\n');
        }
        let _ = child.wait();
        panic!("the server did not start: {told}");
    }

    /// Ends the server and starts it again on the same port, with the same data; `between` runs while it is away.
    pub fn restarted(mut self, between: impl FnOnce()) -> Self {
        self.end();
        between();
        let (folder, port) = (std::mem::take(&mut self.folder), self.port);
        Self::run(&programs().unwrap(), folder, port, &[])
    }

    fn end(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }

    /// Runs SQL as the owner of everything, and gives what it prints.
    pub fn admin(&self, database: &str, sql: &str) -> String {
        let programs = programs().unwrap();
        let mut psql = Command::new(programs.join("psql"))
            .args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1", "-U", "owner", "-d", database])
            .args(["-p", &self.port.to_string()])
            .env("PGPASSWORD", PASSWORD)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = psql.stdin.take().unwrap();
        let sql = sql.to_owned();
        let written = std::thread::spawn(move || input.write_all(sql.as_bytes()));
        let output = psql.wait_with_output().unwrap();
        // Input is left unread when a statement fails, which is told below.
        let _ = written.join().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
    }

    /// A new database made by `sql`, which the reader may read.
    pub fn database(&self, name: &str, sql: &str) -> PathBuf {
        self.admin("postgres", &format!("CREATE DATABASE {name}"));
        self.admin(name, sql);
        self.admin(name, "GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader; ANALYZE");
        self.address(name)
    }

    /// The address of a database, for the reader.
    pub fn address(&self, database: &str) -> PathBuf {
        PathBuf::from(format!("postgres://reader:{PASSWORD}@127.0.0.1:{}/{database}", self.port))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.end();
        if !self.folder.as_os_str().is_empty() {
            let _ = as_user("rm -rf \"$1\"", &[self.folder.to_str().unwrap()]).status();
        }
    }
}

/// Makes an empty server: programs, password. Letters sort as people do, so that an order by their codes shows.
const MAKE: &str = r#"set -e
folder=$(mktemp -d /tmp/turnwise-postgres-XXXXXX)
printf %s "$2" > "$folder/password"
"$1/initdb" -D "$folder/data" -U owner -A scram-sha-256 --pwfile="$folder/password" --no-sync -E UTF8 \
    --locale=C.UTF-8 --locale-provider=icu --icu-locale=en-US >&2
echo "$folder""#;

/// Runs it until standard input ends: programs, folder, port, settings.
const RUN: &str = r#"programs=$1 folder=$2 port=$3
shift 3
"$programs/postgres" -D "$folder/data" -p "$port" -c listen_addresses=127.0.0.1 -c unix_socket_directories="$folder" \
    -c fsync=off -c log_destination=stderr "$@" 2>&1 &
server=$!
cat >/dev/null
kill -INT $server
wait $server"#;
