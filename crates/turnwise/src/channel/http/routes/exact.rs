//! What the macros cannot say about parameters: one that may be left out is not one that may be null, for there is no
//! null in a header or a query. Next: `mod`.

use utoipa::openapi::path::{Operation, Parameter};
use utoipa::openapi::schema::{Schema, SchemaType, Type};
use utoipa::openapi::{OpenApi, PathItem, RefOr};

/// The same description, in which no parameter may be null.
pub(super) fn exact(mut api: OpenApi) -> OpenApi {
    for operation in api.paths.paths.values_mut().flat_map(operations) {
        for parameter in operation.parameters.iter_mut().flatten() {
            if let RefOr::T(parameter) = parameter {
                settle(parameter);
            }
        }
    }
    api
}

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
