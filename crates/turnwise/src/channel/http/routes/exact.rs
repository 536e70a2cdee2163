//! What the macros cannot say: a parameter that may be left out is not one that may be null, for there is no null in a
//! header or a query; and who may call is the same for all. Next: `mod`.

use std::collections::BTreeMap;

use utoipa::PartialSchema as _;
use utoipa::openapi::path::{Operation, Parameter};
use utoipa::openapi::schema::{AllOf, Components, Object, OneOf, Schema, SchemaType, Type};
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{Content, OpenApi, PathItem, Ref, RefOr};

use crate::channel::http::problem::Problem;

/// The same description, in which no parameter may be null, and with how callers show who they are.
pub(super) fn exact(mut api: OpenApi) -> OpenApi {
    for operation in api.paths.paths.values_mut().flat_map(operations) {
        // The macros take a part of the path from the handler, too; the one that says what it is stays.
        let is_told = |parameter: &Parameter| parameter.description.is_some();
        let told: Vec<String> = operation
            .parameters
            .iter()
            .flatten()
            .filter_map(plain)
            .filter(|p| is_told(p))
            .map(|p| p.name.clone())
            .collect();
        if let Some(parameters) = &mut operation.parameters {
            parameters.retain(|parameter| plain(parameter).is_none_or(|p| is_told(p) || !told.contains(&p.name)));
        }
        describe(operation);
        for parameter in operation.parameters.iter_mut().flatten() {
            if let RefOr::T(parameter) = parameter {
                settle(parameter);
            }
        }
    }
    share(&mut api);
    spread(api.components.get_or_insert_default());
    let bearer = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .description(Some("A token that `turnwise token` made; a server without tokens needs none"))
        .build();
    api.components.get_or_insert_default().add_security_scheme(TOKEN, SecurityScheme::Http(bearer));
    let none = SecurityRequirement::default();
    api.security = Some(vec![SecurityRequirement::new(TOKEN, [""; 0]), none]);
    api
}

/// Any request may be refused in any of the ways: each is described once, and named by all.
fn share(api: &mut OpenApi) {
    let mut shared = Vec::new();
    for operation in api.paths.paths.values_mut().flat_map(operations) {
        for (status, response) in &mut operation.responses.responses {
            let Some((_, name)) = REFUSALS.iter().find(|(refused, _)| refused == status) else { continue };
            if let RefOr::T(mut told) = std::mem::replace(response, RefOr::Ref(Ref::from_response_name(*name))) {
                told.content.values_mut().for_each(tell_by_name);
                shared.push(((*name).to_owned(), RefOr::T(told)));
            }
        }
    }
    let components = api.components.get_or_insert_default();
    components.responses.extend(shared);
    components.schemas.insert(PROBLEM.to_owned(), Problem::schema());
}

fn tell_by_name(content: &mut RefOr<Content>) {
    if let RefOr::T(content) = content {
        content.schema = Some(RefOr::Ref(Ref::from_schema_name(PROBLEM)));
    }
}

/// What the description calls why something was refused.
const PROBLEM: &str = "Problem";

/// What is one of several and has parts that all of them have is written as several whole ones, and each of several has
/// a name: that is what makers of clients read.
fn spread(components: &mut Components) {
    let (all, mut spread) = (components.schemas.clone(), Vec::new());
    for (name, schema) in &mut components.schemas {
        if let RefOr::T(Schema::AllOf(parts)) = schema
            && let Some(whole) = whole_ones(parts, &all)
        {
            spread.extend(part_name(&parts.items));
            *schema = RefOr::T(Schema::OneOf(whole));
        }
        if let RefOr::T(Schema::OneOf(several)) = schema {
            several.items.iter_mut().for_each(|one| entitle(name, one));
        }
    }
    // Nothing else is one of them: the description is linted for what is named and not there.
    components.schemas.retain(|name, _| !spread.contains(name));
}

fn whole_ones(parts: &AllOf, all: &BTreeMap<String, RefOr<Schema>>) -> Option<OneOf> {
    let [RefOr::Ref(_), RefOr::T(Schema::Object(shared))] = parts.items.as_slice() else { return None };
    let RefOr::T(Schema::OneOf(several)) = all.get(&part_name(&parts.items)?)? else { return None };
    let mut whole = several.clone();
    whole.description.clone_from(&parts.description);
    for one in &mut whole.items {
        let RefOr::T(Schema::Object(one)) = one else { return None };
        one.required.extend(shared.required.iter().cloned());
        one.properties.extend(shared.properties.clone());
    }
    Some(whole)
}

/// The name of the part that stands elsewhere.
fn part_name(parts: &[RefOr<Schema>]) -> Option<String> {
    parts.iter().find_map(|part| match part {
        RefOr::Ref(part) => Some(part.ref_location.rsplit_once('/')?.1.to_owned()),
        RefOr::T(_) => None,
    })
}

/// Calls one of several by what it is one of and the word that tells it from the others.
fn entitle(name: &str, one: &mut RefOr<Schema>) {
    if let RefOr::T(Schema::Object(one)) = one
        && let Some(word) = word_of(one)
    {
        one.title = Some(format!("{name}_{word}"));
    }
}

/// The one word by which this is told from the others.
fn word_of(one: &Object) -> Option<&str> {
    one.properties.values().find_map(|property| match property {
        RefOr::T(Schema::Object(word)) => word.enum_values.as_deref()?.first()?.as_str(),
        RefOr::T(_) | RefOr::Ref(_) => None,
    })
}

/// The ways to be refused, by their names.
const REFUSALS: [(&str, &str); 12] = [
    ("400", "BadRequest"),
    ("401", "Unauthorized"),
    ("403", "Forbidden"),
    ("404", "NotFound"),
    ("408", "Timeout"),
    ("409", "Conflict"),
    ("410", "Gone"),
    ("413", "TooLarge"),
    ("415", "NotJson"),
    ("422", "Unprocessable"),
    ("429", "TooMany"),
    ("503", "Unavailable"),
];

fn plain(parameter: &RefOr<Parameter>) -> Option<&Parameter> {
    match parameter {
        RefOr::T(parameter) => Some(parameter),
        RefOr::Ref(_) => None,
    }
}

/// Says in words what a success is; what a refusal is stands where it is declared.
fn describe(operation: &mut Operation) {
    for (status, response) in &mut operation.responses.responses {
        let RefOr::T(response) = response else { continue };
        if response.description.is_empty() {
            response.description = match status.as_str() {
                "201" => "It is there now",
                "204" => "It is gone",
                _ => "What was asked for, or what became of what was sent",
            }
            .to_owned();
        }
    }
}

/// What the description calls a person's token.
const TOKEN: &str = "token";

fn operations(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    let all = [&mut item.get, &mut item.put, &mut item.post, &mut item.delete];
    all.into_iter().filter_map(Option::as_mut)
}

fn settle(parameter: &mut Parameter) {
    let Some(RefOr::T(Schema::Object(schema))) = &mut parameter.schema else { return };
    if let SchemaType::Array(types) = &mut schema.schema_type {
        types.retain(|kind| *kind != Type::Null);
        if let [only] = types.as_slice() {
            schema.schema_type = SchemaType::Type(only.clone());
        }
    }
}
