//! The one route table: method, path, who may, handler, documentation. It mounts the app,
//! feeds the authorisation matrix test and the OpenAPI document. There is no other way to mount.

use std::sync::{Arc, LazyLock};

use actix_web::{
    HttpResponse,
    http::Method,
    middleware::from_fn,
    web::{self, ServiceConfig},
};
use service::Mode;

pub use crate::endpoint::{Route, method_not_allowed};
use crate::{
    access::{Row, guard},
    http::{ApiError, sizes::BodyLimit},
};

static PRODUCTION: LazyLock<Vec<Route>> = LazyLock::new(crate::calls::routes);

static DEMO: LazyLock<Vec<Route>> = LazyLock::new(|| {
    let mut all = crate::calls::routes();
    all.extend(crate::simulators::routes());
    all
});

/// Every call of a program in this mode, the more particular path before the more general. Made once a process:
/// each row has the schemas of its bodies.
pub fn table(mode: Mode) -> &'static [Route] {
    match mode {
        Mode::Demo => &DEMO,
        Mode::Production => &PRODUCTION,
    }
}

/// Mounts the whole table.
pub fn mount(config: &mut ServiceConfig, table: &[Route]) {
    let mut paths: Vec<&'static str> = Vec::new();
    for route in table {
        if !paths.contains(&route.path) {
            paths.push(route.path);
        }
    }
    for path in paths {
        let here: Vec<&Route> = table.iter().filter(|r| r.path == path).collect();
        let allowed: Vec<&str> =
            here.iter().map(|r| if r.method == Method::GET { "GET, HEAD" } else { r.method.as_str() }).collect();
        let allowed = allowed.join(", ");
        let resource = here.iter().fold(web::resource(path), |resource, route| resource.route(guarded(route)));
        config.service(resource.default_service(web::to(move || {
            let allowed = allowed.clone();
            async move { Err::<HttpResponse, ApiError>(method_not_allowed(allowed)) }
        })));
    }
}

/// The call behind its guard.
fn guarded(route: &Route) -> actix_web::Route {
    let row = Arc::new(Row {
        pattern: route.path,
        access: route.access,
        limit: route.limit,
        body_limit: BodyLimit(route.body_limit),
        answers: route.contract.answers.clone(),
        codes: route.codes(),
    });
    (route.mount)().wrap(from_fn(move |req, next| guard(row.clone(), req, next)))
}

/// The policy table as text, one line a call: the golden file of the authorisation test.
pub fn print_policy(table: &[Route]) -> String {
    let mut lines: Vec<String> = table
        .iter()
        .map(|r| {
            let may: Vec<&str> =
                service::Role::ALL.into_iter().filter(|role| r.access.allows(*role)).map(service::Role::code).collect();
            let (relation, audit) = (r.relation.text(), r.audit.text());
            format!("{:<7}{:<50}{:<48}{:<38}{audit}", r.method.as_str(), r.path, may.join(" "), relation)
        })
        .collect();
    lines.sort_by_key(|l| l.split_whitespace().nth(1).map(str::to_owned));
    lines.push(String::new());
    lines.join("\n")
}
