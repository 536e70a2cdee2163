//! What the macros cannot say: a parameter that may be left out is not one that may be null, for there is no null in a
//! header or a query; and who may call is the same for all. Next: `mod`.

use utoipa::openapi::path::{Operation, Parameter};
use utoipa::openapi::schema::{Schema, SchemaType, Type};
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{OpenApi, PathItem, Ref, RefOr};

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
            if let RefOr::T(told) = std::mem::replace(response, RefOr::Ref(Ref::from_response_name(*name))) {
                shared.push(((*name).to_owned(), RefOr::T(told)));
            }
        }
    }
    let components = api.components.get_or_insert_default();
    components.responses.extend(shared);
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
