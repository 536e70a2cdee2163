//! Whom an encrypted connection is made with: the certificate must be for the host, by an authority the system trusts.
//! What is wrong with one is told with what can be done about it, because only a person can. Next: `mod`.

use std::io;
use std::sync::{Arc, OnceLock};

use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::{CertificateError, ClientConfig, Error as TlsError, RootCertStore};

/// Why the other end is not believed to be who it should be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Distrust {
    /// Its certificate is signed by nobody this system trusts.
    #[error("its certificate is by an authority that this system does not trust")]
    Authority,
    /// Its certificate is somebody else's.
    #[error("its certificate is for {0} and not for this name")]
    Name(String),
    /// Its certificate no longer holds, or not yet.
    #[error("its certificate has expired, or does not hold yet")]
    Time,
    /// It does not speak TLS.
    #[error("what answers there does not speak TLS")]
    NoTls,
    /// This system trusts nobody.
    #[error("this system trusts no authorities")]
    NoAuthorities,
    /// Anything else, in the words of TLS.
    #[error("{0}")]
    Other(String),
}

impl Distrust {
    /// What can be done about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Authority => "if it is an authority of your own, SSL_CERT_FILE names the file with its certificate",
            Self::Name(_) => "call it by a name its certificate is for; if that is right, somebody else answers there",
            Self::Time => "its certificate has to be renewed where it runs; see that the clock here is right, too",
            Self::NoTls => "write the address with http:// if it is meant to be called unencrypted",
            Self::NoAuthorities => "install the system's certificates, or name a file of them in SSL_CERT_FILE",
            Self::Other(_) => "see that the address is right, and who answers there",
        }
    }

    /// What a handshake failed of; nothing where the line merely broke.
    pub(super) fn of(error: &io::Error) -> Option<Self> {
        let cause = error.get_ref()?.downcast_ref::<TlsError>()?;
        Some(match cause {
            TlsError::InvalidCertificate(wrong) => Self::certificate(wrong),
            TlsError::InvalidMessage(_) => Self::NoTls,
            other => Self::Other(other.to_string()),
        })
    }

    fn certificate(wrong: &CertificateError) -> Self {
        match wrong {
            // A signature that does not fit is of an authority that only has the name of a trusted one.
            CertificateError::UnknownIssuer | CertificateError::BadSignature => Self::Authority,
            CertificateError::NotValidForNameContext { presented, .. } if !presented.is_empty() => {
                Self::Name(presented.iter().map(|name| plain(name)).collect::<Vec<_>>().join(", "))
            }
            CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
                Self::Name("another".to_owned())
            }
            CertificateError::Expired
            | CertificateError::ExpiredContext { .. }
            | CertificateError::NotValidYet
            | CertificateError::NotValidYetContext { .. } => Self::Time,
            other => Self::Other(other.to_string()),
        }
    }
}

/// A name as it stands in a certificate, without the kind it is given: `DnsName("example.org")`. It is the other end's,
/// so its control characters must not act on a terminal.
fn plain(name: &str) -> String {
    let inner = name.split_once("(\"").and_then(|(_, rest)| rest.strip_suffix("\")")).unwrap_or(name);
    inner.escape_debug().to_string()
}

/// How encrypted connections are made.
pub(super) fn tls() -> Result<Arc<ClientConfig>, Distrust> {
    static MADE: OnceLock<Result<Arc<ClientConfig>, Distrust>> = OnceLock::new();
    let make = || {
        let mut roots = RootCertStore::empty();
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        if roots.is_empty() {
            return Err(Distrust::NoAuthorities);
        }
        let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(|error| Distrust::Other(error.to_string()))?
            .with_root_certificates(roots)
            .with_no_client_auth();
        Ok(Arc::new(config))
    };
    MADE.get_or_init(make).clone()
}
