//! Prism between the program and the stand-in of Jira: whatever request or answer does not keep to Atlassian's
//! description becomes an error, so neither side can drift from it. Next: `jira` for the flows.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use super::node;

/// A running Prism. It ends with the test.
pub struct Prism {
    child: Child,
    pub site: String,
}

impl Drop for Prism {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Prism before `upstream`, else what is missing.
pub fn before(upstream: &str) -> Result<Prism, String> {
    let description = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/jira/openapi.json");
    if !description.exists() {
        return Err(format!("{} is not there", description.display()));
    }
    let folder = node::prepared("tracker/prism")?;
    // The port is free again when Prism takes it.
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let mut child = Command::new("node")
        .arg(folder.join("node_modules/.bin/prism"))
        .args(["proxy", "--errors", "-h", "127.0.0.1", "-p", &port.to_string()])
        .args([&description, Path::new(upstream)])
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("node: {error}"))?;
    let mut said = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    let prism = Prism { child, site: format!("http://127.0.0.1:{port}") };
    if !said.by_ref().any(|line| line.contains("listening")) {
        return Err("Prism ended before it listened".to_owned());
    }
    // What it complains of is shown where the flow that it breaks is.
    std::thread::spawn(move || said.for_each(|line| println!("{line}")));
    Ok(prism)
}
