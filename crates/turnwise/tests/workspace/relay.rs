//! An address that is known before its server is: the workspace has to be told where the bot is, and the bot where the
//! workspace is, so one of them is called through here. Next: `local`.

use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

pub struct Relay {
    pub address: SocketAddr,
    target: Arc<Mutex<Option<String>>>,
}

impl Relay {
    pub fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let relay = Self { address: listener.local_addr().unwrap(), target: Arc::default() };
        let target = Arc::clone(&relay.target);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let target = target.lock().unwrap().clone();
                // Whoever calls while nobody is there is let go, as a server that is down would do.
                if let Some(there) = target.and_then(|target| TcpStream::connect(target).ok()) {
                    joined(stream.unwrap(), there);
                }
            }
        });
        relay
    }

    /// From here on it leads to `address`.
    pub fn leads_to(&self, address: &str) {
        *self.target.lock().unwrap() = Some(address.to_owned());
    }
}

/// What comes on one end goes out on the other, until either closes.
fn joined(here: TcpStream, there: TcpStream) {
    for (from, to) in [(&here, &there), (&there, &here)] {
        let (mut from, mut to) = (from.try_clone().unwrap(), to.try_clone().unwrap());
        std::thread::spawn(move || {
            let _ = io::copy(&mut from, &mut to);
            let _ = to.shutdown(std::net::Shutdown::Both);
        });
    }
}
