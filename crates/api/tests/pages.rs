//! Pages: the built app, the documents, the mailbox; and what operators look at.

use crate::support::{Options, TestApp, people::GUEST, requests::Answer};
use api::WebApp;
use serde_json::json;
use service::Mode;

fn built() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let file = folder.path().join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    };
    write(
        "index.html",
        "<!doctype html><html data-mode=\"{{mode}}\"><head><link rel=\"alternate\" hreflang=\"fr\" href=\"{{public_url}}/?lang=fr\" /><script nonce=\"{{csp_nonce}}\" src=\"/assets/app-1a2b.js\"></script></head></html>",
    );
    write("assets/app-1a2b.js", &"console.log('portage');".repeat(200));
    write("assets/app-1a2b.js.gz", "pretend this is compressed");
    write("favicon.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>");
    write(".secret", "no");
    folder
}

#[actix_web::test]
async fn the_built_app_is_served_with_a_nonce_of_its_own() {
    let folder = built();
    let app =
        TestApp::with(Options { apps: vec![WebApp::book(folder.path().to_path_buf())], ..Options::default() }).await;
    let mut nonces = Vec::new();
    for path in ["/", "/locations", "/profile/bookings/1", "/dashboard", "/callback?code=x"] {
        let a = app.get(GUEST, path).await.expect(200);
        assert!(
            a.header("content-type").starts_with("text/html") && a.header("cache-control").contains("no-store"),
            "{path}"
        );
        let nonce = a.text.split("nonce=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
        assert!(a.header("content-security-policy").contains(&format!("'nonce-{nonce}'")), "{path}");
        assert!(!a.header("content-security-policy").contains("unsafe-eval") && !a.text.contains("{{"), "{path}");
        assert!(a.text.contains("<html data-mode=\"demo\">"), "{path}");
        nonces.push(nonce);
    }
    nonces.sort();
    nonces.dedup();
    assert_eq!(nonces.len(), 5, "a nonce is used once");

    let asset = Answer::of(app.http.get(app.path("/assets/app-1a2b.js")).send().await.unwrap()).await.expect(200);
    assert!(asset.header("cache-control").contains("immutable") && asset.header("content-type").contains("javascript"));
    assert!(!asset.header("etag").is_empty());
    let packed =
        app.http.get(app.path("/assets/app-1a2b.js")).header("accept-encoding", "br, gzip").send().await.unwrap();
    assert_eq!(packed.headers()["content-encoding"], "gzip");
    assert!(packed.headers()["content-type"].to_str().unwrap().contains("javascript"));
    assert!(packed.headers().get("content-disposition").is_none(), "nothing here is to be saved as a file");
    let icon = app.get(GUEST, "/favicon.svg").await.expect(200);
    assert_eq!(icon.header("content-type"), "image/svg+xml");
    app.get(GUEST, "/assets/gone-9999.js").await.expect(404);
    for sneaky in ["/.secret", "/..%2f..%2fetc%2fpasswd", "/assets/..%2f.secret"] {
        let a = app.get(GUEST, sneaky).await;
        assert!(a.text.contains("app-1a2b.js") || a.status == 404, "{sneaky}: {}", a.text);
    }
    let head = app.http.head(app.path("/")).send().await.unwrap();
    assert_eq!(head.status(), 200);
}

#[actix_web::test]
async fn search_engines_are_told_what_a_page_is() {
    let (book, ops) = (built(), built());
    let apps = vec![WebApp::book(book.path().to_path_buf()), WebApp::ops(ops.path().to_path_buf())];
    let app = TestApp::with(Options { apps, ..Options::default() }).await;
    for (path, status, alternate) in [
        ("/", 200, Some("/")),
        ("/?utm_source=x", 200, Some("/")),
        ("/locations", 200, Some("/locations")),
        ("/locations/", 200, Some("/locations")),
        ("/schedule", 200, None),
        ("/profile/bookings/0192", 200, None),
        ("/pay/secret", 200, None),
        // A quote that there is none of.
        ("/saved/guess", 404, None),
        ("/saved/guess/?lang=fr", 404, None),
        ("/404", 404, None),
        ("/no-such-page", 404, None),
        ("/locations/no-such-page", 404, None),
        ("/profile/bookings/0192/no-such-page", 404, None),
        ("/dashboard/bookings", 200, None),
        ("/dashboard/no-such-page", 404, None),
    ] {
        let a = app.get(GUEST, path).await.expect(status);
        assert!(a.text.contains("app-1a2b.js"), "{path}: the app draws it");
        let shown =
            alternate.map(|to| format!("<link rel=\"alternate\" hreflang=\"fr\" href=\"{}{to}?lang=fr\" />", app.url));
        match shown {
            Some(link) => assert!(a.text.contains(&link) && a.header("x-robots-tag").is_empty(), "{path}: {}", a.text),
            None => {
                assert!(!a.text.contains("hreflang") && a.header("x-robots-tag") == "noindex", "{path}: {}", a.text)
            }
        }
    }
}

#[actix_web::test]
async fn each_app_is_served_under_its_own_path() {
    let (book, ops) = (built(), built());
    std::fs::write(
        ops.path().join("index.html"),
        "<title>Back office</title><script nonce=\"{{csp_nonce}}\"></script>",
    )
    .unwrap();
    std::fs::write(ops.path().join("assets/ops-9f.js"), "console.log('ops');").unwrap();
    std::fs::write(ops.path().join("sw.js"), "addEventListener('fetch', () => {});").unwrap();
    let apps = vec![WebApp::book(book.path().to_path_buf()), WebApp::ops(ops.path().to_path_buf())];
    let app = TestApp::with(Options { apps, ..Options::default() }).await;
    for path in ["/dashboard", "/dashboard/", "/dashboard/profile", "/dashboard/callback?code=x"] {
        let a = app.get(GUEST, path).await.expect(200);
        assert!(a.text.contains("Back office") && !a.text.contains("{{"), "{path}");
        assert!(a.header("cache-control").contains("no-store"), "{path}");
        assert!(a.header("content-security-policy").contains("'nonce-"), "{path}");
    }
    for (path, status) in [("/", 200), ("/dashboards", 404), ("/profile", 200)] {
        assert!(app.get(GUEST, path).await.expect(status).text.contains("app-1a2b.js"), "{path}");
    }
    let asset = app.get(GUEST, "/dashboard/assets/ops-9f.js").await.expect(200);
    assert!(asset.header("cache-control").contains("immutable"));
    app.get(GUEST, "/dashboard/assets/gone.js").await.expect(404);
    app.get(GUEST, "/assets/ops-9f.js").await.expect(404);
    // The worker below /dashboard may ask us and nobody else, and a new one is seen at once.
    let worker = app.get(GUEST, "/dashboard/sw.js").await.expect(200);
    assert!(worker.header("content-type").contains("javascript"), "{}", worker.header("content-type"));
    assert_eq!(worker.header("cache-control"), "no-cache");
    let policy = worker.header("content-security-policy");
    assert!(policy.contains("default-src 'none'; connect-src 'self';"), "{policy}");
}

#[actix_web::test]
async fn without_a_build_the_page_says_how_to_make_one() {
    let app = TestApp::new().await;
    let a = app.get(GUEST, "/?lang=fr").await.expect(503);
    assert!(a.text.contains("npm --prefix frontend run build") && a.text.contains("<html lang=\"fr\">"));
}

#[actix_web::test]
async fn the_documents_can_be_read() {
    let app = TestApp::new().await;
    let document = app.get(GUEST, "/api/openapi.json").await.expect(200);
    assert_eq!(document.text, api::openapi());
    let page = app.get(GUEST, "/api/docs?lang=zh").await.expect(200);
    assert!(
        page.text.contains("id=\"slot_gone\"")
            && page.text.contains("/api/booking/estimate")
            && page.text.contains("时间已不可用")
    );
    assert!(!page.text.contains("<script") && !page.text.contains("http://") || page.text.contains("no CDN"));
    assert!(page.header("content-security-policy").contains("default-src 'none'"));
    let style = app.get(GUEST, "/api/docs/style.css").await.expect(200);
    assert!(style.header("content-type").starts_with("text/css"));
}

#[actix_web::test]
async fn operators_see_health_and_figures() {
    let app = TestApp::new().await;
    assert_eq!(app.get(GUEST, "/healthz").await.expect(200).body["status"], "ok");
    app.get(GUEST, "/readyz").await.expect(200);
    app.get(GUEST, "/api/tax").await.expect(200);
    let m = app.get(GUEST, "/metrics").await.expect(200);
    assert!(m.text.contains("portage_http_requests_total{") && m.text.contains("route=\"/api/tax\""), "{}", m.text);
    for name in [
        "portage_http_request_duration_seconds_bucket",
        "portage_jobs_due",
        "portage_jobs_dead",
        "portage_jobs_oldest_due_seconds",
        "portage_mail_paused",
        "portage_build_info{version=",
    ] {
        assert!(m.text.contains(name), "{name}");
    }
    let spoken_for = app.http.get(app.path("/metrics")).header("x-forwarded-for", "203.0.113.1").send().await.unwrap();
    assert_eq!(spoken_for.status(), 404);
}

#[actix_web::test]
async fn the_mailbox_shows_what_was_sent() {
    let app = TestApp::new().await;
    let empty = app.get(GUEST, "/simulators/mailbox?lang=fr").await.expect(200);
    assert!(empty.text.contains("Boîte de réception"));
    let person = json!({ "email": "li@portage.test", "password": "a-long-enough-password", "firstName": "<b>Li</b>", "lastName": "Wang", "language": "zh", "acceptTerms": true });
    app.post(GUEST, "/identity/api/sign-up", &person).await.expect(201);
    app.run_jobs().await;
    let list = app.get(GUEST, "/simulators/mailbox").await.expect(200);
    assert!(list.text.contains("li@portage.test") && !list.text.contains("<b>Li</b>"), "{}", list.text);
    let id = list.text.split("/simulators/mailbox/").nth(1).unwrap().split('?').next().unwrap().to_owned();
    let one = app.get(GUEST, &format!("/simulators/mailbox/{id}")).await.expect(200);
    assert!(one.text.contains("sandbox=\"") && !one.text.contains("allow-scripts"));
    let body = app.get(GUEST, &format!("/simulators/mailbox/{id}/body")).await.expect(200);
    assert!(
        body.header("content-security-policy").starts_with("default-src 'none'") && !body.text.contains("<b>Li</b>")
    );
    app.get(GUEST, "/simulators/mailbox/nothing").await.expect(404);
    app.get(GUEST, "/simulators/mailbox/..%2F..%2Fetc").await.expect(404);
}

#[actix_web::test]
async fn production_has_no_stand_ins() {
    let folder = built();
    let apps = vec![WebApp::book(folder.path().to_path_buf())];
    let app = TestApp::with(Options { mode: Mode::Production, apps, ..Options::default() }).await;
    for path in [
        "/simulators/mailbox",
        "/simulators/braintree/transactions",
        "/simulators/mapbox/search/geocode/v6/forward?q=x",
    ] {
        app.get(GUEST, path).await.expect(404);
    }
    assert_eq!(app.get(GUEST, "/api/config").await.expect(200).body["mode"], "production");
    assert!(app.get(GUEST, "/").await.expect(200).text.contains("<html data-mode=\"production\">"));
}

#[actix_web::test]
async fn the_other_name_of_this_machine_leads_home() {
    let folder = built();
    let listener_free = Options { apps: vec![WebApp::book(folder.path().to_path_buf())], ..Options::default() };
    let app = TestApp::with(listener_free).await;
    let port = app.url.rsplit(':').next().unwrap();
    let away =
        app.http.get(app.path("/quote?lang=fr")).header("host", format!("localhost:{port}")).send().await.unwrap();
    assert_eq!(away.status(), 307);
    assert_eq!(away.headers()["location"].to_str().unwrap(), format!("{}/quote?lang=fr", app.url));
}
