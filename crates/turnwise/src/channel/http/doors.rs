//! Doors: routes of another surface, behind what lets people into this one. Pages of other origins and names that were
//! made to point here are refused, and whoever comes in is a person: the token's, or whoever sits at this machine.
//! Next: `guard`.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};

use super::guard::{Access, foreign};
use super::names::HostName;

/// Who may come in, and by which names the server is called besides those of this machine and the address a connection
/// came to.
#[derive(Debug)]
struct Doors {
    access: Access,
    names: Vec<HostName>,
}

/// The `routes` behind doors. Each request that comes through bears its [`turnwise_core::PersonId`] as an extension.
pub fn behind_doors(routes: Router, access: Access, names: Vec<HostName>) -> Router {
    routes.layer(middleware::from_fn_with_state(Arc::new(Doors { access, names }), let_in))
}

async fn let_in(State(doors): State<Arc<Doors>>, mut request: Request, next: Next) -> Response {
    if let Some((code, hint)) = foreign(&doors.names, &request) {
        return (StatusCode::FORBIDDEN, format!("{code}: {hint}\n")).into_response();
    }
    let Some(person) = doors.access.person(request.headers()) else {
        let told = "no valid token was sent: send `Authorization: Bearer TOKEN`\n";
        return (StatusCode::UNAUTHORIZED, [(header::WWW_AUTHENTICATE, "Bearer")], told).into_response();
    };
    request.extensions_mut().insert(person);
    next.run(request).await
}
