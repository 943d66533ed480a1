//! What may be saved, and what may not.
#![allow(clippy::unwrap_used)]

use kernel::Language;
use serde_json::{Map, Value, json};

use super::{TemplateKey, check::check, without};
use crate::{Error, ErrorCode, mailing::catalogue, ports::templates::TemplateText};

fn confirmation() -> TemplateKey {
    TemplateKey::of("bookingConfirmation", "en").unwrap()
}

fn text(html: &str) -> TemplateText {
    TemplateText { subject: "Hello".into(), text: "Hello".into(), html: html.into(), attachment: true }
}

fn full(which: TemplateKey) -> Map<String, Value> {
    let value = |key: &str| {
        if catalogue::is_block(key) { json!({ "html": "<li>x</li>", "text": "- x" }) } else { json!("x") }
    };
    which.kind.keys().map(|key| (key.to_owned(), value(key))).collect()
}

fn checked(html: &str) -> Result<Vec<String>, String> {
    let which = confirmation();
    check(which.kind, &text(html), &full(which)).map_err(|e| match e {
        Error::Refused(code, params) => {
            let said: Vec<String> = params.into_iter().map(|(_, value)| value).collect();
            format!("{}: {}", code.code(), said.join(" "))
        }
        other => other.to_string(),
    })
}

#[test]
fn everything_that_is_shipped_may_be_saved() {
    let mut seen = 0;
    for kind in catalogue::all() {
        for language in Language::ALL {
            let which = TemplateKey { kind, language };
            let text = without(which);
            if text.html.is_empty() {
                continue;
            }
            seen += 1;
            let told = check(kind, &text, &full(which)).map_err(|e| format!("{} {language}: {e:?}", kind.name));
            assert_eq!(told.unwrap(), Vec::<String>::new(), "{} {language}", kind.name);
        }
    }
    assert!(seen >= 69, "{seen}");
}

#[test]
fn keys_that_a_message_does_not_have_are_named_once_and_in_order() {
    let html = "<p>{{zebra}} {{customerFirstName}} {{#if apple}}{{total}}{{else}}{{zebra}}{{/if}} {{resetUrl}} {{this}}</p>\
        {{> row label=\"x\" value=pear note=\"\"}}";
    assert_eq!(checked(html).unwrap(), ["apple", "pear", "resetUrl", "this", "zebra"]);
}

#[test]
fn this_is_the_message_and_its_keys_are_the_same() {
    let html = "<p>{{this.total}} {{./total}} {{#if this.customerFirstName}}{{this/total}}{{/if}} {{{this.priceLines}}}</p>\
        <a href=\"{{this.bookingUrl}}\">x</a>{{> row label=\"x\" value=this.total note=\"\"}}";
    assert_eq!(checked(html).unwrap(), Vec::<String>::new());
    assert_eq!(checked("{{this.nickname}}").unwrap(), ["nickname"]);
    assert!(checked("{{{this.customerFirstName}}}").unwrap_err().starts_with("template_unsafe"));
    // What is said to be there is there.
    let of = |key: &str| json!({ "total": key, "customerFirstName": "Ana", "priceLines": { "html": "<li>a</li>", "text": "- a" } });
    let filled = crate::mailing::filled(&text(html), &of("$9.00")).unwrap();
    assert_eq!(filled.html.matches("$9.00").count(), 4, "{}", filled.html);
    assert!(filled.html.contains("<li>a</li>"), "{}", filled.html);
}

#[test]
fn what_cannot_be_read_is_named_by_its_line() {
    for (html, line) in [
        ("<p>\n{{#if total}}</p>", "2"),
        ("<p>{{total</p>", "1"),
        ("a\nb\n{{/if}}", "3"),
        ("{{#each items}}x{{/each}}", "1"),
        ("{{#with total}}x{{/with}}", "1"),
        ("{{lookup total 1}}", "1"),
        ("{{log total}}", "1"),
        ("{{> nowhere}}", "1"),
        ("{{> layout}}", "1"),
        ("{{> (lookup total 1)}}", "1"),
        ("{{#*inline \"x\"}}{{> x}}{{/inline}}", "1"),
        ("{{#> layout heading=\"a\"}}{{#> layout heading=\"b\"}}c{{/layout}}{{/layout}}", "1"),
        ("{{{{raw}}}}x{{{{/raw}}}}", "1"),
        ("\\{{total}}", "1"),
        ("{{&total}}", "1"),
        ("{{> @partial-block}}", "1"),
        ("{{#if total}}a{{/unless}}", "1"),
    ] {
        let told = checked(html).unwrap_err();
        assert!(told.starts_with("template_broken: html "), "{html}: {told}");
        assert!(told.ends_with(&format!(" {line}")) || told.ends_with(" –"), "{html}: {told}");
    }
    let deep = format!("{}x{}", "{{#if total}}".repeat(5_000), "{{/if}}".repeat(5_000));
    assert_eq!(checked(&deep).unwrap_err(), "template_broken: html 1");
    let many = "{{total}}".repeat(2_001);
    assert_eq!(checked(&many).unwrap_err(), "template_broken: html 1");
}

#[test]
fn nothing_runs_and_nothing_is_loaded() {
    for (html, what) in [
        ("<script>alert(1)</script>", "<script"),
        ("<SCRIPT src=x>", "<SCRIPT"),
        ("<img src=\"https://spy.test/a.png\">", "src=https://spy.test/a.png"),
        ("<img src=x onerror=alert(1)>", "src=x"),
        ("<p onclick=\"x\">", "onclick"),
        ("<p\nonclick='x'>", "onclick"),
        ("<p/onclick=x>", "/onclick=x>"),
        ("<p title=\"a\"onclick=x>", "onclick"),
        ("<a href=\"javascript:alert(1)\">", "href=javascript:alert(1)"),
        ("<a href=\" javascript:alert(1)\">", "href= javascript:alert(1)"),
        ("<a href=\"java&#115;cript:x\">", "href=java&#115;cript:x"),
        ("<a href=\"{{customerFirstName}}\">", "href="),
        ("<a href=\"data:text/html,x\">", "href=data:text/html,x"),
        ("<iframe src=x>", "<iframe"),
        ("<object>", "<object"),
        ("<form>", "<form"),
        ("<svg>", "<svg"),
        ("<base href=x>", "<base"),
        ("<link rel=stylesheet>", "<link"),
        ("<meta http-equiv=\"refresh\">", "http-equiv"),
        ("<p style=\"background:url(https://spy.test)\">", "style=background:url(https://spy.test)"),
        ("<p style=\"background:ur/**/l(https://spy.test)\">", "style=background:ur/**/l(https://spy.test)"),
        ("<p style=\"color:{{total}}\">", "style=color:"),
        ("<style>@import 'https://spy.test'</style>", "<style"),
        ("<style>p { color: {{total}} }</style>", "<style"),
        ("<style>p { background: u\\72l(x) }</style>", "<style"),
        ("<td background=\"https://spy.test\">", "background"),
        ("<!-- <script> -->", "<!--"),
        ("<!--> <script> -->", "<!--"),
        ("a < b", "<"),
        ("<{{total}}>", "<"),
        ("<p {{#if total}}class=\"a\"{{/if}}>", ""),
        ("<p title=\"{{#if total}}\"{{else}}a{{/if}}\">", "title="),
        ("<p title=\"{{{priceLines}}}\">", "title="),
        ("{{{customerFirstName}}}", "{{{customerFirstName}}}"),
        ("{{> button label=\"x\" url=\"javascript:x\"}}", "url=javascript:x"),
        ("{{> button label=\"x\" url=customerFirstName}}", "url=customerFirstName"),
        ("<title><script></title>", "<script"),
    ] {
        let told = checked(html).unwrap_err();
        let what: String = what.chars().take(40).collect();
        let expected = format!("template_unsafe: html 1 {what}");
        assert!(told.starts_with(&expected) || html.contains('\n') && told.ends_with(&what), "{html}: {told}");
    }
    for html in [
        "<p class=\"a\" style='margin:0'>{{customerFirstName}}</p><br/><hr>",
        "<a href=\"{{bookingUrl}}\">a</a><a href=\"mailto:{{supportEmail}}\">b</a><a href=\"https://portage.test/{{total}}\">c</a>",
        "<img alt=\"{{companyName}}\" src=\"data:image/png;base64,AAAA\" width=20>",
        "<!doctype html><html><head><meta charset=\"utf-8\"><style>p { color: red }</style></head><body>&amp;</body></html>",
        "{{! a word among us }}{{!-- {{total}} --}}<ul>{{{itemsSummary}}}</ul>",
    ] {
        assert_eq!(checked(html), Ok(Vec::new()), "{html}");
    }
    assert_eq!(ErrorCode::TemplateUnsafe.code(), "template_unsafe");
}

#[test]
fn a_style_loads_nothing_whatever_its_function_is_called() {
    for style in [
        "background-image:image-set('https://spy.test/x.png' 1x)",
        "background-image:-webkit-image-set('https://spy.test/x.png' 1x)",
        "background-image:IMAGE-SET('https://spy.test/x.png' 1x)",
        "background-image:image-set/**/('https://spy.test/x.png' 1x)",
        "background-image:image-set/* a */('https://spy.test/x.png' 1x)",
        "background-image:cross-fade('https://spy.test/x.png', red)",
        "background-image:-webkit-cross-fade('https://spy.test/x.png', red)",
        "background-image:src('https://spy.test/x.png')",
        "background-image:image('https://spy.test/x.png')",
        "background-image:paint(spy)",
        "background-image:element(#spy)",
        "background-image:attr(title)",
        "background-image:url('https://spy.test/x.png')",
        "background-image:url(data:image/png;base64,AAAA)",
        "background-image:u/**/rl(https://spy.test/x.png)",
        "background-image:u/* a */rl(https://spy.test/x.png)",
        "background-image:url/**/(https://spy.test/x.png)",
        "background-image:u\\72l(https://spy.test/x.png)",
        "background-image:\\75 rl(https://spy.test/x.png)",
        "background-image:rgb(image-set('https://spy.test/x.png' 1x))",
        "color:red;background:calc(1px)image-set('https://spy.test/x.png' 1x)",
        "--a:url(https://spy.test/x.png);background:var(--a)",
        "content:unheard-of('https://spy.test/x.png')",
    ] {
        let attribute = checked(&format!("<p>\n<span style=\"{style}\">x</span></p>")).unwrap_err();
        assert!(attribute.starts_with("template_unsafe: html 2 style="), "{style}: {attribute}");
        let block = checked(&format!("<style>p {{ {style} }}</style>")).unwrap_err();
        assert_eq!(block, "template_unsafe: html 1 <style", "{style}");
    }
    for rule in [
        "@import 'https://spy.test/x.css';",
        "@IMPORT \"https://spy.test/x.css\";",
        "@im/**/port 'https://spy.test/x.css';",
        "@/**/import 'https://spy.test/x.css';",
        "@font-face { font-family: Spy; src: local(Spy) }",
        "@namespace 'https://spy.test/';",
        "@unheard-of 'https://spy.test/x.css';",
    ] {
        let block = checked(&format!("<style>{rule}</style>")).unwrap_err();
        assert_eq!(block, "template_unsafe: html 1 <style", "{rule}");
    }
    for style in [
        "color:rgba(0, 0, 0, .5);width:calc(100% - (2px + 1em));background:linear-gradient(red, hsl(120 50% 50%))",
        "font-size:clamp(12px, 2vw, 16px);color:var(--ink);margin:0 /* as the sheet (of paper) has it */",
    ] {
        assert_eq!(checked(&format!("<p style=\"{style}\">x</p>")), Ok(Vec::new()), "{style}");
        let block =
            format!("<style>@media screen and (max-width: 480px) {{ p:not(:last-child) {{ {style} }} }}</style>");
        assert_eq!(checked(&block), Ok(Vec::new()), "{style}");
    }
}
