//! A database server of the tests' own as a process: started on a free port, ended with the test process because it
//! waits for the end of a pipe that the process holds, started again on its port, and gone without a trace. Next:
//! `server` for PostgreSQL, `mysql_server` for MariaDB and MySQL.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Ports tried before a start is given up: between looking for a free one and taking it another process may.
const STARTS_MAX: usize = 5;

/// How a kind of server is run.
pub struct How {
    /// The user it runs as where the tests run as root, as which no such server runs.
    pub user: &'static str,
    /// The shell that runs it in the background, by `$1` the folder, `$2` the port and all others.
    pub script: &'static str,
    /// What it prints when it can be asked; `PORT` stands for its port.
    pub ready: &'static str,
    /// What it prints when its port is taken.
    pub taken: &'static str,
    /// What it prints when it breaks down later, which is shown.
    pub broken: &'static [&'static str],
}

/// A server that runs as long as this is held, or as the process lives.
pub struct Running {
    how: &'static How,
    pub folder: PathBuf,
    pub port: u16,
    child: Child,
}

/// Says that nothing was tested, or fails where everything has to be there.
pub fn skipped(why: &str) {
    assert!(std::env::var("CI").as_deref() != Ok("true"), "CI needs a database server: {why}");
    let _ = writeln!(std::io::stderr(), "SKIPPED: {why}, so nothing was tested");
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output();
    id.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// What `command` prints for `input`; what it says when it fails is shown.
pub fn fed(mut command: Command, input: &str) -> String {
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let (mut pipe, input) = (child.stdin.take().unwrap(), input.to_owned());
    let written = std::thread::spawn(move || pipe.write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    // Input is left unread when a statement fails, which is told below.
    let _ = written.join().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
}

impl How {
    /// A command of the server's own user.
    pub fn command(&self, script: &str, arguments: &[&str]) -> Command {
        let mut command = if is_root() { Command::new("runuser") } else { Command::new("sh") };
        if is_root() {
            command.args(["-u", self.user, "--", "sh"]);
        }
        command.args(["-c", script, "sh"]).args(arguments).current_dir("/");
        command
    }

    /// The last line that a script prints: the folder it made.
    pub fn made(&self, script: &str, arguments: &[&str]) -> PathBuf {
        let made = self.command(script, arguments).output().unwrap();
        let told = String::from_utf8_lossy(&made.stdout).into_owned();
        assert!(made.status.success(), "{told}{}", String::from_utf8_lossy(&made.stderr));
        PathBuf::from(told.lines().last().unwrap())
    }

    /// Starts the server of `folder` on a free port.
    pub fn start(&'static self, folder: &Path, settings: &[&str]) -> Running {
        self.start_at(free_port(), folder, settings)
    }

    /// The same on this port, or on another where it is taken.
    pub fn start_at(&'static self, wanted: u16, folder: &Path, settings: &[&str]) -> Running {
        let (mut port, mut last) = (wanted, String::new());
        for _ in 0..STARTS_MAX {
            match self.run(folder, port, settings) {
                Ok(child) => return Running { how: self, folder: folder.to_owned(), port, child },
                Err(told) if told.contains(self.taken) => (port, last) = (free_port(), told),
                Err(told) => panic!("the server did not start: {told}"),
            }
        }
        panic!("{STARTS_MAX} free ports were taken before the server had them: {last}");
    }

    /// Runs the server until it is ready; what it said where it never was.
    fn run(&self, folder: &Path, port: u16, settings: &[&str]) -> Result<Child, String> {
        let number = port.to_string();
        let mut arguments = vec![folder.to_str().unwrap(), &number];
        arguments.extend(settings);
        let script = format!("{}{WATCHED}", self.script);
        let mut child = self
            .command(&script, &arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let ready = self.ready.replace("PORT", &number);
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        let mut told = String::new();
        while let Some(line) = lines.next() {
            if line == ENDED {
                break;
            }
            if line.contains(&ready) {
                // What it says later has to be read by somebody, and why it broke down is of interest.
                let broken = self.broken;
                std::thread::spawn(move || {
                    let shown = |line: &String| broken.iter().any(|mark| line.contains(mark));
                    lines.filter(shown).for_each(|line| eprintln!("the server says: {line}"));
                });
                return Ok(child);
            }
            told.push_str(&line);
            told.push('\n');
        }
        drop(child.stdin.take());
        let _ = child.wait();
        Err(told)
    }

    /// Makes that the folder outlives the end of its server.
    fn keep(&self, folder: &Path) {
        let kept = self.command("touch \"$1/keep\"", &[folder.to_str().unwrap()]).status();
        assert!(kept.unwrap().success());
    }
}

impl Running {
    /// Ends the server and starts it again on the same port, with the same data; `between` runs while it is away.
    pub fn restarted(mut self, between: impl FnOnce(), settings: &[&str]) -> Self {
        self.how.keep(&self.folder);
        self.end();
        between();
        let (how, folder, port) = (self.how, std::mem::take(&mut self.folder), self.port);
        let child = (1..=STARTS_MAX).find_map(|_| how.run(&folder, port, settings).ok());
        let child = child.unwrap_or_else(|| panic!("the server did not come back on port {port}"));
        Self { how, folder, port, child }
    }

    fn end(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end();
        if !self.folder.as_os_str().is_empty() {
            let _ = self.how.command("rm -rf \"$1\"", &[self.folder.to_str().unwrap()]).status();
        }
    }
}

/// What is printed when the server has ended: the end of the pipe itself is not heard where others hold it, too.
const ENDED: &str = "turnwise: the server has ended";

/// Behind the server's start, which leaves its process in `$server` and the signal that ends it in `$signal`. It ends
/// with standard input, and only then its folder goes, unless it is kept: a server that never was ready is tried again,
/// so that is settled before its end is told.
const WATCHED: &str = r#"
rm -f "$folder/keep" "$folder/ended"
exec 3<&0
( cat <&3; touch "$folder/ended"; kill -$signal $server ) >/dev/null 2>&1 &
exec 3<&-
wait $server
if [ -e "$folder/ended" ] && [ ! -e "$folder/keep" ]; then rm -rf "$folder"; fi
echo "turnwise: the server has ended""#;

/// Another process may take a port between looking for it and starting on it: that broke tests now and then.
#[test]
fn a_server_whose_port_is_taken_starts_on_another() {
    let held = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = held.local_addr().unwrap().port();
    if let Some(server) = crate::server::running_from(port) {
        assert_ne!(server.port, port);
    }
}
