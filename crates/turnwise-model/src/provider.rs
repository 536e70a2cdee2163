//! Real models: those of providers and of servers on this machine, each by one attempt and no more. The crate `genai`
//! knows their protocols; what is decided here is whom a request may reach, with which key, and what each way of
//! failing is called. Next: `failing` for the last.

mod failing;

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use futures_util::StreamExt as _;
use genai::adapter::AdapterKind;
use genai::chat::{
    ChatMessage, ChatOptions, ChatRequest, ChatStreamEvent, JsonSpec, StopReason, StreamEnd, Usage as Counted,
};
use genai::resolver::{AuthData, Endpoint};
use genai::{ModelIden, ServiceTarget};
use reqwest::Url;
use serde_json::json;
use tokio_rustls::rustls::{ClientConfig, RootCertStore, crypto::ring};
use tokio_util::sync::CancellationToken;

use crate::key::{Key, Keys};
use crate::name::{Place, address};
use crate::{Answer, Finish, Model, ModelError, ModelName, Recorded, Request, Role, Schema, Scripted, Usage};

/// The model that `name` names, with the keys of `keys`. Nothing is sent yet.
///
/// # Errors
/// When the name means nothing, a key is missing or would go unprotected, or a script cannot be read.
pub fn open(name: &ModelName, keys: &Keys) -> Result<Arc<dyn Model>, ModelError> {
    Ok(match name.place()? {
        Place::Recorded(folder) => Arc::new(Recorded::replaying(folder)),
        Place::Scripted(file) => Arc::new(Scripted::from_file(&file)?),
        place => Arc::new(Provider::new(name, place, keys)?),
    })
}

/// The same with a person's own key, which goes to the provider that `name` names and to nobody else. A server that
/// anybody can name an address of is none: a request sent there would be sent by whoever runs this program.
///
/// # Errors
/// As for [`open`], and where `name` names no provider with an address of its own.
pub fn open_with(name: &ModelName, key: &Key) -> Result<Arc<dyn Model>, ModelError> {
    let variable = match name.place()? {
        Place::OpenAi(_) => "OPENAI_API_KEY",
        Place::Anthropic(_) => "ANTHROPIC_API_KEY",
        Place::Gemini(_) => "GEMINI_API_KEY",
        Place::Ollama(_) | Place::Compatible { .. } | Place::Recorded(_) | Place::Scripted(_) => {
            let told = "a key of one's own is for a model of openai:, anthropic: or gemini:".to_owned();
            return Err(ModelError::Unnamed { name: name.to_string(), told });
        }
    };
    open(name, &Keys::from_environment().with(variable, key))
}

/// A model at an address.
struct Provider {
    name: ModelName,
    client: genai::Client,
    target: ServiceTarget,
    key: Option<Key>,
    form: Form,
    /// Whether the model takes a temperature; those that think first do not.
    tempered: bool,
}

/// How a schema is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// In the provider's own dialect, into which `genai` brings it.
    Dialect,
    /// As it is: servers that turn a schema into a grammar take more of the standard, and keep what is optional so.
    AsIs,
}

/// Where a model is and how it is spoken to.
struct Reach {
    kind: AdapterKind,
    url: Url,
    model: String,
    key: Option<Key>,
    form: Form,
}

impl Provider {
    fn new(name: &ModelName, place: Place, keys: &Keys) -> Result<Self, ModelError> {
        let reach = Reach::of(name, place, keys)?;
        // A key over plain http is for everybody on the way; to this machine there is no way.
        if reach.key.is_some() && reach.url.scheme() == "http" && !is_here(&reach.url) {
            let host = reach.url.host_str().unwrap_or_default().to_owned();
            return Err(ModelError::KeyInClear { model: name.clone(), host });
        }
        let client = genai::Client::builder().with_reqwest(client(name, &reach.url)?).build();
        let client = client.map_err(|error| ModelError::Defect { told: error.to_string() })?;
        // Servers without keys want the header all the same, with anything in it.
        let auth = AuthData::from_single(reach.key.as_ref().map_or("none", Key::reveal));
        let thinks = ["o1", "o3", "o4", "gpt-5", "gpt-6"].iter().any(|prefix| reach.model.starts_with(prefix));
        let tempered = !(thinks && reach.kind == AdapterKind::OpenAI && reach.form == Form::Dialect);
        let target = ServiceTarget {
            endpoint: Endpoint::from_owned(reach.url.as_str()),
            auth,
            model: ModelIden::new(reach.kind, reach.model),
        };
        Ok(Self { name: name.clone(), client, target, key: reach.key, form: reach.form, tempered })
    }

    fn options(&self, request: &Request) -> ChatOptions {
        let mut options = ChatOptions::default()
            .with_capture_usage(true)
            .with_max_tokens(request.tokens_max)
            .with_stop_sequences(request.stop.clone());
        if self.tempered {
            options = options.with_temperature(request.temperature);
        }
        let Some(schema) = request.schema.as_ref().map(Schema::as_json) else { return options };
        let name: String = request.task.as_str().chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
        match self.form {
            Form::Dialect => options.with_response_format(JsonSpec::new(name, schema.clone())),
            Form::AsIs => {
                let wanted = json!({"name": name, "strict": true, "schema": schema});
                let format = json!({"type": "json_schema", "json_schema": wanted});
                options.with_extra_body(json!({ "response_format": format }))
            }
        }
    }

    /// One attempt.
    async fn attempt(
        &self,
        request: &Request,
        part: &mut (dyn for<'a> FnMut(&'a str) + Send),
    ) -> Result<Answer, ModelError> {
        let messages = request.messages.iter().map(|message| match message.role {
            Role::System => ChatMessage::system(message.text.as_str()),
            Role::User => ChatMessage::user(message.text.as_str()),
            Role::Assistant => ChatMessage::assistant(message.text.as_str()),
        });
        let messages = ChatRequest::from_messages(messages.collect());
        let options = self.options(request);
        let failed = |error, received| failing::of(&self.name, self.key.as_ref(), error, received);
        let sent = self.client.exec_chat_stream(self.target.clone(), messages, Some(&options)).await;
        let mut stream = sent.map_err(|error| failed(error, 0))?.stream;
        let (mut text, mut heard) = (String::new(), false);
        while let Some(event) = stream.next().await {
            match event.map_err(|error| failed(error, text.len()))? {
                ChatStreamEvent::Chunk(chunk) => {
                    text.push_str(&chunk.content);
                    part(&chunk.content);
                    heard = true;
                }
                ChatStreamEvent::End(end) => return Ok(self.answer(request, text, &end)),
                ChatStreamEvent::ReasoningChunk(_)
                | ChatStreamEvent::ThoughtSignatureChunk(_)
                | ChatStreamEvent::ToolCallChunk(_)
                | ChatStreamEvent::Heartbeat => heard = true,
                ChatStreamEvent::Start => {}
            }
        }
        let model = self.name.clone();
        Err(match heard {
            true => ModelError::CutOff { model, bytes: text.len(), told: "the stream ended early".to_owned() },
            false => ModelError::Unreadable { model, told: "nothing of a stream of events came".to_owned() },
        })
    }

    fn answer(&self, request: &Request, text: String, end: &StreamEnd) -> Answer {
        let finish = match end.captured_stop_reason {
            Some(StopReason::MaxTokens(_)) => Finish::Length,
            Some(StopReason::ContentFilter(_)) => Finish::Refused,
            Some(StopReason::Other(ref reason)) if reason == "refusal" => Finish::Refused,
            Some(
                StopReason::Completed(_) | StopReason::StopSequence(_) | StopReason::ToolCall(_) | StopReason::Other(_),
            )
            | None => Finish::Complete,
        };
        let usage = counted(end.captured_usage.as_ref());
        let usage = usage.unwrap_or_else(|| Usage::estimate(request.bytes(), text.len()));
        Answer { model: self.name.clone(), text, finish, usage, attempts: 1 }
    }
}

#[async_trait]
impl Model for Provider {
    fn name(&self) -> &ModelName {
        &self.name
    }

    async fn stream(
        &self,
        request: &Request,
        part: &mut (dyn for<'a> FnMut(&'a str) + Send),
        cancelled: &CancellationToken,
    ) -> Result<Answer, ModelError> {
        tokio::select! {
            biased;
            () = cancelled.cancelled() => Err(ModelError::Cancelled { model: self.name.clone() }),
            answer = self.attempt(request, part) => answer,
        }
    }
}

impl Reach {
    fn of(name: &ModelName, place: Place, keys: &Keys) -> Result<Self, ModelError> {
        // The address: what a variable says in place of the provider's own.
        let at = |variable: &str, own: &str| {
            let text = keys.address(variable).unwrap_or(own);
            let told = |told| ModelError::Unnamed { name: name.to_string(), told: format!("{variable}: {told}") };
            address(text).map_err(told)
        };
        let known = |kind, key: &str, variable: &str, own: &str, model| {
            let key = Some(keys.needed(key, name)?);
            Ok(Self { kind, url: at(variable, own)?, model, key, form: Form::Dialect })
        };
        match place {
            Place::OpenAi(model) => {
                let own = "https://api.openai.com/v1/";
                known(AdapterKind::OpenAI, "OPENAI_API_KEY", "OPENAI_BASE_URL", own, model)
            }
            Place::Anthropic(model) => {
                let own = "https://api.anthropic.com/v1/";
                known(AdapterKind::Anthropic, "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", own, model)
            }
            Place::Gemini(model) => {
                let own = "https://generativelanguage.googleapis.com/v1beta/";
                known(AdapterKind::Gemini, "GEMINI_API_KEY", "GOOGLE_GEMINI_BASE_URL", own, model)
            }
            Place::Ollama(model) => {
                // Ollama's own protocol takes no schema through `genai`; the one it shares with OpenAI does.
                let host = keys.address("OLLAMA_HOST").unwrap_or("http://127.0.0.1:11434");
                let host = if host.contains("://") { host.to_owned() } else { format!("http://{host}") };
                let told = |told| ModelError::Unnamed { name: name.to_string(), told: format!("OLLAMA_HOST: {told}") };
                let url = address(&format!("{}/v1/", host.trim_end_matches('/'))).map_err(told)?;
                Ok(Self { kind: AdapterKind::OpenAI, url, model, key: keys.key("OLLAMA_API_KEY")?, form: Form::AsIs })
            }
            Place::Compatible { url, model } => {
                // A key of OpenAI's is not for whoever speaks its protocol.
                let key = keys.key("OPENAI_COMPATIBLE_API_KEY")?;
                Ok(Self { kind: AdapterKind::OpenAI, url, model, key, form: Form::AsIs })
            }
            Place::Recorded(_) | Place::Scripted(_) => {
                Err(ModelError::Defect { told: format!("{name} is at no address") })
            }
        }
    }
}

impl fmt::Debug for Provider {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Provider").field("name", &self.name).field("key", &self.key).finish_non_exhaustive()
    }
}

/// Whether an address is on this machine.
fn is_here(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// A client for one address. It follows no redirection, which could carry a key elsewhere.
fn client(name: &ModelName, url: &Url) -> Result<reqwest::Client, ModelError> {
    let mut roots = RootCertStore::empty();
    if url.scheme() == "https" {
        let (known, _) = roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        if known == 0 {
            let told = "this system has no certificates to check the server by".to_owned();
            return Err(ModelError::Unreachable { model: name.clone(), told });
        }
    }
    let defect = |told: String| ModelError::Defect { told };
    let tls = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| defect(error.to_string()))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    let builder = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).tls_backend_preconfigured(tls);
    let builder = if is_here(url) { builder.no_proxy() } else { builder };
    builder.build().map_err(|error| defect(error.to_string()))
}

/// The tokens a provider counted, if it did.
fn counted(usage: Option<&Counted>) -> Option<Usage> {
    let usage = usage?;
    let tokens = |count: Option<i32>| u32::try_from(count?).ok();
    let (input_tokens, output_tokens) = (tokens(usage.prompt_tokens)?, tokens(usage.completion_tokens)?);
    Some(Usage { input_tokens, output_tokens, estimated: false })
}
