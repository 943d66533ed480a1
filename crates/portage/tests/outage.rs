//! PostgreSQL is stopped under a running server: every route answers, none with a 500; it is
//! started again, and everything goes on by itself.

use std::time::{Duration, Instant};

use crate::support::{
    customer::{browser, session, sign_in, token},
    server::Site,
};
use futures_util::{StreamExt as _, stream};
use reqwest::{Method, header};
use serde_json::{Value, json};
use store::testing::Cluster;

const PASSWORD: &str = "portage-demo-2027";

/// Every call of the document, ids filled in.
fn calls(document: &Value) -> Vec<(Method, String)> {
    let mut all = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        let parts =
            path.split('/').map(|p| if p.starts_with('{') { "0190c000-0000-7000-8000-000000000000" } else { p });
        let path = parts.collect::<Vec<_>>().join("/");
        for method in ["get", "post", "put", "delete", "patch"] {
            if methods.get(method).is_some() {
                all.push((method.to_uppercase().parse().unwrap(), path.clone()));
            }
        }
    }
    all
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_route_answers_500_while_the_database_is_away() {
    let cluster = Cluster::new().unwrap();
    let (web, mut site) = (browser(), Site::new("2027-02-01T13:00:00Z").on_database(cluster.url("postgres")));
    site.start(&web).await;
    let cookies = session(&web, &site, "admin@portage.test", PASSWORD).await.unwrap();
    let access = token(&web, &site, &cookies).await.unwrap();
    let document: Value = web.get(site.url("/api/openapi.json")).send().await.unwrap().json().await.unwrap();
    let calls = calls(&document);
    assert!(calls.len() > 40, "{}", calls.len());

    cluster.stop().unwrap();
    let ask = |(method, path): (Method, String), known: bool| {
        let (web, url, access, cookies) = (web.clone(), site.url(&path), access.clone(), cookies.clone());
        async move {
            let began = Instant::now();
            let mut request =
                web.request(method.clone(), url).header("Idempotency-Key", "k").header(header::IF_MATCH, "\"1\"");
            if known {
                request = request.bearer_auth(access).header(header::COOKIE, cookies);
            }
            if method != Method::GET && method != Method::DELETE {
                request = request.json(&json!({}));
            }
            let answer = request.send().await.unwrap();
            let retry = answer.headers().contains_key(header::RETRY_AFTER);
            (format!("{method} {path}"), answer.status().as_u16(), retry, began.elapsed())
        }
    };
    let asked = calls.iter().flat_map(|call| [ask(call.clone(), false), ask(call.clone(), true)]);
    let answers: Vec<_> = stream::iter(asked).buffer_unordered(16).collect().await;
    let mut away = 0;
    for (call, status, retry, took) in answers {
        assert!(status < 500 || status == 503, "{call}: {status}");
        assert!(status != 503 || retry, "{call}: 503 without Retry-After");
        assert!(took < Duration::from_secs(15), "{call}: {took:?}");
        away += usize::from(status == 503);
    }
    assert!(away > 25, "only {away} answers were 503: the routes were not reached");
    // What signs people in, with requests that are in order.
    let form = json!({ "email": "customer@portage.test", "password": PASSWORD });
    let sign_in_answer = web.post(site.url("/identity/api/sign-in")).json(&form).send().await.unwrap();
    assert_eq!(sign_in_answer.status(), 503);
    let query = "response_type=code&client_id=portage-web&scope=openid&state=s&nonce=n&code_challenge_method=S256&prompt=none\
                 &code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&redirect_uri=";
    let callback = site.url("/callback").replace(':', "%3A").replace('/', "%2F");
    let authorize =
        web.get(site.url(&format!("/identity/authorize?{query}{callback}"))).header(header::COOKIE, &cookies);
    let authorize = authorize.send().await.unwrap();
    assert_eq!((authorize.status().as_u16(), authorize.headers().contains_key(header::RETRY_AFTER)), (503, true));
    for (path, form) in [
        ("/identity/token", "grant_type=refresh_token&client_id=portage-web&refresh_token=abc"),
        ("/identity/revoke", "client_id=portage-web&token=abc"),
    ] {
        let post =
            web.post(site.url(path)).header(header::CONTENT_TYPE, "application/x-www-form-urlencoded").body(form);
        let answer = post.send().await.unwrap();
        assert_eq!(
            (answer.status().as_u16(), answer.headers().contains_key(header::RETRY_AFTER)),
            (503, true),
            "{path}"
        );
    }
    assert_eq!(web.get(site.url("/healthz")).send().await.unwrap().status(), 200, "the process lives");

    cluster.start().unwrap();
    let began = Instant::now();
    while !web.get(site.url("/readyz")).send().await.unwrap().status().is_success() {
        assert!(began.elapsed() < Duration::from_secs(15), "the database is not found again");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    sign_in(&web, &site, "customer@portage.test", PASSWORD).await.unwrap();
    assert!(site.stop());
}
