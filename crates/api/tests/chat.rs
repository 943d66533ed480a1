//! The demo's stand-in for a chat service.

use crate::support::{Options, TestApp, people::GUEST, requests::Answer};
use serde_json::json;
use service::Mode;

async fn say(app: &TestApp, visitor: &str, text: &str) -> Answer {
    let form = [("visitor", visitor), ("content", text), ("lang", "fr")];
    Answer::of(app.http.post(app.path("/simulators/chatwoot/messages")).form(&form).send().await.unwrap()).await
}

#[actix_web::test]
async fn what_a_visitor_writes_is_what_support_sees() {
    let app = TestApp::with(Options { people: &[], ..Options::default() }).await;
    let script = app.get(GUEST, "/simulators/chatwoot/packs/js/sdk.js").await.expect(200);
    assert!(script.header("content-type").starts_with("text/javascript") && script.text.contains("chatwoot:ready"));
    let empty = app.get(GUEST, "/simulators/chatwoot?lang=fr").await.expect(200);
    assert!(empty.text.contains("Aucune conversation"), "{}", empty.text);
    let window = app.get(GUEST, "/simulators/chatwoot/widget?visitor=abc123&lang=fr").await.expect(200);
    assert!(window.text.contains("Bonjour! Comment pouvons-nous"), "{}", window.text);
    // The form needs no script, and the page runs none.
    let policy = window.header("content-security-policy");
    assert!(policy.contains("form-action 'self'") && !policy.contains("script-src"), "{policy}");
    let told = say(&app, "abc123", "<b>Un piano</b>\n& une harpe").await.expect(302);
    assert_eq!(told.header("location"), "/simulators/chatwoot/widget?visitor=abc123&lang=fr");
    let known = json!({ "visitor": "abc123", "attributes": { "booking_type": "residential", "price": 459.9 } });
    app.post(GUEST, "/simulators/chatwoot/contact", &known).await.expect(204);
    let window = app.get(GUEST, told.header("location")).await.expect(200);
    assert!(window.text.contains("Merci. Dans cette démo"), "it is answered: {}", window.text);
    let desk = app.get(GUEST, "/simulators/chatwoot").await.expect(200);
    for part in ["&lt;b&gt;Un piano&lt;/b&gt;\n&amp; une harpe", "<code>price</code></dt><dd>459.9</dd>", "residential"]
    {
        assert!(desk.text.contains(part), "{part}: {}", desk.text);
    }
    // Somebody else's window is empty.
    let other = app.get(GUEST, "/simulators/chatwoot/widget?visitor=zzz").await.expect(200);
    assert!(!other.text.contains("piano"));
    // Nothing that is not a name gets into a page or an address.
    for visitor in ["", "a b", "../x", "\"><script>", &"a".repeat(65)] {
        let refused = say(&app, visitor, "x").await;
        assert_eq!((refused.status, refused.code()), (400, "malformed_request"), "{visitor}");
    }
    say(&app, "abc123", &"x".repeat(5000)).await.expect(302);
    assert!(!app.get(GUEST, "/simulators/chatwoot").await.text.contains(&"x".repeat(1001)));
}

#[actix_web::test]
async fn production_has_no_stand_in() {
    let app = TestApp::with(Options { mode: Mode::Production, people: &[], ..Options::default() }).await;
    let refused = app.get(GUEST, "/simulators/chatwoot/packs/js/sdk.js").await;
    assert_eq!((refused.status, refused.code()), (404, "not_found"));
}
