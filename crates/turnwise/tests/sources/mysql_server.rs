//! A MariaDB or MySQL server of the tests' own: a new folder, a free port, a user who may only read, and nothing left
//! behind. Next: `process`, which starts and ends it.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::process::{How, Running, fed, skipped};
use crate::server::PASSWORD;

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

/// It is ready when it says so with its port: MySQL says the same earlier of a part of itself on another port.
static HOW: How = How {
    user: "mysql",
    script: RUN,
    ready: "port: PORT ",
    taken: "already in use",
    broken: &["got signal", "[FATAL]"],
};

fn is_installed() -> bool {
    let found = ["/usr/sbin/mariadbd", "/usr/sbin/mysqld"].iter().any(|program| Path::new(program).exists());
    if !found {
        skipped("there is no MariaDB or MySQL in /usr/sbin (`apt-get install mariadb-server`)");
    }
    found
}

impl Server {
    /// Starts a server with these settings.
    pub fn start(settings: &[&str]) -> Option<Self> {
        if !is_installed() {
            return None;
        }
        let server = Self::of(HOW.start(&HOW.made(MAKE, &[]), settings));
        server.admin("", &format!("CREATE USER reader@'%' IDENTIFIED BY '{PASSWORD}'"));
        Some(server)
    }

    fn of(running: Running) -> Self {
        Self { port: running.port, running }
    }

    /// Ends the server and starts it again on the same port, with the same data; `between` runs while it is away.
    pub fn restarted(self, between: impl FnOnce()) -> Self {
        Self::of(self.running.restarted(between, &[]))
    }

    /// Runs SQL as the owner of everything, and gives what it prints.
    pub fn admin(&self, database: &str, sql: &str) -> String {
        let socket = format!("--socket={}/socket", self.running.folder.display());
        let client = HOW.command("exec mysql --no-defaults -u root -N -B \"$@\"", &[&socket, database]);
        fed(client, &format!("SET NAMES utf8mb4; SET sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES';\n{sql}\n"))
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

/// Makes an empty server in a new folder, which it prints; the two servers have different ways.
const MAKE: &str = r#"set -e
folder=$(mktemp -d /tmp/turnwise-mysql-XXXXXX)
mkdir "$folder/tmp"
if [ -x /usr/sbin/mariadbd ]; then
    mariadb-install-db --no-defaults --datadir="$folder/data" --auth-root-authentication-method=normal \
        --skip-test-db --innodb-flush-method=nosync --tmpdir="$folder/tmp" >&2
else
    /usr/sbin/mysqld --no-defaults --initialize-insecure --datadir="$folder/data" --tmpdir="$folder/tmp" >&2
fi
echo "$folder""#;

/// Runs it: folder, port, settings. Letters are compared as people do, so that it shows where they should be compared
/// by their codes. A server that starts takes away what it finds of its kind among the temporary files, so each has its
/// own place for them.
const RUN: &str = r#"folder=$1 port=$2 signal=TERM
shift 2
program=/usr/sbin/mariadbd
[ -x $program ] || program=/usr/sbin/mysqld
$program --no-defaults --datadir="$folder/data" --tmpdir="$folder/tmp" --socket="$folder/socket" \
    --pid-file="$folder/pid" --port="$port" --bind-address=127.0.0.1 --innodb-buffer-pool-size=64M --innodb-flush-log-at-trx-commit=0 --skip-log-bin \
    --character-set-server=utf8mb4 --collation-server=utf8mb4_general_ci --skip-name-resolve "$@" 2>&1 &
server=$!"#;
