//! Addresses of database servers as people type them, and how they may be shown: never with a password. Whatever prints
//! what was named as data prints [`shown`]. Next: `server`.

use std::fmt;
use std::path::{Path, PathBuf};

use super::SourceError;

/// A kind of database server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServerKind {
    /// PostgreSQL.
    Postgres,
    /// MySQL or MariaDB.
    Mysql,
}

/// How the connection is protected, in the words of PostgreSQL's own client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SslMode {
    /// Never encrypted.
    Disable,
    /// Encrypted where the server can; nothing is verified.
    Prefer,
    /// Encrypted or not at all; nothing is verified.
    Require,
    /// The certificate must come from a trusted authority.
    VerifyCa,
    /// And it must be that of this host.
    VerifyFull,
}

/// A server's address, taken apart. It is not printed by `{:?}`, because it holds the password.
#[derive(Clone, PartialEq, Eq)]
pub struct Address {
    /// What answers there.
    pub kind: ServerKind,
    /// The address as typed without what is only for us; with the password.
    pub connection: String,
    /// The schemas to read; those of the search path when empty.
    pub schemas: Vec<String>,
    /// How the connection is protected.
    pub ssl: SslMode,
    /// The file with the authorities to trust, instead of the system's.
    pub authorities: Option<PathBuf>,
    /// The address as it may be shown.
    pub shown: String,
}

impl fmt::Debug for Address {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.shown)
    }
}

/// Whether what was named as data is a server's address.
#[must_use]
pub fn is_address(named: &Path) -> bool {
    named.to_str().is_some_and(has_scheme)
}

/// What was named as data, as it may be shown: an address loses its password and what only concerns the connection.
#[must_use]
pub fn shown(named: &Path) -> PathBuf {
    match named.to_str() {
        Some(text) if has_scheme(text) => PathBuf::from(without_password(text)),
        _ => named.to_owned(),
    }
}

impl Address {
    /// Takes an address apart.
    ///
    /// # Errors
    /// When an option of it is unknown to us or has no such value.
    pub fn parse(text: &str) -> Result<Self, SourceError> {
        let shown = without_password(text);
        let wrong = |problem: String| SourceError::Address { address: shown.clone(), problem };
        let kind = kind_of(text).ok_or_else(|| wrong(UNKNOWN_SCHEME.to_owned()))?;
        let (base, options) = text.split_once('?').unwrap_or((text, ""));
        let (mut kept, mut schemas, mut ssl, mut authorities) = (Vec::new(), Vec::new(), None, None);
        for option in options.split('&').filter(|option| !option.is_empty()) {
            let (name, value) = option.split_once('=').unwrap_or((option, ""));
            match name {
                "schema" => schemas.extend(decoded(value).split(',').map(str::to_owned)),
                "sslmode" | "ssl-mode" => ssl = Some(ssl_mode(value).ok_or_else(|| wrong(unknown_mode(value)))?),
                "sslrootcert" | "ssl-ca" if value != "system" => authorities = Some(PathBuf::from(decoded(value))),
                "sslrootcert" => {}
                _ => kept.push(option),
            }
        }
        schemas.retain(|schema| !schema.is_empty());
        let connection = if kept.is_empty() { base.to_owned() } else { format!("{base}?{}", kept.join("&")) };
        // Naming an authority means that it is to be asked, as PostgreSQL's own client has it.
        let ssl = match ssl.unwrap_or(SslMode::Prefer) {
            SslMode::Require if authorities.is_some() => SslMode::VerifyCa,
            mode => mode,
        };
        Ok(Self { kind, connection, schemas, ssl, authorities, shown })
    }
}

/// Whether a text begins as an address does, of whatever kind: one we do not read may hold a password all the same.
fn has_scheme(text: &str) -> bool {
    text.split_once("://").is_some_and(|(scheme, _)| {
        !scheme.is_empty() && scheme.chars().all(|letter| letter.is_ascii_alphanumeric() || "+.-".contains(letter))
    })
}

fn kind_of(text: &str) -> Option<ServerKind> {
    let (scheme, _) = text.split_once("://")?;
    match scheme.to_ascii_lowercase().as_str() {
        "postgres" | "postgresql" => Some(ServerKind::Postgres),
        "mysql" | "mariadb" => Some(ServerKind::Mysql),
        _ => None,
    }
}

fn ssl_mode(value: &str) -> Option<SslMode> {
    // The second words are those of MySQL's own client.
    Some(match value.to_ascii_lowercase().as_str() {
        "disable" | "disabled" => SslMode::Disable,
        "prefer" | "allow" | "preferred" => SslMode::Prefer,
        "require" | "required" => SslMode::Require,
        "verify-ca" | "verify_ca" => SslMode::VerifyCa,
        "verify-full" | "verify_identity" => SslMode::VerifyFull,
        _ => return None,
    })
}

fn unknown_mode(value: &str) -> String {
    format!("sslmode={value} is none of disable, allow, prefer, require, verify-ca and verify-full")
}

/// Scheme, user, host, database and schemas; a password is left out wherever it stands.
fn without_password(text: &str) -> String {
    let (base, options) = text.split_once('?').unwrap_or((text, ""));
    let Some((scheme, rest)) = base.split_once("://") else { return "(an address)".to_owned() };
    // A password may hold any letter that was not escaped, so the last @ is the one before the host.
    let (user, place) = rest.rsplit_once('@').map_or((None, rest), |(user, place)| (Some(user), place));
    let user = user.map(|user| user.split_once(':').map_or(user, |(name, _)| name));
    let user = user.map_or_else(String::new, |user| format!("{user}@"));
    let kept: Vec<&str> = options.split('&').filter(|option| option.starts_with("schema=")).collect();
    let kept = if kept.is_empty() { String::new() } else { format!("?{}", kept.join("&")) };
    format!("{scheme}://{user}{place}{kept}")
}

/// Undoes the escapes of an address: `%2C` is a comma.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let escaped = (*first == b'%').then(|| tail.get(..2)).flatten();
        let byte = escaped.and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
        bytes.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { &tail[2..] } else { tail };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// What is said of an address that is none of ours.
const UNKNOWN_SCHEME: &str = "only addresses of PostgreSQL and MySQL are read, which begin with postgres://, mysql:// or \
                              mariadb://; export the tables of other servers as CSV or Parquet and name those files";

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let shown = shown(Path::new(text));
        assert_eq!(shown, Path::new(expected));
        assert!(!shown.to_string_lossy().contains("secret"));
    }

    #[test]
    fn an_address_is_shown_without_its_password() {
        check("postgres://ann:secret@db:5432/shop", "postgres://ann@db:5432/shop");
        check("postgresql://ann:se@secret@db/shop?sslmode=require", "postgresql://ann@db/shop");
        check("postgres://ann@db/shop?schema=sales&password=secret", "postgres://ann@db/shop?schema=sales");
        check("postgres://db/shop", "postgres://db/shop");
        let address = Address::parse("postgres://ann:secret@db/shop").unwrap();
        assert_eq!(format!("{address:?}"), "postgres://ann@db/shop");
    }

    #[test]
    fn a_file_is_shown_as_it_is() {
        assert_eq!(shown(Path::new("a@b:c.csv")), Path::new("a@b:c.csv"));
        assert!(!is_address(Path::new("postgres/data.csv")));
    }

    #[test]
    fn an_address_of_another_kind_is_refused_without_its_password() {
        check("oracle://ann:secret@db/shop", "oracle://ann@db/shop");
        let error = Address::parse("oracle://ann:secret@db/shop").unwrap_err().to_string();
        assert!(error.contains("only addresses of PostgreSQL and MySQL") && !error.contains("secret"), "{error}");
    }

    #[test]
    fn our_own_options_do_not_reach_the_driver() {
        let address = Address::parse("postgres://db/shop?schema=a%2Cb&sslmode=verify-full&connect_timeout=3").unwrap();
        assert_eq!(address.connection, "postgres://db/shop?connect_timeout=3");
        assert_eq!((address.schemas, address.ssl), (vec!["a".to_owned(), "b".to_owned()], SslMode::VerifyFull));
        let address = Address::parse("postgres://db/shop?sslmode=require&sslrootcert=ca.pem").unwrap();
        assert_eq!(address.ssl, SslMode::VerifyCa);
        let error = Address::parse("postgres://ann:secret@db/shop?sslmode=maybe").unwrap_err().to_string();
        assert!(error.contains("sslmode=maybe is none of disable") && !error.contains("secret"), "{error}");
    }
}
