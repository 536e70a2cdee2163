//! The HTTP surface: conversations for browsers and programs, with the same decisions and cards as the terminal. It
//! parses requests into inputs, and shows states and events; everything in between is the driver's. Next: `routes` for
//! what can be asked, `guard` for who may ask, `view` for what is answered.

mod compressed;
mod doors;
mod frames;
mod guard;
mod host;
mod idempotency;
mod journal;
pub mod limits;
mod names;
mod problem;
mod routes;
mod serve;
mod sessions;
mod titles;
mod view;

use std::sync::Arc;

use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

pub use doors::behind_doors;
pub use guard::{Access, Digest, Roll, Token};
pub use host::{
    AssistantView, ColumnAtHandView, CommandView, Conclusions, Host, KnownAssistant, NotKept, ProofForm,
    TableAtHandView, TakesFiles,
};
pub use journal::Journal;
pub use names::HostName;
pub use serve::{answer, connections_max, serve};

/// How the server is to be run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Who may use it.
    pub access: Access,
    /// The names it is called by, besides those of this machine and the address a connection came to.
    pub names: Vec<HostName>,
    /// What is written down of each request.
    pub journal: Journal,
    /// Requests each person may send a second in the long run.
    pub requests_per_second: u32,
}

/// What all requests share.
struct App {
    host: Arc<dyn Host>,
    settings: Settings,
    sessions: sessions::Sessions,
    pace: guard::Pace,
    /// For those who bring no valid token, all together.
    strangers: guard::Pace,
    under_way: Arc<idempotency::UnderWay>,
    requests: Semaphore,
    streams: Arc<Semaphore>,
    frames: Arc<frames::Frames>,
    closing: CancellationToken,
    counts: routes::Counts,
    alongside: routes::Alongside,
}

impl App {
    fn new(host: Arc<dyn Host>, settings: Settings, closing: CancellationToken) -> Self {
        let per_second = f64::from(settings.requests_per_second);
        Self {
            host,
            settings,
            sessions: sessions::Sessions::default(),
            pace: guard::Pace::new(per_second * limits::REQUESTS_BURST_SECONDS, per_second),
            strangers: guard::Pace::new(limits::STRANGERS_BURST, limits::STRANGERS_PER_SECOND),
            under_way: Arc::default(),
            requests: Semaphore::new(limits::CONCURRENT_MAX),
            streams: Arc::new(Semaphore::new(limits::STREAMS_MAX)),
            frames: Arc::default(),
            closing,
            counts: routes::Counts::default(),
            alongside: routes::Alongside::default(),
        }
    }
}

/// The description of the API (OpenAPI 3.1), generated from the types that serve it.
#[must_use]
pub fn description() -> utoipa::openapi::OpenApi {
    titles::titled(routes::api().1)
}
