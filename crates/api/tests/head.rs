//! HEAD: what GET answers, without the body; for monitors and load balancers.

use crate::support::{
    TestApp,
    people::{ADMIN, CUSTOMER, GUEST, MATE, OPS, PARTNER},
    table,
};
use reqwest::Method;
use service::Mode;

#[actix_web::test]
async fn head_answers_as_get_without_the_body() {
    let app = TestApp::new().await;
    for (path, kind) in [
        ("/healthz", "application/json"),
        ("/readyz", "application/json"),
        ("/api/openapi.json", "application/json"),
        ("/api/docs", "text/html; charset=utf-8"),
        ("/simulators/mailbox", "text/html; charset=utf-8"),
    ] {
        let (get, head) =
            (app.get(GUEST, path).await.expect(200), app.send(GUEST, Method::HEAD, path, None).await.expect(200));
        assert!(!get.text.is_empty() && head.text.is_empty(), "{path}");
        assert_eq!((get.header("content-type"), head.header("content-type")), (kind, kind), "{path}");
        assert_eq!(head.header("content-length"), get.text.len().to_string(), "{path}");
        assert_eq!(head.header("cache-control"), get.header("cache-control"), "{path}");
    }
}

/// Whoever may not look may not probe either.
#[actix_web::test]
async fn head_is_judged_like_get() {
    let app = TestApp::new().await;
    let made = app.book(CUSTOMER).await;
    let id = made["id"].as_str().unwrap();
    let mut seen = 0;
    for route in table(Mode::Production).iter().filter(|r| r.method == "GET") {
        let path = route.path.replace("{id}", id);
        for who in [GUEST, CUSTOMER, MATE, PARTNER, OPS, ADMIN] {
            let (get, head) = (app.get(who, &path).await, app.send(who, Method::HEAD, &path, None).await);
            assert_eq!((head.status, head.text.as_str()), (get.status, ""), "{who} {path}");
            assert_eq!(head.header("content-type"), get.header("content-type"), "{who} {path}");
            assert_eq!(head.header("www-authenticate"), get.header("www-authenticate"), "{who} {path}");
            seen += 1;
        }
    }
    assert!(seen > 100, "{seen}");
}

#[actix_web::test]
async fn head_is_offered_where_get_is_and_nowhere_else() {
    let app = TestApp::new().await;
    let allowed = async |method: Method, path: &str| {
        let a = app.send(CUSTOMER, method, path, None).await.expect(405);
        a.header("allow").to_owned()
    };
    assert_eq!(allowed(Method::HEAD, "/api/booking/estimate").await, "POST");
    assert_eq!(allowed(Method::DELETE, "/api/profiles/").await, "GET, HEAD, PUT");
    assert_eq!(allowed(Method::POST, "/healthz").await, "GET, HEAD");
    assert_eq!(allowed(Method::HEAD, "/api/holds/01900000-0000-7000-8000-000000000000").await, "DELETE");
}
