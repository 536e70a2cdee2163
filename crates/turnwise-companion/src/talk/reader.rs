//! Reading: what `classify` makes of a message, as the engine's own acts. The one thing added is what only the
//! conversation knows: whether a question about a project is open, whose answer a message then is. Next: `draft`.

use turnwise_core::later::put_off;
use turnwise_core::selected::Behaviour;
use turnwise_core::{
    Act, Bearing, Confidence, ConversationId, MessageReading, ModeWish, PlanKind, PointEdit, PointSort, QueryKind,
    ReadContext, Reader, Reading, Reply, Tier, text as plain_text,
};
use turnwise_intent::behaviour::companion::{
    Does, GENERAL, Mood, acknowledges, all_but, begins_an_order, begun_plainly, beyond, confirms, correction,
    declares_done, group_label, intent, is_small_talk, knowledge_text, leaves_setup, mood, new_name, only_praises,
    passes, saves_what_was_said, steps_back, taken_topic, takes_it_back, takes_leave, without_lead, without_sounds,
};
use turnwise_intent::classify::{Classification, Context, classify};
use turnwise_intent::{ActName, IntentReader, Label};

use super::brief;
use super::several::SEVERAL;
use crate::store::{Around, Store};

/// The label of an answer to an open question about a project.
pub(super) const ANSWER_SETUP: &str = "answer_setup";

/// The label of what leaves the questions about a project for later.
pub(super) const LEAVE_SETUP: &str = "leave_setup";

/// The label of what begins a project.
pub(super) const CREATE_PROJECT: &str = "create_project";

/// The label of what is told.
pub(super) const KNOWLEDGE: &str = "add_knowledge";

/// The label of what completes a setup.
pub(super) const FINALIZE: &str = "finalize_project";

/// The label of a question how things stand.
const PROGRESS: &str = "ask_about_progress";

/// What is not taken for an order because somebody only asks: these begin with what can be asked as well, and take
/// nothing away.
const ASKABLE: [&str; 3] = [CREATE_PROJECT, "choose_project", "add_knowledge"];

/// The profile's reader, in one conversation.
pub(super) struct CompanionReader {
    reader: IntentReader,
    store: Store,
    conversation: Option<ConversationId>,
}

impl CompanionReader {
    pub(super) fn new(reader: IntentReader, store: Store) -> Self {
        Self { reader, store, conversation: None }
    }

    pub(super) fn of_conversation(&self, conversation: &ConversationId) -> Self {
        Self { reader: self.reader.clone(), store: self.store.clone(), conversation: Some(conversation.clone()) }
    }

    /// What the store knows around a message. Where it cannot be read, the message is read by its words alone; what is
    /// done about it then meets the same trouble and tells it.
    fn around(&self) -> Around {
        let around = self.conversation.as_ref().map(|conversation| self.store.around(conversation, ANSWER_SETUP));
        around.and_then(Result::ok).unwrap_or_default()
    }

    /// How `text` reads.
    pub(super) fn classified(&self, text: &str, context: &ReadContext) -> Classification {
        let _waits = self.store.attended();
        let (hint, text) = hinted(text);
        let around = self.around();
        let context = Context {
            phase: context.phase,
            mode: context.mode,
            plan: context.has_plan,
            result: context.has_result,
            grounding: context.grounding.clone(),
            artifact_exists: around.artefact_exists,
            intent_hint: hint.map(str::to_owned),
            ..Context::default()
        };
        let is_plain = hint.is_none() && !text.starts_with('/');
        if is_plain && self.parts(text, &around, &context).is_some() {
            let found = classify(&self.reader, text, &context);
            let (intent, reason) = (SEVERAL.to_owned(), "it asks for several things".to_owned());
            let (tier, behaviour) = (Tier::Rule, Behaviour::QuickAction);
            return Classification { intent, reason, confidence: 1.0, tier, behaviour, ..found };
        }
        let mut found = match is_plain {
            true => self.read_alone(text, &around, &context),
            false => classify(&self.reader, text, &context),
        };
        if hint.is_none() && around.is_asking && leaves_setup(text) {
            LEAVE_SETUP.clone_into(&mut found.intent);
            found.confidence = 1.0;
            found.behaviour = Behaviour::QuickAction;
            "it leaves the open question about the project".clone_into(&mut found.reason);
        } else if hint.is_none() && self.agrees_to_the_setup(text, &around) {
            FINALIZE.clone_into(&mut found.intent);
            found.confidence = 1.0;
            found.behaviour = Behaviour::Plan;
            "it says that the setup is right".clone_into(&mut found.reason);
        } else if hint.is_none() && is_setup_answer(&around, text, &found) {
            ANSWER_SETUP.clone_into(&mut found.intent);
            found.confidence = 1.0;
            "it answers the open question about the project".clone_into(&mut found.reason);
        }
        found
    }

    /// How a piece of a message reads by itself, whatever is asked.
    pub(super) fn read_alone(&self, text: &str, around: &Around, context: &Context) -> Classification {
        self.as_an_order(classify(&self.reader, text, context), text, around, context)
    }

    /// The requests of a message that asks for several things here.
    pub(super) fn parts_here(&self, text: &str) -> Option<Vec<String>> {
        let around = self.around();
        let context = Context { artifact_exists: around.artefact_exists, ..Context::default() };
        self.parts(text, &around, &context)
    }

    /// What was found, where it is an order at all: what is forbidden or only asked changes nothing, whatever it is
    /// about, and a setup is done where somebody says so.
    fn as_an_order(&self, found: Classification, text: &str, around: &Around, context: &Context) -> Classification {
        let read = |label: &str, reason: &str| read_as(&found, label, reason);
        let mood = mood(text);
        if let Some(order) = all_but(text).filter(|_| mood == Mood::Plain) {
            let label = if order.does == Does::Saves { "save_notes" } else { "take_back" };
            let ordered = read(label, "it names all notes but some");
            return Classification { behaviour: Behaviour::QuickAction, ..ordered };
        }
        if let Some(meant) = self.by_mood(&found, mood, context) {
            return meant;
        }
        if found.intent == FINALIZE && found.tier == Tier::Exemplar && !declares_done(text) {
            return read(PROGRESS, "it does not say that the setup is done");
        }
        if found.intent == PROGRESS && found.tier == Tier::Exemplar && tells_how_it_goes(text) {
            return Classification {
                behaviour: Behaviour::QuickAction,
                ..read(KNOWLEDGE, "it tells how things stand")
            };
        }
        if around.is_asking && steps_back(text) {
            return Classification { behaviour: Behaviour::QuickAction, ..read("undo", "it goes one question back") };
        }
        // “yes, but call it Harbour” asks for what it would ask for without the yes.
        let rest = without_lead(text);
        if around.is_setting_up && !self.by_rule(&found) && rest != text {
            let order = classify(&self.reader, rest, context);
            if self.by_rule(&order) && order.intent != "add_knowledge" {
                return order;
            }
        }
        found
    }

    /// What an order comes to that is forbidden, only asked about, or not for now; none where it is to be done.
    fn by_mood(&self, found: &Classification, mood: Mood, context: &Context) -> Option<Classification> {
        match mood {
            Mood::Forbidden(rest) => {
                let order = classify(&self.reader, &rest, context);
                let is_order = self.by_rule(&order) && order.intent != "add_knowledge";
                let is_meant = is_order || found.tier == Tier::Exemplar && self.takes_effect(found);
                is_meant.then(|| read_as(found, GENERAL.label, "it says what is not to be done"))
            }
            // “can I save my notes?” asks for it; whether something can be undone is only asked.
            Mood::Asked if self.takes_effect(found) && (!self.by_rule(found) || takes_away(found)) => {
                let label = if found.intent == FINALIZE { PROGRESS } else { GENERAL.label };
                Some(read_as(found, label, "it only asks about it"))
            }
            // What hangs on something, or is for later, is not done now.
            Mood::PutOff(rest) => {
                let order = classify(&self.reader, &rest, context);
                let is_order = |of: &Classification| self.by_rule(of) && is_plain_order(of, &rest);
                let is_meant = begins_an_order(&rest) && (is_order(&order) || is_order(found));
                is_meant.then(|| read_as(found, GENERAL.label, "it is not to be done now"))
            }
            Mood::Asked | Mood::Plain => None,
        }
    }

    /// Whether it is an order that a rule read.
    fn by_rule(&self, found: &Classification) -> bool {
        found.tier != Tier::Exemplar && self.changes(&found.intent)
    }

    /// Whether what was found would change something that a question does not ask for.
    fn takes_effect(&self, found: &Classification) -> bool {
        let is_askable = ASKABLE.contains(&found.intent.as_str());
        self.changes(&found.intent) && !is_askable && found.behaviour != Behaviour::Command
    }

    /// Whether a message agrees to what was summed up: right after it in any words of agreement, and later, while
    /// nothing else was talked of, in words that say that it is right.
    fn agrees_to_the_setup(&self, text: &str, around: &Around) -> bool {
        let right_after = around.is_summed_up && !saves_what_was_said(text) && self.says_it_is_right(text);
        let is_clear = || plain_text::words(text).iter().any(|word| OF_A_LOOK.contains(&word.as_str()));
        right_after || around.is_ready && confirms(text) && is_clear()
    }

    /// Whether a message says that what was summed up is right: in these words, or as a yes to a question would be.
    fn says_it_is_right(&self, text: &str) -> bool {
        let asked =
            ReadContext { phase: turnwise_core::Phase::AwaitingApproval, has_plan: true, ..ReadContext::default() };
        confirms(text) || self.reader.reply(text, &asked) == Reply::Approve && !only_praises(text)
    }

    /// Whether what reads as `label` changes something.
    pub(super) fn changes(&self, label: &str) -> bool {
        matches!(self.act(label), Act::PlanNew(_))
    }

    fn act(&self, label: &str) -> Act {
        if label == SEVERAL {
            return Act::PlanNew(PlanKind::Plain);
        }
        let meaning = self.reader.profile().labels.get(&Label::primary(label));
        match meaning.map(|meaning| &meaning.act) {
            Some(ActName::Fixed(act)) => act.clone(),
            Some(ActName::SwitchMode) | None => Act::Query(QueryKind::Plain),
        }
    }
}

/// Whether a message tells how something goes, and does not ask: “the project is going well”.
fn tells_how_it_goes(text: &str) -> bool {
    let words = plain_text::words(text);
    let begins =
        words.first().is_some_and(|first| ["the", "our", "my", "it", "everything", "we"].contains(&first.as_str()));
    let tells = words.iter().any(|word| ["is", "are", "was", "has", "have", "goes", "went"].contains(&word.as_str()));
    begins && tells && !text.trim_end().ends_with('?')
}

/// Whether it is an order that carries no words of the person's own: in a note, a name or a topic “if” and “tomorrow”
/// may stand as well.
fn is_plain_order(found: &Classification, text: &str) -> bool {
    match found.intent.as_str() {
        "save_notes" | "take_back" => taken_topic(text).is_none(),
        "rename_project" => new_name(text).is_some_and(|name| put_off(&name).is_none()),
        "group_notes" | "ungroup_notes" => group_label(text).is_none_or(|label| put_off(&label).is_none()),
        "undo"
        | FINALIZE
        | "leave_project"
        | "invite_person"
        | "withdraw_invitation"
        | "join_project"
        | "decline_invitation"
        | "export_project"
        | "choose_project" => true,
        _ => false,
    }
}

/// What was found, read as `label` instead.
fn read_as(found: &Classification, label: &str, reason: &str) -> Classification {
    Classification {
        intent: label.to_owned(),
        reason: reason.to_owned(),
        confidence: 1.0,
        tier: Tier::Rule,
        behaviour: Behaviour::Answer,
        ..found.clone()
    }
}

/// Whether it takes something away, or ends something.
fn takes_away(found: &Classification) -> bool {
    ["undo", "take_back", FINALIZE, "leave_project"].contains(&found.intent.as_str())
}

/// Words of somebody who looked at something.
const OF_A_LOOK: [&str; 5] = ["looks", "seems", "sounds", "correct", "good"];

/// Whether the words name a document: “approve the draft”, “the specification is fine”.
fn names_a_document(text: &str) -> bool {
    plain_text::words(text).iter().any(|word| DOCUMENTS.contains(&word.as_str()))
}

/// Documents that can be approved.
const DOCUMENTS: [&str; 10] = [
    "draft",
    "drafts",
    "document",
    "documents",
    "specification",
    "specifications",
    "spec",
    "report",
    "version",
    "text",
];

/// What a message is said to mean, by whoever sends it, and its words: `/as add_knowledge The soil is clay` (CP-02).
fn hinted(text: &str) -> (Option<&str>, &str) {
    let split = text.strip_prefix(AS).and_then(|rest| rest.trim_start().split_once(char::is_whitespace));
    match split {
        Some((label, words)) if intent(label).is_some() => (Some(label), words.trim_start()),
        Some(_) | None => (None, text),
    }
}

/// The command behind which the intent of a message stands.
const AS: &str = "/as ";

/// Whether a message answers what was asked about a project. A question, and what plainly asks for something else, does
/// not; a statement does, though it would be a note anywhere else.
fn is_setup_answer(around: &Around, text: &str, found: &Classification) -> bool {
    if around.is_setting_up && brief::names_a_part(text) {
        return true;
    }
    let is_command = found.behaviour == Behaviour::Command || text.starts_with('/');
    // Who only makes a sound of thinking has not answered yet.
    let says_nothing = knowledge_text(text).is_empty() || ((is_small_talk(text) || takes_leave(text)) && !passes(text));
    if !around.is_asking || is_command || says_nothing || beyond(text).is_some() || text.trim_end().ends_with('?') {
        return false;
    }
    match found.intent.as_str() {
        CREATE_PROJECT => begun_plainly(text).is_none(),
        "add_knowledge" => knowledge_text(text).len() + FRAME_LETTERS > without_sounds(text).trim().len(),
        // What is not done here yet is no order that could be meant in the place of an answer.
        "general_conversation" | "request_draft" | "approve_draft" | "request_revision" | "request_redirect" => true,
        _ => found.tier == Tier::Exemplar,
    }
}

impl Reader for CompanionReader {
    fn read(&self, text: &str, context: &ReadContext) -> MessageReading {
        let words = text.trim();
        let hint = hinted(words);
        let plain =
            (words.is_empty() || (words.starts_with('/') && hint.0.is_none())).then(|| self.reader.read(text, context));
        if let Some(plain) = plain.filter(is_for_the_engine) {
            return plain;
        }
        let found = self.classified(words, context);
        if intent(&found.intent).is_none() && found.intent != SEVERAL || found.behaviour == Behaviour::Command {
            return self.reader.read(text, context);
        }
        let argument = found.target.clone().filter(|_| words.starts_with('/'));
        let segment = match words.strip_prefix('/') {
            Some(_) if hint.0.is_none() => argument.unwrap_or_default(),
            Some(_) | None => hint.1.to_owned(),
        };
        let act = match self.act(&found.intent) {
            // Small talk is answered like a question, in the companion's own words.
            Act::Query(QueryKind::Remark) => Act::Query(QueryKind::Plain),
            act => act,
        };
        let (confidence, nearest) = (Confidence::new(found.confidence), found.nearest);
        let certain = Reading::certain(segment, found.intent, act, found.tier, found.reason);
        MessageReading::single(Reading { confidence, nearest, margin: found.margin, ..certain })
    }

    fn reply(&self, text: &str, context: &ReadContext) -> Reply {
        let reply = self.reader.reply(text, context);
        // With nothing to decide on, what somebody does not want done is no word about a plan.
        if context.phase == turnwise_core::Phase::Idle && matches!(mood(text), Mood::Forbidden(_)) {
            return Reply::Other;
        }
        // With nothing to decide on, what corrects or takes back speaks of what was told, and what is beyond this is
        // said.
        let is_idle = context.phase == turnwise_core::Phase::Idle;
        let is_of_what_was_told = takes_it_back(text) || correction(text).is_some();
        if is_idle && (beyond(text).is_some() || is_of_what_was_told && !self.around().is_asking) {
            return Reply::Other;
        }
        // What waits for a yes here is never a draft; whoever approves one means something else.
        let consents = matches!(reply, Reply::Approve | Reply::ApproveWithNote { .. });
        if consents && names_a_document(text) {
            return Reply::Other;
        }
        // Whoever undoes something while they are asked means what they are asked about, and nothing done before.
        if context.phase == turnwise_core::Phase::AwaitingApproval
            && reply == Reply::Other
            && self.classified(text.trim(), context).intent == "undo"
        {
            return Reply::Reject;
        }
        // What cannot be undone is asked about, and who likes it has not said yes.
        if consents && only_praises(text) && context.phase != turnwise_core::Phase::Idle {
            return Reply::Likely;
        }
        // With nothing to decide on, a yes or no that answers a question about a project is that answer, and what reads
        // as a request is one.
        let decides = matches!(reply, Reply::Approve | Reply::ApproveWithNote { .. } | Reply::Reject);
        if decides && context.phase == turnwise_core::Phase::Idle {
            let found = self.classified(text.trim(), context);
            if found.intent != GENERAL.label && intent(&found.intent).is_some() {
                return Reply::Other;
            }
            // Praise decides nothing here, and neither does a yes to a question about a project.
            if acknowledges(text) || self.around().is_asking {
                return Reply::Other;
            }
        }
        reply
    }

    fn mode_wished(&self, task: &str) -> Option<ModeWish> {
        self.reader.mode_wished(task)
    }

    /// What changes something is a request of its own, whatever was asked.
    fn bearing(&self, text: &str, context: &ReadContext) -> Bearing {
        let found = self.classified(text.trim(), context);
        let asks = self.act(&found.intent) == Act::PlanNew(PlanKind::Plain) && found.tier != Tier::Exemplar;
        Bearing { asks, ..self.reader.bearing(text, context) }
    }

    fn point(&self, text: &str) -> PointSort {
        self.reader.point(text)
    }

    fn point_edit(&self, text: &str) -> Option<PointEdit> {
        self.reader.point_edit(text)
    }

    fn settles(&self, text: &str) -> Option<String> {
        self.reader.settles(text)
    }

    fn asks_for_fix(&self, text: &str) -> bool {
        self.reader.asks_for_fix(text)
    }
}

/// Whether a command is one of the engine's own, like `/help`, or none at all.
fn is_for_the_engine(read: &MessageReading) -> bool {
    match read {
        MessageReading::Understood { requests, .. } => {
            requests.first().is_some_and(|first| matches!(first.act, Act::Control(_)))
        }
        _ => true,
    }
}

/// A frame around something to keep ("remember that") has at least this many letters; full stops have fewer.
const FRAME_LETTERS: usize = 4;

#[cfg(test)]
mod tests {
    use turnwise_core::PersonId;

    use super::super::weeks::World;
    use super::*;

    #[test]
    fn what_is_asked_takes_nothing_away_and_what_is_asked_for_is_done() {
        let (mut world, talk, ada) = (World::new(), ConversationId::new("ada-1"), PersonId::new("ada"));
        let mut say = |said: &str| world.say(&talk, &ada, said);
        for said in ["start a new project called Harbor", "a guide", "cancel", "The gate is red"] {
            say(said);
        }
        for said in ["can I undo?", "may I delete note 1?", "don't save note 1", "never delete note 1"] {
            let told = say(said);
            assert!(!told.contains("Taken back") && !told.contains("Saved"), "{said}: {told}");
        }
        assert_eq!(say("can I save my notes?"), "Saved in Harbor: note 1.");
    }

    #[test]
    fn what_is_told_with_a_word_of_leave_in_it_is_kept_and_a_goodbye_is_returned() {
        let (mut world, talk, ada) = (World::new(), ConversationId::new("ada-1"), PersonId::new("ada"));
        let mut say = |said: &str| world.say(&talk, &ada, said);
        for said in ["start a new project called Harbor", "a guide", "cancel"] {
            say(said);
        }
        for said in ["remember that the motto is good night", "I am leaving home at 8 for the dentist"] {
            let told = say(said);
            assert!(told.starts_with("I kept that as note"), "{said}: {told}");
        }
        assert_eq!(say("thanks a lot for the help, good night"), "Until next time.");
    }

    #[test]
    fn what_begins_like_a_correction_and_is_none_is_kept_whole() {
        let (mut world, talk, ada) = (World::new(), ConversationId::new("ada-1"), PersonId::new("ada"));
        let mut say = |said: &str| world.say(&talk, &ada, said);
        for said in ["start a new project called Harbor", "a guide", "cancel", "hold on to the receipts for the tax"] {
            say(said);
        }
        let told = say("Wait until the glue is dry");
        assert!(told.starts_with("I kept that as note 2 of Harbor: “Wait until the glue is dry”."), "{told}");
        let told = say("hang on to the old door");
        assert!(told.starts_with("I kept that as note 3 of Harbor: “hang on to the old door”."), "{told}");
        for said in ["hang on a sec", "hold on, let me think"] {
            let told = say(said);
            assert!(!told.contains("kept that"), "{said}: {told}");
        }
    }
}
