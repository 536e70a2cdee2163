//! What a server is called by: a page may have a browser call any name that its owner made to point here, so only the
//! names of this machine, the address a connection came to and the names that were given at the start are answered.
//! Next: `guard`.

use std::net::IpAddr;
use std::str::FromStr;

/// A name the server is called by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostName {
    host: String,
    is_secure: bool,
}

impl HostName {
    /// Whether browsers call it over TLS, which a proxy in front ends.
    pub(super) fn is_secure(&self) -> bool {
        self.is_secure
    }

    /// Whether it is what stands in this `Host` header.
    pub(super) fn fits(&self, host: &str) -> bool {
        self.host.eq_ignore_ascii_case(name_of(host))
    }
}

/// A name, or `https://` and a name.
impl FromStr for HostName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (is_secure, rest) = match text.split_once("://") {
            Some(("https", rest)) => (true, rest),
            Some(("http", rest)) => (false, rest),
            Some(_) => return Err("before :// stands http or https".to_owned()),
            None => (false, text),
        };
        let host = name_of(rest.strip_suffix('/').unwrap_or(rest));
        let fits = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '-' | '_' | ':');
        if host.is_empty() || !host.chars().all(fits) {
            return Err("name a host, as in talk.example.org or https://talk.example.org".to_owned());
        }
        Ok(Self { host: host.to_owned(), is_secure })
    }
}

/// Whether `host`, as it stands in the header, is an address of this very machine, or the one the connection came to.
/// An address cannot be made to point elsewhere, as a name can.
pub(super) fn is_own_address(host: &str, reached: Option<IpAddr>) -> bool {
    let name = name_of(host);
    let address = name.parse::<IpAddr>().ok().map(|address| address.to_canonical());
    name.eq_ignore_ascii_case("localhost")
        || address.is_some_and(|address| {
            address.is_loopback() || reached.map(|reached| reached.to_canonical()) == Some(address)
        })
}

/// The name in a `Host` header, without its port.
fn name_of(host: &str) -> &str {
    match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use super::{HostName, is_own_address};

    #[test]
    fn only_names_and_addresses_of_this_machine_are_its_own() {
        for host in ["localhost", "LOCALHOST:7878", "127.0.0.1:7878", "127.9.9.9", "[::1]:7878", "[::1]"] {
            assert!(is_own_address(host, None), "{host}");
        }
        for host in ["", "example.org", "localhost.example.org", "127.0.0.1.example.org", "10.0.0.1", "[::2]", "::1"] {
            assert!(!is_own_address(host, None), "{host}");
        }
        let reached = Some("::ffff:10.0.0.1".parse().unwrap());
        assert!(is_own_address("10.0.0.1:7878", reached) && !is_own_address("10.0.0.2:7878", reached));
    }

    #[test]
    fn a_name_is_a_host_with_or_without_its_scheme() {
        let secure: HostName = "https://Talk.example.org/".parse().unwrap();
        assert!(secure.is_secure() && secure.fits("talk.example.org:443") && !secure.fits("example.org"));
        let plain: HostName = "talk.example.org".parse().unwrap();
        assert!(!plain.is_secure() && plain.fits("TALK.example.org"));
        for wrong in ["", "ftp://a.b", "https://", "a b", "https://a.b/path", "a;b"] {
            assert!(wrong.parse::<HostName>().is_err(), "{wrong}");
        }
    }
}
