//! `--otlp-endpoint` and the variables of OpenTelemetry: whether what conversations spend their time on is recorded,
//! and where it goes. Next: `telemetry`.

use clap::Args;
use tokio::task::JoinHandle;

use crate::outgoing::{Address, NoAddress};
use crate::telemetry::{Settings, Telemetry};

/// The option of all commands that hold conversations.
#[derive(Clone, Debug, Default, Args)]
pub struct TraceArguments {
    /// Send OpenTelemetry spans to this collector (OTLP over HTTP, as http://127.0.0.1:4318)
    ///
    /// Otherwise OTEL_EXPORTER_OTLP_ENDPOINT and the other variables of OpenTelemetry say so. What people say and what
    /// stands in data is in no span unless OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT is true.
    #[arg(long, value_name = "URL", value_parser = endpoint, help_heading = "Watching")]
    pub otlp_endpoint: Option<String>,
}

fn endpoint(text: &str) -> Result<String, NoAddress> {
    text.parse().map(|_: Address| text.to_owned())
}

/// Where spans go. Must be called within a runtime. A variable that cannot be followed is told; it is meant for many
/// programs, and what cannot be recorded must not keep this one from working.
pub fn start(arguments: &TraceArguments) -> Telemetry {
    match Settings::of(arguments.otlp_endpoint.as_deref(), |name| std::env::var(name).ok()) {
        Ok(settings) => settings.map_or_else(Telemetry::default, Telemetry::start),
        Err(wrong) => {
            eprintln!("No spans are recorded: {wrong}.");
            Telemetry::default()
        }
    }
}

/// Says at the end of a command what went wrong with sending, if anything did.
pub fn tell_trouble(telemetry: &Telemetry) {
    let trouble = telemetry.trouble().and_then(|trouble| trouble.borrow().clone());
    if let Some(trouble) = trouble {
        eprintln!("{}", told(&trouble, telemetry));
    }
}

/// Says it as soon as it does; for commands that go on.
pub async fn watch_trouble(telemetry: Telemetry) {
    let Some(mut trouble) = telemetry.trouble() else { return };
    let Ok(first) = trouble.wait_for(Option::is_some).await.map(|trouble| trouble.clone()) else { return };
    if let Some(first) = first {
        eprintln!("{}", told(&first, &telemetry));
    }
}

/// Lets `telling`, which watches for trouble, say what came up at the very end.
pub async fn tell_rest(telemetry: &Telemetry, telling: JoinHandle<()>) {
    if telemetry.trouble().is_some_and(|trouble| trouble.borrow().is_some()) {
        let _ = telling.await;
    }
}

fn told(trouble: &str, telemetry: &Telemetry) -> String {
    let dropped = telemetry.counts().map_or(0, |counts| counts.dropped);
    format!("Spans are lost ({dropped} so far): {trouble}. Nothing else is affected.")
}
