//! Addresses of other servers: scheme, host, port and the path everything there begins with. Whatever could hold a
//! secret is refused, because an address is shown. Next: `mod`.

use std::fmt;
use std::str::FromStr;

use axum::http::{HeaderValue, Uri};

/// Where another server is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    encrypted: bool,
    host: String,
    port: u16,
    /// What all paths begin with, without a slash at its end.
    base: String,
}

/// Text that is no address of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoAddress {
    /// It does not begin with one of the two ways to call a server.
    #[error("it begins with neither http:// nor https://")]
    Scheme,
    /// It names no host, or has characters that no address has.
    #[error("it names no host that could be called")]
    Host,
    /// It holds more than where the server is.
    #[error("it has a name, a password, a query or a mark in it, and an address has none of these")]
    More,
}

impl Address {
    /// The host's name or number.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The port.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Whether nobody on the way can read along.
    #[must_use]
    pub fn is_encrypted(&self) -> bool {
        self.encrypted
    }

    /// Whether it is on this very machine.
    #[must_use]
    pub fn is_loopback(&self) -> bool {
        let is_number = self.host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback());
        is_number || self.host.eq_ignore_ascii_case("localhost")
    }

    /// The path that is meant by `below`, a path and query below this address.
    pub(super) fn path_of(&self, below: &Uri) -> Uri {
        let rest = below.path_and_query().map_or("/", |rest| rest.as_str());
        // Both halves were addresses before, so together they are one.
        format!("{}{rest}", self.base).parse().unwrap_or_else(|_| below.clone())
    }

    /// As the `Host` header has it.
    pub(super) fn host_header(&self) -> HeaderValue {
        HeaderValue::from_str(&self.authority()).unwrap_or_else(|_| HeaderValue::from_static("localhost"))
    }

    fn authority(&self) -> String {
        let host = if self.host.contains(':') { format!("[{}]", self.host) } else { self.host.clone() };
        if self.port == standard_port(self.encrypted) { host } else { format!("{host}:{}", self.port) }
    }
}

impl FromStr for Address {
    type Err = NoAddress;

    fn from_str(text: &str) -> Result<Self, NoAddress> {
        let text = text.trim();
        let encrypted = match text.split_once("://") {
            Some((scheme, _)) if scheme.eq_ignore_ascii_case("https") => true,
            Some((scheme, _)) if scheme.eq_ignore_ascii_case("http") => false,
            Some(_) | None => return Err(NoAddress::Scheme),
        };
        if text.contains(['@', '?', '#']) {
            return Err(NoAddress::More);
        }
        let uri: Uri = text.parse().map_err(|_| NoAddress::Host)?;
        let authority = uri.authority().ok_or(NoAddress::Host)?;
        let host = authority.host().trim_matches(['[', ']']).to_owned();
        let has_port = authority.as_str().rsplit(']').next().is_some_and(|rest| rest.contains(':'));
        let port = match (authority.port_u16(), has_port) {
            (Some(port), _) => port,
            (None, false) => standard_port(encrypted),
            (None, true) => return Err(NoAddress::Host),
        };
        if host.is_empty() || port == 0 {
            return Err(NoAddress::Host);
        }
        Ok(Self { encrypted, host, port, base: uri.path().trim_end_matches('/').to_owned() })
    }
}

/// As a person types it.
impl fmt::Display for Address {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.encrypted { "https" } else { "http" };
        write!(out, "{scheme}://{}{}", self.authority(), self.base)
    }
}

fn standard_port(encrypted: bool) -> u16 {
    if encrypted { 443 } else { 80 }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use super::{Address, NoAddress};

    #[test]
    fn addresses_are_read_and_shown_as_they_are_meant() {
        for (typed, shown) in [
            ("http://127.0.0.1:7878", "http://127.0.0.1:7878"),
            (" HTTPS://Talk.Example.org:443/ ", "https://Talk.Example.org"),
            ("https://example.org/turnwise/", "https://example.org/turnwise"),
            ("http://[::1]:80", "http://[::1]"),
        ] {
            assert_eq!(typed.parse::<Address>().unwrap().to_string(), shown);
        }
        let behind: Address = "https://example.org/turnwise".parse().unwrap();
        assert_eq!(behind.path_of(&"/v1/server?a=1".parse().unwrap()), "/turnwise/v1/server?a=1");
    }

    #[test]
    fn what_is_no_address_is_told_why() {
        for (typed, why) in [
            ("localhost:7878", NoAddress::Scheme),
            ("ftp://example.org", NoAddress::Scheme),
            ("http://", NoAddress::Host),
            ("http://example.org:port", NoAddress::Host),
            ("http://example.org:", NoAddress::Host),
            ("http://ada:secret@example.org", NoAddress::More),
            ("http://example.org/?token=secret", NoAddress::More),
        ] {
            assert_eq!(typed.parse::<Address>().unwrap_err(), why, "{typed}");
        }
    }
}
