//! A PostgreSQL server of the tests' own: a new folder, a free port, a user who may only read, and nothing left behind.
//! Next: `process`, which starts and ends it.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use crate::process::{How, Running, fed, skipped};

/// The password of the user who may only read; no output may ever hold it.
pub const PASSWORD: &str = "tiger-lily-42";

/// A server that runs as long as this is held, or as the process lives.
pub struct Server {
    running: Running,
    pub port: u16,
}

/// The server most tests share, with nothing in it that one test could take from another; none where it cannot be had.
pub fn shared() -> Option<&'static Server> {
    static SHARED: OnceLock<Option<Server>> = OnceLock::new();
    SHARED.get_or_init(|| Server::start(&[])).as_ref()
}

/// The server itself says when it can be asked.
static HOW: How = How {
    user: "postgres",
    script: RUN,
    ready: "ready to accept connections",
    taken: "already in use",
    broken: &["PANIC:"],
};

/// The newest installed PostgreSQL.
fn programs() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?;
    let mut found: Vec<PathBuf> = versions.flatten().map(|entry| entry.path().join("bin")).collect();
    found.retain(|folder| folder.join("initdb").exists());
    found.sort();
    found.pop()
}

/// A server that was told to start on this port.
pub fn running_from(port: u16) -> Option<Running> {
    let programs = installed()?;
    let folder = HOW.made(MAKE, &[&programs, PASSWORD]);
    Some(HOW.start_at(port, &folder, &[&programs]))
}

fn installed() -> Option<String> {
    let found = programs().map(|programs| programs.to_str().unwrap().to_owned());
    if found.is_none() {
        skipped("there is no PostgreSQL in /usr/lib/postgresql (`apt-get install postgresql`)");
    }
    found
}

impl Server {
    /// Starts a server with these settings.
    pub fn start(settings: &[&str]) -> Option<Self> {
        let programs = installed()?;
        let programs = programs.as_str();
        let folder = HOW.made(MAKE, &[programs, PASSWORD]);
        let server = Self::of(HOW.start(&folder, &[&[programs], settings].concat()));
        server.admin("postgres", &format!("CREATE ROLE reader LOGIN PASSWORD '{PASSWORD}'"));
        Some(server)
    }

    fn of(running: Running) -> Self {
        Self { port: running.port, running }
    }

    /// Starts a server with a certificate.
    pub fn start_encrypted(key: &[u8], certificate: &[u8]) -> Option<Self> {
        let keep = HOW.command("mktemp -d /tmp/turnwise-tls-XXXXXX", &[]).output().unwrap();
        let folder = String::from_utf8(keep.stdout).unwrap().trim().to_owned();
        for (name, content) in [("key", key), ("crt", certificate)] {
            // Written by the server's user: it refuses a key that others could read.
            let script = "umask 077; cat > \"$1\"";
            let mut written =
                HOW.command(script, &[&format!("{folder}/{name}")]).stdin(Stdio::piped()).spawn().unwrap();
            written.stdin.take().unwrap().write_all(content).unwrap();
            assert!(written.wait().unwrap().success());
        }
        let (key, certificate) = (format!("ssl_key_file={folder}/key"), format!("ssl_cert_file={folder}/crt"));
        let server = Self::start(&["-c", "ssl=on", "-c", &key, "-c", &certificate]);
        // The server has read both when it is ready.
        let _ = HOW.command("rm -rf \"$1\"", &[&folder]).status();
        server
    }

    /// Ends the server and starts it again on the same port, with the same data; `between` runs while it is away.
    pub fn restarted(self, between: impl FnOnce()) -> Self {
        Self::of(self.running.restarted(between, &[programs().unwrap().to_str().unwrap()]))
    }

    /// Runs SQL as the owner of everything, and gives what it prints.
    pub fn admin(&self, database: &str, sql: &str) -> String {
        let mut psql = Command::new(programs().unwrap().join("psql"));
        psql.args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1", "-U", "owner", "-d", database])
            .args(["-p", &self.port.to_string()])
            .env("PGPASSWORD", PASSWORD);
        fed(psql, sql)
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

/// Makes an empty server: programs, password. Letters sort as people do, so that an order by their codes shows.
const MAKE: &str = r#"set -e
folder=$(mktemp -d /tmp/turnwise-postgres-XXXXXX)
printf %s "$2" > "$folder/password"
"$1/initdb" -D "$folder/data" -U owner -A scram-sha-256 --pwfile="$folder/password" --no-sync -E UTF8 \
    --locale=C.UTF-8 --locale-provider=icu --icu-locale=en-US >&2
echo "$folder""#;

/// Runs it: folder, port, programs, settings.
const RUN: &str = r#"folder=$1 port=$2 programs=$3 signal=INT
shift 3
"$programs/postgres" -D "$folder/data" -p "$port" -c listen_addresses=127.0.0.1 -c unix_socket_directories="$folder" \
    -c fsync=off -c log_destination=stderr "$@" 2>&1 &
server=$!"#;
