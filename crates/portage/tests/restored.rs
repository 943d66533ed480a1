//! A restored copy neither mails nor charges before somebody says that it is the one to work on; and what the
//! settings name is tried before the first start.

use std::{fs, net::SocketAddr, process::Output, time::Duration};

use crate::support::{
    customer::{book, browser, draft, sign_in, store_card},
    front::Authority,
    server::{Process, Site, production},
};

const NOW: &str = "2027-02-01T13:00:00Z";
const GRAPHQL: &str = "/simulators/braintree/graphql";

fn output_text(out: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr))
}

/// The demo's card gateway in a process of its own, once it listens.
async fn outside(gateway: &Site) -> Process {
    let process = gateway.spawn(&["simulators"]);
    for _ in 0..300 {
        if tokio::net::TcpStream::connect(address(gateway)).await.is_ok() {
            return process;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("the simulators do not listen");
}

fn address(site: &Site) -> SocketAddr {
    site.url("").strip_prefix("http://localhost").map(|p| format!("127.0.0.1{p}")).unwrap().parse().unwrap()
}

/// A company in production, its gateway an outside service that is as empty as its database.
async fn company(gateway: &Site, authority: &Authority) -> Site {
    let url = authority.in_front_of(address(gateway), GRAPHQL).await;
    production(Site::new(NOW)).with("PORTAGE_PAYMENTS_URL", url).with("SSL_CERT_FILE", authority.file())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_copy_is_worked_on_only_after_it_was_adopted() {
    let web = browser();
    let gateway = Site::new(NOW);
    let simulators = outside(&gateway).await;
    let authority = Authority::new(gateway.path());
    let mut site = company(&gateway, &authority).await;
    site.start(&web).await;
    assert!(site.stop());
    // Its own database, also after a restart.
    site.start(&web).await;
    let backup = gateway.path().join("backup.db");
    let made = site.run(&["backup", &backup.display().to_string()]);
    assert!(made.status.success(), "{}", output_text(&made));
    assert!(site.stop());

    let elsewhere = company(&gateway, &authority).await;
    fs::create_dir_all(elsewhere.data()).unwrap();
    let database = elsewhere.data().join("portage.db");
    fs::copy(&backup, &database).unwrap();
    for command in ["serve", "worker"] {
        let refused = elsewhere.run(&[command]);
        let words = output_text(&refused);
        assert!(!refused.status.success(), "{words}");
        assert!(words.contains("a backup that was put in place") && words.contains("portage adopt"), "{words}");
    }
    // Looking is allowed, and changes nothing.
    assert!(elsewhere.run(&["rates", "show"]).status.code().is_some());
    let adopted = elsewhere.run(&["adopt"]);
    assert!(adopted.status.success() && output_text(&adopted).contains("from now on"), "{}", output_text(&adopted));
    assert!(output_text(&elsewhere.run(&["adopt"])).contains("nothing to do"));
    let mut elsewhere = elsewhere;
    elsewhere.start(&web).await;
    assert!(elsewhere.stop());

    // A plain copy of the file, and the same file under another address.
    let copied = company(&gateway, &authority).await;
    fs::create_dir_all(copied.data()).unwrap();
    fs::copy(site.data().join("portage.db"), copied.data().join("portage.db")).unwrap();
    assert!(output_text(&copied.run(&["serve"])).contains("a copy that was made elsewhere"));
    let moved = site.beside().with("PORTAGE_PUBLIC_URL", "https://staging.example");
    assert!(output_text(&moved.run(&["serve"])).contains("another address than PORTAGE_PUBLIC_URL"));
    // A demo does not touch it: neither its jobs nor its bookings.
    let demo = site.beside().with("PORTAGE_MODE", "demo");
    for command in [&["serve"][..], &["worker"], &["seed", "--demo"], &["reconcile"]] {
        let refused = demo.run(command);
        assert!(
            !refused.status.success() && output_text(&refused).contains("PORTAGE_MODE is demo"),
            "{command:?}: {}",
            output_text(&refused)
        );
    }
    drop(simulators);
    assert_eq!(copied.run(&["adopt"]).status.code(), Some(2), "the gateway could not be asked");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_gateway_did_since_the_copy_stands_in_the_way() {
    let web = browser();
    // The demo's own gateway plays the outside one: it keeps what is charged after the copy is made.
    // Its clock is in the past: a company compares up to today.
    let mut demo = Site::new("2026-02-02T13:00:00Z");
    demo.start(&web).await;
    let token = sign_in(&web, &demo, "customer@portage.test", "portage-demo-2027").await.unwrap();
    assert!(store_card(&web, &demo, &token).await.unwrap().is_success());
    let answer = book(&web, &demo, &token, "k1", &draft("2026-02-03", "09:00")).await.unwrap();
    assert!(answer.status().is_success(), "{}", answer.text().await.unwrap());
    let authority = Authority::new(demo.path());
    let company = company(&demo, &authority).await.with("PORTAGE_PAYMENTS_MERCHANT_ACCOUNT", "portage-demo");
    assert!(company.run(&["migrate"]).status.success());
    let refused = company.run(&["adopt"]);
    let words = output_text(&refused);
    assert_eq!(refused.status.code(), Some(1), "{words}");
    assert!(words.contains("difference:") && words.contains("--despite-differences"), "{words}");
    let adopted = company.run(&["adopt", "--despite-differences", "--send-overdue-mail"]);
    assert!(adopted.status.success(), "{}", output_text(&adopted));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_settings_name_is_tried_and_named() {
    let gateway = Site::new(NOW);
    let _simulators = outside(&gateway).await;
    let authority = Authority::new(gateway.path());
    let site = company(&gateway, &authority).await;
    let words = output_text(&site.run(&["check-config", "--connect"]));
    assert!(words.contains("no file yet; its folder may be written"), "{words}");
    assert!(words.contains("the gateway takes our keys"), "{words}");
    // Nobody answers at the other two.
    for variable in ["PORTAGE_SMTP_URL", "PORTAGE_MAPS_URL"] {
        assert!(
            words.split("must be changed").nth(1).is_some_and(|list| list.contains(variable)),
            "{variable}: {words}"
        );
    }
    assert!(!words.contains("u:p@"), "{words}");
    // A certificate of an authority this machine does not know.
    let unknown = site.beside().with("SSL_CERT_FILE", "");
    let words = output_text(&unknown.run(&["check-config", "--connect"]));
    assert!(words.contains("PORTAGE_PAYMENTS_URL"), "{words}");
    let nowhere = production(Site::new(NOW)).with("PORTAGE_DATABASE_URL", "postgres://u:hunter2@127.0.0.1:9/none");
    let words = output_text(&nowhere.run(&["check-config", "--connect"]));
    assert!(words.contains("PORTAGE_DATABASE_URL (postgres://127.0.0.1:9/none)"), "{words}");
    assert!(!words.contains("hunter2"), "{words}");
}

#[test]
fn a_misspelt_name_is_told_whatever_else_is_wrong() {
    for wrong in [None, Some(("PORTAGE_JOB_LOOPS", "many"))] {
        let site = production(Site::new(NOW)).with("PORTAGE_SMTP_ULR", "smtp://x");
        let site = wrong.into_iter().fold(site, |site, (name, value)| site.with(name, value));
        for command in ["check-config", "serve"] {
            if wrong.is_none() && command == "serve" {
                continue;
            }
            let words = output_text(&site.run(&[command]));
            assert!(words.contains("PORTAGE_SMTP_ULR") && words.contains("PORTAGE_SMTP_URL"), "{command}: {words}");
        }
    }
}
