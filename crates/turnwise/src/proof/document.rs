//! What a proof holds: a head, and the facts in an order in which inputs come first. Hashes are over the compact
//! JSON of these values in the order their members are declared here; `docs/proof.md` says it for people who write
//! their own checker. Next: `seal`, `check`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use turnwise_core::{
    AssistantName, Confidence, ConversationId, FactKind, FactName, FactValue, Mode, PersonId, Scope, SourceKind,
    SourceStamp, ToolName,
};

use turnwise_assistant::digest;

/// The format of these values; counts up with every change.
pub const FORMAT: &str = "turnwise-proof/1";

/// A proof.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proof {
    /// [`FORMAT`].
    pub format: String,
    /// What is proven, and by what it was found.
    pub head: Head,
    /// The hash of format and head; the first link of the chain.
    pub head_hash: String,
    /// The facts, inputs before what was derived from them.
    pub chain: Vec<Link>,
}

/// What is proven, and by what it was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// The program that wrote it.
    pub program: Version,
    /// The engine that ran the queries.
    pub engine: Version,
    /// The conversation it is from.
    pub conversation: ConversationId,
    /// The assistant that found it.
    pub assistant: AssistantName,
    /// The mode at the time of the export.
    pub mode: Mode,
    /// When it was written.
    pub exported_at: String,
    /// The facts that are proven; the others are their inputs.
    pub conclusions: Vec<FactName>,
}

/// A program and its version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Version {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// A fact as a link of the chain.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Link {
    /// The fact.
    pub fact: ProvenFact,
    /// The hash of the link before; of the head for the first.
    pub previous: String,
    /// The hash of `previous` and the fact.
    pub hash: String,
}

/// A fact with everything needed to find it again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProvenFact {
    /// Its name.
    pub name: FactName,
    /// What it is good for.
    pub kind: FactKind,
    /// How far it reaches.
    pub scope: Scope,
    /// Where it came from.
    pub source: SourceKind,
    /// How sure it is.
    pub confidence: Confidence,
    /// When it was found or said.
    pub resolved_at: String,
    /// What it is about, for a statement.
    pub about: Option<String>,
    /// The number of the message it was said in, for a statement.
    pub said_in_message: Option<u64>,
    /// What was found: the rows that were kept, or what was said.
    pub value: FactValue,
    /// What the person was told of it, for a conclusion.
    pub answer: Option<String>,
    /// How many rows there were in all.
    pub row_count: Option<u64>,
    /// The digest of all rows, also of those not kept.
    pub digest: Option<String>,
    /// The query or calculation as it is shown to people.
    pub query: Option<String>,
    /// What has to be done to find it again.
    pub work: Option<Work>,
    /// What it was derived from.
    pub inputs: Vec<InputLink>,
    /// What was read, as it was at that time.
    pub sources: Vec<SourceStamp>,
    /// What was taken for granted.
    pub assumptions: Vec<String>,
    /// Who let it be found.
    pub approval: Option<Approval>,
}

/// A step as it was run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Work {
    /// The assistant's tool.
    pub tool: ToolName,
    /// Its arguments: for a query its text, parameters and tables.
    pub arguments: BTreeMap<String, String>,
    /// The facts it read, in the order it read them.
    pub needs: Vec<FactName>,
}

/// An input by its name and the hash of its link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InputLink {
    /// Its name.
    pub name: FactName,
    /// Its link's hash; none when the log does not have the fact any more.
    pub hash: Option<String>,
}

/// The decision a fact rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Approval {
    /// Who decided.
    pub person: PersonId,
    /// The plan that was shown.
    pub plan: String,
    /// Its version.
    pub plan_version: u32,
    /// What the plan took for granted.
    pub assumptions: Vec<String>,
    /// The number of the message the decision was made in.
    pub message: Option<u64>,
}

impl Proof {
    /// Links `facts` to a proof; each names its inputs, and those stand before it.
    #[must_use]
    pub fn link(head: Head, facts: Vec<ProvenFact>) -> Self {
        let head_hash = head_hash(FORMAT, &head);
        let mut chain: Vec<Link> = Vec::with_capacity(facts.len());
        let mut hashes: BTreeMap<FactName, String> = BTreeMap::new();
        for mut fact in facts {
            for input in &mut fact.inputs {
                input.hash = hashes.get(&input.name).cloned();
            }
            let previous = chain.last().map_or_else(|| head_hash.clone(), |link| link.hash.clone());
            let hash = link_hash(&previous, &fact);
            hashes.insert(fact.name.clone(), hash.clone());
            chain.push(Link { fact, previous, hash });
        }
        Self { format: FORMAT.to_owned(), head, head_hash, chain }
    }

    /// The facts in the order of the chain.
    pub fn facts(&self) -> impl DoubleEndedIterator<Item = &ProvenFact> {
        self.chain.iter().map(|link| &link.fact)
    }

    /// The fact of this name.
    #[must_use]
    pub fn fact(&self, name: &FactName) -> Option<&ProvenFact> {
        self.facts().find(|fact| fact.name == *name)
    }
}

impl ProvenFact {
    /// Its value in one line of at most `width` characters.
    #[must_use]
    pub fn in_short(&self, width: usize) -> String {
        let text = match &self.value {
            FactValue::Text(said) => said.clone(),
            FactValue::Table(table) => match table.scalar() {
                Some(cell) => cell.to_string(),
                None => format!("{} rows × {} columns", table.total_rows, table.columns.len()),
            },
        };
        turnwise_core::text::clip(&text, width)
    }
}

/// The hash of format and head.
#[must_use]
pub fn head_hash(format: &str, head: &Head) -> String {
    digest::of_bytes(format!("{format}\n{}", compact(head)).as_bytes())
}

/// The hash of a fact behind `previous`.
#[must_use]
pub fn link_hash(previous: &str, fact: &ProvenFact) -> String {
    digest::of_bytes(format!("{previous}\n{}", compact(fact)).as_bytes())
}

#[expect(clippy::expect_used, reason = "these values have text keys and finite numbers only")]
pub(super) fn compact<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("BUG: a proof is made of values JSON has")
}
