//! Requests to other servers: `chat --server` sends its own from here. HTTP/1.1 by hyper, TLS by rustls with the
//! authorities the system trusts; one connection for each request, because they are few and a connection that is kept
//! may be dead by the next. Next: `address` for what may be called, `trust` for who is believed, `channel::remote` for
//! who calls.

mod address;
mod trust;

use std::error::Error as _;
use std::io;
use std::time::Duration;

use axum::http::{Request, Response, header};
use http_body_util::{BodyExt as _, Full};
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::ServerName;

pub use address::{Address, NoAddress};
pub use trust::Distrust;

/// Why no answer came.
#[derive(Debug, thiserror::Error)]
pub enum CallError {
    /// Nobody can be reached there.
    #[error("{0} cannot be reached ({1})")]
    Unreachable(String, String),
    /// The other end is not who it should be, or does not speak TLS: trying again would not help.
    #[error("no secure connection to {0} is possible: {1}")]
    Untrusted(String, Distrust),
    /// The line broke before the answer was there, or what came is no HTTP.
    #[error("the connection to {0} broke ({1})")]
    Broken(String, String),
    /// Nothing came in time.
    #[error("{0} does not answer")]
    Silent(String),
    /// The answer is longer than anything that was asked for.
    #[error("{0} sent more than was asked for")]
    TooLong(String),
}

/// Sends `request`, whose address is a path below that of `address`, and gives the answer once its head is there.
///
/// # Errors
/// [`CallError`]; nobody knows then whether the request arrived.
pub async fn call(address: &Address, request: Request<Bytes>) -> Result<Response<Incoming>, CallError> {
    let answering = answer(address, request);
    let silent = || CallError::Silent(address.to_string());
    tokio::time::timeout(ANSWER_PATIENCE, answering).await.map_err(|_| silent())?
}

/// The whole of an answer, at most `most` bytes.
///
/// # Errors
/// [`CallError`] when it breaks off, takes too long, or is longer.
pub async fn whole(address: &Address, mut answer: Response<Incoming>, most: usize) -> Result<Vec<u8>, CallError> {
    let reading = async {
        let mut body = Vec::new();
        while let Some(frame) = answer.body_mut().frame().await {
            let frame = frame.map_err(|error| broken(address, &error))?;
            body.extend_from_slice(frame.data_ref().map(AsRef::as_ref).unwrap_or_default());
            if body.len() > most {
                return Err(CallError::TooLong(address.to_string()));
            }
        }
        Ok(body)
    };
    let silent = || CallError::Silent(address.to_string());
    tokio::time::timeout(ANSWER_PATIENCE, reading).await.map_err(|_| silent())?
}

async fn answer(address: &Address, request: Request<Bytes>) -> Result<Response<Incoming>, CallError> {
    let line = tokio::time::timeout(CONNECT_PATIENCE, connect(address)).await;
    let line = line.map_err(|_| CallError::Silent(address.to_string()))??;
    let handshake = http1::handshake::<_, Full<Bytes>>(TokioIo::new(line)).await;
    let (mut sender, connection) = handshake.map_err(|error| broken(address, &error))?;
    // It carries the answer's body, too, and ends when that is read or dropped.
    tokio::spawn(connection);
    sender.send_request(addressed(address, request)).await.map_err(|error| broken(address, &error))
}

/// The request with its full path and its host.
fn addressed(address: &Address, request: Request<Bytes>) -> Request<Full<Bytes>> {
    let (mut head, body) = request.into_parts();
    head.uri = address.path_of(&head.uri);
    head.headers.insert(header::HOST, address.host_header());
    Request::from_parts(head, Full::new(body))
}

/// What went wrong on an open line, in its own words: hyper tells the cause only to those who ask for it.
fn broken(address: &Address, error: &hyper::Error) -> CallError {
    let told = error.source().map_or_else(|| error.to_string(), ToString::to_string);
    CallError::Broken(address.to_string(), told)
}

/// A line to `address` for another protocol than HTTP.
///
/// # Errors
/// [`CallError`]; nothing was sent then.
pub(crate) async fn line(address: &Address) -> Result<Box<dyn Line>, CallError> {
    let silent = || CallError::Silent(address.to_string());
    tokio::time::timeout(CONNECT_PATIENCE, connect(address)).await.map_err(|_| silent())?
}

/// A line to the other end, encrypted or not.
pub(crate) trait Line: AsyncRead + AsyncWrite + Send + Unpin {}
impl<T: AsyncRead + AsyncWrite + Send + Unpin> Line for T {}

async fn connect(address: &Address) -> Result<Box<dyn Line>, CallError> {
    let unreachable = |error: io::Error| CallError::Unreachable(address.to_string(), error.to_string());
    let line = TcpStream::connect((address.host(), address.port())).await.map_err(unreachable)?;
    line.set_nodelay(true).map_err(unreachable)?;
    if !address.is_encrypted() {
        return Ok(Box::new(line));
    }
    let untrusted = |distrust: Distrust| CallError::Untrusted(address.to_string(), distrust);
    let name = ServerName::try_from(address.host().to_owned());
    let name = name.map_err(|error| untrusted(Distrust::Other(error.to_string())))?;
    let connector = TlsConnector::from(trust::tls().map_err(untrusted)?);
    let line = connector.connect(name, line).await.map_err(|error| match Distrust::of(&error) {
        Some(distrust) => untrusted(distrust),
        // A proxy that is being started again ends connections like this.
        None => CallError::Broken(address.to_string(), error.to_string()),
    })?;
    Ok(Box::new(line))
}

/// How long a connection may take to stand.
const CONNECT_PATIENCE: Duration = Duration::from_secs(10);
/// How long an answer may take: longer than a server of ours takes to give up.
const ANSWER_PATIENCE: Duration = Duration::from_secs(75);
