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
    endpoint::Relation,
    http::{ApiError, sizes::BodyLimit},
};

static OWN: LazyLock<Vec<Route>> = LazyLock::new(crate::calls::routes);

/// Rows that whoever starts the server adds to ours, and the data that their handlers reach.
#[derive(Clone)]
pub struct Extra {
    rows: &'static [Route],
    data: Arc<dyn Fn(&mut ServiceConfig) + Send + Sync>,
}

impl Extra {
    /// Rows whose handlers take `web::Data<T>`.
    pub fn new<T: Send + Sync + 'static>(rows: &'static [Route], data: T) -> Extra {
        let data = web::Data::new(data);
        let put = move |config: &mut ServiceConfig| {
            config.app_data(data.clone());
        };
        Extra { rows, data: Arc::new(put) }
    }
}

/// Our own rows, the more particular path before the more general: all of production. Made once a process: each row has
/// the schemas of its bodies.
pub fn own() -> &'static [Route] {
    &OWN
}

/// Every row that a program in this mode mounts: our own, then the added ones. Production mounts none that is the demo's.
pub fn table(mode: Mode, extra: &'static [Route]) -> Vec<&'static Route> {
    let added = extra.iter().filter(|r| mode == Mode::Demo || r.relation != Relation::Demo);
    own().iter().chain(added).collect()
}

/// Mounts our own rows and the added ones, with the data of these.
pub fn mount_all(config: &mut ServiceConfig, mode: Mode, extra: &Extra) {
    (extra.data)(config);
    mount(config, &table(mode, extra.rows));
}

/// Mounts a table.
fn mount(config: &mut ServiceConfig, table: &[&Route]) {
    let mut paths: Vec<&'static str> = Vec::new();
    for route in table {
        if !paths.contains(&route.path) {
            paths.push(route.path);
        }
    }
    for path in paths {
        let here: Vec<&Route> = table.iter().copied().filter(|r| r.path == path).collect();
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
