//! Artefacts: files that runs wrote, and charts. What a file is called comes from the log of the conversation, never
//! from the request, so that no request can name another file; and what is handed out has the digest that was recorded
//! when it was written, so that no link can ever give something else. Next: `proofs`.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::Path as FilePath;
use std::sync::Arc;

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use serde::{Deserialize, Serialize};
use turnwise_core::{
    Card, Conversation, EffectClass, Event, Fact, FactName, FactValue, Ground, Plan, Presentation, RunEvent, RunId,
    StepId, WrittenFile,
};
use utoipa::ToSchema;

use super::super::guard::Caller;
use super::super::problem::{Problem, Refusal};
use super::super::view::IdView;
use super::super::{App, limits};
use super::parameters::Named;
use super::{Asked, Path, conversation};
use crate::channel::keeping;
use crate::driver::{Recorded, Session};
use turnwise_assistant::digest;

/// A file that a run wrote.
#[derive(Debug, Serialize, ToSchema)]
pub struct ArtefactView {
    /// Its number among those of the conversation, from 1.
    pub number: usize,
    /// The file's name.
    pub name: String,
    /// Whether it can still be had.
    pub state: FileState,
    /// Its length; absent when it cannot be had any more.
    pub bytes: Option<u64>,
    /// The SHA-256 of its content when it was written, after `sha256:`; absent where nobody recorded it.
    pub fingerprint: Option<String>,
    /// The run that wrote it last.
    pub run: IdView,
    /// The step that did.
    pub step: u32,
    /// What the step was to do.
    pub description: String,
}

/// Whether a file can still be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FileState {
    /// It is what the run wrote.
    Kept,
    /// It holds something else by now.
    Changed,
    /// It is not there any more.
    Gone,
    /// Nobody recorded what was written, so nobody can tell whether it is that.
    Unrecorded,
}

/// How a chart is drawn.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Drawing {
    #[serde(default)]
    format: FormatName,
    #[serde(default)]
    theme: ThemeName,
    #[serde(default)]
    said: Option<u64>,
}

/// The forms of a picture.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FormatName {
    /// Vectors; text stays text.
    #[default]
    Svg,
    /// Pixels.
    Png,
}

/// The grounds a picture is made for.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ThemeName {
    /// As the viewer has it, where the form can tell; else light.
    #[default]
    Auto,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

struct Written {
    /// As the plan calls it.
    file: String,
    /// As the step left it; older logs do not say.
    left: Option<WrittenFile>,
    run: RunId,
    step: StepId,
    description: String,
}

/// The files that the runs of a conversation wrote, in the order in which they were first written.
#[utoipa::path(
    get, path = "/v1/conversations/{id}/artefacts", tag = "knowledge", operation_id = "list_artefacts",
    params(Named),
    responses((status = 200, body = Vec<ArtefactView>), Refusal)
)]
pub(super) async fn artefacts(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
) -> Result<Json<Vec<ArtefactView>>, Problem> {
    let session = conversation(&app, &caller, &id).await?;
    let written = written(&session).await?;
    let places: Vec<_> = written.iter().map(|file| app.host.file(session.id(), &file.file)).collect();
    let looking = tokio::task::spawn_blocking(move || {
        let files = (1..).zip(written.into_iter().zip(places));
        files.map(|(number, (file, place))| file.view(number, place.as_deref())).collect()
    });
    Ok(Json(looking.await.map_err(|_| broken("the list of files"))?))
}

/// One of these files, as the run wrote it. Refused when it holds something else by now, or is not there any more.
#[utoipa::path(
    get, path = "/v1/conversations/{id}/artefacts/{number}", tag = "knowledge", operation_id = "get_artefact",
    params(
        Named,
        ("number" = usize, Path, minimum = 1, description = "The file's number in the list")
    ),
    responses((status = 200, content_type = "application/octet-stream", body = String), Refusal)
)]
pub(super) async fn artefact(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path((id, number)): Path<(String, usize)>,
) -> Result<Response, Problem> {
    let session = conversation(&app, &caller, &id).await?;
    let mut written = written(&session).await?;
    let at = number.checked_sub(1).filter(|at| *at < written.len()).ok_or_else(|| Problem::not_found("artefact"))?;
    let file = written.swap_remove(at);
    let (name, place) = (file.name(), app.host.file(session.id(), &file.file));
    let reading = tokio::task::spawn_blocking(move || file.read(place.as_deref()));
    let bytes = reading.await.map_err(|_| broken("the file"))??;
    let headers = [
        (header::CONTENT_TYPE, "application/octet-stream".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{}\"", quotable(&name))),
    ];
    Ok((headers, bytes).into_response())
}

/// A fact's rows, drawn: as they are now, or as they were shown.
#[utoipa::path(
    get, path = "/v1/conversations/{id}/facts/{name}/chart", tag = "knowledge", operation_id = "draw_fact",
    params(
        Named,
        ("name" = String, Path, description = "The fact"),
        ("format" = Option<FormatName>, Query, description = "`svg` if left out"),
        ("theme" = Option<ThemeName>, Query, description = "`auto` if left out"),
        ("said" = Option<u64>, Query, description = "Draw what the event of this number showed; the fact as it is now if left out")
    ),
    responses((status = 200, content((String = "image/svg+xml"), (String = "image/png"))), Refusal)
)]
pub(super) async fn chart(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path((id, name)): Path<(String, String)>,
    Asked(drawing): Asked<Drawing>,
) -> Result<Response, Problem> {
    let session = conversation(&app, &caller, &id).await?;
    let state = session.conversation();
    let (fact, planned) = match drawing.said {
        Some(said) => shown(&session, said, &name).await?,
        None => held(&state, name)?,
    };
    let FactValue::Table(table) = &fact.body.value else {
        return Err(Problem::unprocessable("nothing_to_draw", "this fact is a text", "ask for one that has rows"));
    };
    let kind = turnwise_chart::answering(table, planned);
    let drawn = turnwise_chart::chart(table, kind, &keeping::title(&state, &fact));
    let drawn = drawn.map_err(|error| {
        Problem::unprocessable("nothing_to_draw", error.to_string(), "ask for rows with labels and figures")
    })?;
    let (format, kind) = match drawing.format {
        FormatName::Svg => (turnwise_chart::Format::Svg, "image/svg+xml"),
        FormatName::Png => (turnwise_chart::Format::Png, "image/png"),
    };
    let ground = drawing.theme.into();
    let draw = tokio::task::spawn_blocking(move || turnwise_chart::drawn(&drawn, format, ground));
    let (bytes, _) = draw.await.ok().and_then(Result::ok).ok_or_else(|| broken("the chart"))?;
    let headers = [(header::CONTENT_TYPE, kind), (header::CONTENT_SECURITY_POLICY, ALONE)];
    Ok((headers, bytes).into_response())
}

/// The fact as it is held now, and how its plan wants it looked at.
pub(super) fn held(state: &Conversation, name: String) -> Result<(Arc<Fact>, Presentation), Problem> {
    let fact = state.facts().get(&FactName::new(name)).cloned().ok_or_else(|| Problem::not_found("fact"))?;
    let plan = state.plan().filter(|plan| plan.draft().result == *fact.name());
    let planned = match &fact.body.value {
        FactValue::Table(table) => {
            let planned = plan.map_or(Presentation::Table, |plan| plan.draft().presentation);
            turnwise_chart::natural(table, planned).presentation()
        }
        FactValue::Text(_) => Presentation::Table,
    };
    Ok((fact, planned))
}

/// The fact as the event `said` showed it: a later value of the same name is another picture.
pub(super) async fn shown(session: &Session, said: u64, name: &str) -> Result<(Arc<Fact>, Presentation), Problem> {
    let history = session.history().await?;
    let found = history.iter().find(|recorded| recorded.sequence.number() == said);
    match found.map(|recorded| &recorded.event) {
        Some(Event::Said { card: Some(Card::Result { answer, fact: Some(fact), .. }), .. })
            if fact.name().as_str() == name =>
        {
            Ok((Arc::clone(fact), answer.presentation))
        }
        _ => Err(Problem::not_found("result in this event")),
    }
}

/// What a file of ours may do when a browser opens it by itself: be looked at.
pub(super) const ALONE: &str = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'";

/// The argument by which steps say which file they write.
const FILE: &str = "file";

async fn written(session: &Session) -> Result<Vec<Written>, Problem> {
    let mut plans: BTreeMap<RunId, Arc<Plan>> = BTreeMap::new();
    let mut files: Vec<Written> = Vec::new();
    for Recorded { event, .. } in session.history().await? {
        match event {
            Event::Run(RunEvent::Approved { run, plan, .. }) => {
                plans.insert(run, plan);
            }
            Event::Run(RunEvent::StepCompleted { run, step, facts, .. }) => {
                let Some(mut file) = plans.get(&run).and_then(|plan| Written::by(plan, run, step)) else { continue };
                file.left = facts.iter().find_map(|fact| fact.body.written.clone());
                match files.iter_mut().find(|other| other.file == file.file) {
                    Some(other) => *other = file,
                    None => files.push(file),
                }
            }
            _ => {}
        }
    }
    Ok(files)
}

impl Written {
    fn by(plan: &Plan, run: RunId, step: StepId) -> Option<Self> {
        let done = plan.step(step).filter(|step| step.effect != EffectClass::Pure)?;
        let file = done.arguments.get(FILE)?.clone();
        Some(Self { file, left: None, run, step, description: done.description.clone() })
    }

    fn name(&self) -> String {
        FilePath::new(&self.file).file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    fn view(self, number: usize, place: Option<&FilePath>) -> ArtefactView {
        let state = match (&self.left, place) {
            (None, _) => FileState::Unrecorded,
            (Some(_), None) => FileState::Gone,
            (Some(left), Some(place)) => left_as(left, place),
        };
        let bytes = self.left.as_ref().filter(|_| state == FileState::Kept).map(|left| left.bytes);
        ArtefactView {
            number,
            name: self.name(),
            state,
            bytes,
            run: IdView::of(self.run),
            step: self.step.number(),
            description: self.description,
            fingerprint: self.left.map(|left| left.fingerprint),
        }
    }

    /// The very bytes that were recorded, or why they cannot be had.
    fn read(&self, place: Option<&FilePath>) -> Result<Vec<u8>, Problem> {
        let Some(left) = &self.left else { return Err(self.unrecorded()) };
        if left.bytes > limits::ARTEFACT_BYTES_MAX {
            let hint = "fetch it from the machine the server runs on";
            return Err(Problem::unprocessable("too_large_to_send", "the file is too large to be sent", hint));
        }
        let place = place.filter(|place| place.is_file()).ok_or_else(|| self.gone())?;
        let file = std::fs::File::open(place).map_err(|_| self.gone())?;
        let mut bytes = Vec::new();
        file.take(left.bytes + 1).read_to_end(&mut bytes).map_err(|_| self.gone())?;
        if digest::of_bytes(&bytes) != left.fingerprint {
            return Err(self.changed());
        }
        Ok(bytes)
    }

    fn changed(&self) -> Problem {
        let told = format!("“{}” holds something else by now than what this run wrote", self.name());
        Problem::conflict("file_changed", told, "ask for the result again, and save it anew")
    }

    fn gone(&self) -> Problem {
        let told = format!("“{}” is not there any more", self.name());
        Problem::new(StatusCode::GONE, "file_gone", told, "ask for the result again, and save it anew")
    }

    fn unrecorded(&self) -> Problem {
        let told = format!(
            "nobody recorded what “{}” held when it was written, so nobody can tell whether it still is that",
            self.name()
        );
        Problem::new(StatusCode::GONE, "file_unrecorded", told, "ask for the result again, and save it anew")
    }
}

/// Whether the file at `place` still is what a step left.
fn left_as(left: &WrittenFile, place: &FilePath) -> FileState {
    let there = std::fs::File::open(place).ok().filter(|_| place.is_file());
    let Some(file) = there else { return FileState::Gone };
    // One that is longer is another one; more of it need not be read to know.
    match digest::of_reader(file.take(left.bytes + 1)) {
        Ok(fingerprint) if fingerprint == left.fingerprint => FileState::Kept,
        Ok(_) => FileState::Changed,
        Err(_) => FileState::Gone,
    }
}

/// A name that can stand between quotation marks in a header.
pub(super) fn quotable(name: &str) -> String {
    let fits = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '-' | '_' | ' ');
    name.chars().map(|letter| if fits(letter) { letter } else { '_' }).collect()
}

pub(super) fn broken(what: &str) -> Problem {
    let told = format!("{what} cannot be made ready");
    Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "defect", told, "please report this")
}

impl From<ThemeName> for Ground {
    fn from(theme: ThemeName) -> Self {
        match theme {
            ThemeName::Auto => Self::AsViewed,
            ThemeName::Light => Self::Light,
            ThemeName::Dark => Self::Dark,
        }
    }
}
