//! A MariaDB or MySQL server of the tests' own: a new folder, a free port, a user who may only read, and nothing left
//! behind. It ends with the test process, because it waits for the end of a pipe that the process holds.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

use crate::server::{PASSWORD, free_port, is_root, skipped};

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

/// A command of the server's own user: the server refuses to run as root.
fn as_user(script: &str, arguments: &[&str]) -> Command {
    let mut command = if is_root() { Command::new("runuser") } else { Command::new("sh") };
    if is_root() {
        command.args(["-u", "mysql", "--", "sh"]);
    }
    command.args(["-c", script, "sh"]).args(arguments).current_dir("/");
    command
}

impl Server {
    /// Starts a server with these settings.
    pub fn start(settings: &[&str]) -> Option<Self> {
        if !["/usr/sbin/mariadbd", "/usr/sbin/mysqld"].iter().any(|program| Path::new(program).exists()) {
            skipped("there is no MariaDB or MySQL in /usr/sbin (`apt-get install mariadb-server`)");
            return None;
        }
        let made = as_user(MAKE, &[]).output().unwrap();
        let told = String::from_utf8_lossy(&made.stdout).into_owned();
        assert!(made.status.success(), "{told}{}", String::from_utf8_lossy(&made.stderr));
        let server = Self::run(PathBuf::from(told.lines().last().unwrap()), free_port(), settings);
        server.admin("", &format!("CREATE USER reader@'%' IDENTIFIED BY '{PASSWORD}'"));
        Some(server)
    }

    fn run(folder: PathBuf, port: u16, settings: &[&str]) -> Self {
        let number = port.to_string();
        let mut arguments = vec![folder.to_str().unwrap(), &number];
        arguments.extend(settings);
        let mut child = as_user(RUN, &arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut told = String::new();
        while let Some(Ok(line)) = lines.next() {
            if line.contains("ready for connections") {
                // What it says later has to be read by somebody, and why it broke down is of interest.
                std::thread::spawn(move || {
                    let broken = |line: &String| line.contains("got signal") || line.contains("[FATAL]");
                    lines.map_while(Result::ok).filter(broken).for_each(|line| eprintln!("the server says: {line}"));
                });
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
        let keep = as_user("touch \"$1/keep\"", &[self.folder.to_str().unwrap()]).status();
        assert!(keep.unwrap().success());
        self.end();
        between();
        Self::run(std::mem::take(&mut self.folder), self.port, &[])
    }

    fn end(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }

    /// Runs SQL as the owner of everything, and gives what it prints.
    pub fn admin(&self, database: &str, sql: &str) -> String {
        let socket = format!("--socket={}/socket", self.folder.display());
        let mut client = as_user("exec mysql --no-defaults -u root -N -B \"$@\"", &[&socket, database])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = client.stdin.take().unwrap();
        let sql = format!("SET NAMES utf8mb4; SET sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES';\n{sql}\n");
        let written = std::thread::spawn(move || input.write_all(sql.as_bytes()));
        let output = client.wait_with_output().unwrap();
        // Input is left unread when a statement fails, which is told below.
        let _ = written.join().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
    }

    /// A new database made by `sql`, which the reader may read.
    pub fn database(&self, name: &str, sql: &str) -> PathBuf {
        self.admin("", &format!("CREATE DATABASE {name}; GRANT SELECT ON {name}.* TO reader@'%'"));
        self.admin(name, sql);
        self.address(name)
    }

    /// The address of a database, for the reader.
    pub fn address(&self, database: &str) -> PathBuf {
        PathBuf::from(format!("mysql://reader:{PASSWORD}@127.0.0.1:{}/{database}", self.port))
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

/// Makes an empty server in a new folder, which it prints; the two servers have different ways.
const MAKE: &str = r#"set -e
folder=$(mktemp -d /tmp/turnwise-mysql-XXXXXX)
if [ -x /usr/sbin/mariadbd ]; then
    mariadb-install-db --no-defaults --datadir="$folder/data" --auth-root-authentication-method=normal \
        --skip-test-db --innodb-flush-method=nosync >&2
else
    /usr/sbin/mysqld --no-defaults --initialize-insecure --datadir="$folder/data" >&2
fi
echo "$folder""#;

/// Runs it until standard input ends, and then removes it unless it is to be kept: folder, port, settings. Letters are
/// compared as people do, so that it shows where they should be compared by their codes.
const RUN: &str = r#"folder=$1 port=$2
shift 2
rm -f "$folder/keep"
program=/usr/sbin/mariadbd
[ -x $program ] || program=/usr/sbin/mysqld
$program --no-defaults --datadir="$folder/data" --socket="$folder/socket" --pid-file="$folder/pid" --port="$port" \
    --bind-address=127.0.0.1 --innodb-buffer-pool-size=64M --innodb-flush-log-at-trx-commit=0 --skip-log-bin \
    --character-set-server=utf8mb4 --collation-server=utf8mb4_general_ci --skip-name-resolve "$@" 2>&1 &
server=$!
cat >/dev/null
kill -TERM $server
wait $server
[ -e "$folder/keep" ] || rm -rf "$folder""#;
