//! Connections to MySQL and MariaDB, and what every session is: it reads, counts time in UTC, its quotes are those of
//! the standard and its texts mean what they say. Next: `mod`, which runs queries on them.

use std::sync::OnceLock;
use std::time::Duration;

use mysql_async::prelude::Queryable;
use mysql_async::{Conn, Error, IoError, Opts, OptsBuilder, SslOpts};

use super::super::super::address::{Address, SslMode};

/// Makes connections as an address asks for. It holds the password.
pub struct Connector {
    plain: Opts,
    /// The same with encryption, unless that is not wanted.
    encrypted: Option<Opts>,
    /// Whether a server without encryption will do.
    is_optional: bool,
    /// Whether it is MariaDB, once it was asked.
    mariadb: OnceLock<bool>,
}

impl Connector {
    /// As `address` asks for.
    pub fn new(address: &Address) -> Result<Self, String> {
        if let Some((_, options)) = address.connection.split_once('?') {
            return Err(format!(
                "the option {options} is not known; those of MySQL's addresses are schema, sslmode and sslrootcert"
            ));
        }
        // The driver knows the scheme by one name; what it says about a wrong address may repeat the password.
        let rest = address.connection.split_once("://").map_or("", |(_, rest)| rest);
        let typed = Opts::from_url(&format!("mysql://{rest}")).map_err(|_| {
            "it is not of the form mysql://user:password@host:port/database, with special letters escaped as %40"
                .to_owned()
        })?;
        if typed.user().is_none_or(str::is_empty) {
            return Err("it names no user: mysql://user:password@host:port/database".to_owned());
        }
        let password = typed.pass().map(str::to_owned).or_else(|| std::env::var("MYSQL_PWD").ok());
        let plain: Opts = OptsBuilder::from_opts(typed).pass(password).prefer_socket(false).into();
        let encrypted = match address.ssl {
            SslMode::Disable => None,
            mode => Some(OptsBuilder::from_opts(plain.clone()).ssl_opts(tls(address, mode)?).into()),
        };
        Ok(Self { plain, encrypted, is_optional: address.ssl == SslMode::Prefer, mariadb: OnceLock::new() })
    }

    /// The database the address names.
    pub fn database(&self) -> Option<&str> {
        self.plain.db_name().filter(|name| !name.is_empty())
    }

    /// Whether it is MariaDB, as far as a connection has told.
    pub fn is_mariadb(&self) -> bool {
        self.mariadb.get().copied().unwrap_or_default()
    }

    /// Sets how long a statement may take; the two servers call it by different names and units.
    pub async fn limit_time(&self, client: &mut Conn, most: Duration) -> Result<(), Error> {
        let setting = if self.is_mariadb() {
            format!("SET SESSION max_statement_time = {}", most.as_secs_f64().max(0.001))
        } else {
            format!("SET SESSION max_execution_time = {}", most.as_millis().clamp(1, u128::from(u32::MAX)))
        };
        client.query_drop(setting).await
    }

    /// A new connection.
    pub async fn connect(&self) -> Result<Conn, Error> {
        let connecting = async {
            let mut client = match &self.encrypted {
                None => Conn::new(self.plain.clone()).await?,
                Some(encrypted) => match Conn::new(encrypted.clone()).await {
                    Err(error) if self.is_optional && is_about_encryption(&error) => {
                        Conn::new(self.plain.clone()).await?
                    }
                    other => other?,
                },
            };
            for setting in SESSION {
                client.query_drop(setting).await?;
            }
            if self.mariadb.get().is_none() {
                let version: Option<String> = client.query_first("SELECT VERSION()").await?;
                let _ = self.mariadb.set(version.is_some_and(|version| version.contains("MariaDB")));
            }
            if !self.is_mariadb() {
                // Else numbers about tables may be a day old.
                client.query_drop("SET SESSION information_schema_stats_expiry = 0").await?;
            }
            Ok(client)
        };
        let late = |_| Err(Error::Io(IoError::Io(std::io::Error::from(std::io::ErrorKind::TimedOut))));
        tokio::time::timeout(CONNECT_WAIT, connecting).await.unwrap_or_else(late)
    }
}

/// Whether the server cannot encrypt, or not as we do.
fn is_about_encryption(error: &Error) -> bool {
    match error {
        Error::Io(IoError::Tls(_)) => true,
        Error::Driver(error) => matches!(error, mysql_async::DriverError::NoClientSslFlagFromServer),
        _ => false,
    }
}

/// The driver checks the name wherever it checks the authority, so `verify-ca` asks for as much as `verify-full`.
fn tls(address: &Address, mode: SslMode) -> Result<SslOpts, String> {
    let verified = matches!(mode, SslMode::VerifyCa | SslMode::VerifyFull);
    let mut options = SslOpts::default().with_disable_built_in_roots(true);
    let trusted: Vec<Vec<u8>> = match &address.authorities {
        Some(file) => {
            let unreadable = |error| {
                format!("the authorities in {} cannot be read ({error}); it has to be a PEM file", file.display())
            };
            vec![std::fs::read(file).map_err(unreadable)?]
        }
        None => rustls_native_certs::load_native_certs()
            .certs
            .into_iter()
            .map(|certificate| certificate.as_ref().to_vec())
            .collect(),
    };
    if verified && trusted.is_empty() {
        return Err(
            "there are no authorities to verify its certificate with; name one with sslrootcert=FILE".to_owned()
        );
    }
    options = options.with_root_certs(trusted.into_iter().map(Into::into).collect());
    if !verified {
        options = options.with_danger_accept_invalid_certs(true).with_danger_skip_domain_validation(true);
    }
    Ok(options)
}

/// `sql_mode` is set as a whole, so that no server's own habits are left: standard quotes, no escapes in texts, `||`
/// joins, and differences of counts may be negative. Averages of whole numbers keep more than four digits.
const SESSION: [&str; 5] = [
    "SET NAMES utf8mb4",
    "SET SESSION sql_mode = 'ANSI_QUOTES,PIPES_AS_CONCAT,NO_BACKSLASH_ESCAPES,NO_UNSIGNED_SUBTRACTION,\
     STRICT_ALL_TABLES'",
    "SET SESSION time_zone = '+00:00'",
    "SET SESSION div_precision_increment = 12",
    "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY",
];

/// How long a connection may take to come about.
const CONNECT_WAIT: Duration = Duration::from_secs(10);
