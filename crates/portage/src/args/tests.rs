#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use kernel::Language;

use super::{quote::discount, *};

fn line(words: &str) -> Result<Parsed, Wrong> {
    parse(std::iter::once("portage").chain(words.split_whitespace()).map(OsString::from))
}

fn run(words: &str) -> Command {
    match line(words).unwrap() {
        Parsed::Run(command) => command,
        Parsed::Print(text) => unreachable!("{text}"),
    }
}

#[test]
fn every_command_of_the_contract() {
    assert_eq!(run("serve"), Command::Serve { worker: true });
    assert_eq!(run("serve --no-worker"), Command::Serve { worker: false });
    assert_eq!(run("worker"), Command::Worker);
    assert_eq!(run("simulators"), Command::Simulators);
    assert_eq!(run("migrate"), Command::Migrate);
    assert_eq!(run("seed --demo"), Command::Seed);
    assert_eq!(run("openapi"), Command::Openapi);
    assert_eq!(run("reconcile"), Command::Reconcile);
    assert_eq!(run("backup copy.db"), Command::Backup("copy.db".into()));
    assert_eq!(run("check-config"), Command::CheckConfig(Checks::default()));
    let asked = Checks { connect: true, test_mail: Some("ana@example.test".parse().unwrap()) };
    assert_eq!(run("check-config --connect --test-mail ana@example.test"), Command::CheckConfig(asked));
    let both = Adoption { send_overdue_mail: true, despite_differences: true };
    assert_eq!(run("adopt --send-overdue-mail --despite-differences"), Command::Adopt(both));
    let Command::OpsAdd(member) = run("ops add --email a@b.ca --first-name Ana --last-name Roy --admin") else {
        unreachable!()
    };
    assert_eq!((member.email.as_str(), member.first_name.as_str(), member.role), ("a@b.ca", "Ana", MemberRole::Admin));
    for (word, role) in [("", MemberRole::Ops), ("--mate", MemberRole::Mate)] {
        let Command::OpsAdd(member) = run(&format!("ops add --email a@b.ca --first-name Ana --last-name Roy {word}"))
        else {
            unreachable!()
        };
        assert_eq!(member.role, role);
    }
    let ana: Email = "a@b.ca".parse().unwrap();
    assert_eq!(run("ops remove --email a@b.ca"), Command::OpsRemove(ana.clone()));
    assert_eq!(run("accounts disable --email a@b.ca"), Command::AccountsDisable(ana.clone()));
    assert_eq!(run("accounts enable --email a@b.ca"), Command::AccountsEnable(ana));
    let commands = [
        "serve",
        "worker",
        "simulators",
        "migrate",
        "seed",
        "quote",
        "openapi",
        "ops add",
        "ops remove",
        "accounts disable",
        "accounts enable",
        "rates show",
        "rates load",
        "calendar show",
        "calendar load",
        "jobs list",
        "jobs retry",
        "jobs drop",
        "reconcile",
        "backup",
        "check-config",
    ];
    for command in commands {
        assert!(USAGE.contains(&format!("portage {command}")), "{command}");
    }
}

#[test]
fn the_manual_lists_every_command() {
    let manual = include_str!("../../../../docs/operating.md");
    let listed = |text: &str| -> BTreeSet<String> {
        let lines = text.lines().filter_map(|l| l.trim_start().strip_prefix("portage "));
        // `ops`, `rates` and `calendar` have a verb each.
        let lines = lines.filter_map(|l| l.split("  ").next());
        let words =
            lines.map(|l| l.split_whitespace().take(2).filter(|w| w.starts_with(|c: char| c.is_ascii_lowercase())));
        words.map(|w| w.collect::<Vec<_>>().join(" ")).collect()
    };
    assert_eq!(listed(manual), listed(USAGE));
}

#[test]
fn jobs_are_listed_tried_again_and_dropped() {
    let id = "01a3953e-8700-71ab-ab13-e36eba9797ed";
    assert_eq!(run("jobs list"), Command::JobsList);
    assert_eq!(run(&format!("jobs retry {id}")), Command::JobsRetry(id.parse().unwrap()));
    assert_eq!(run(&format!("jobs drop {id}")), Command::JobsDrop(id.parse().unwrap()));
    for wrong in ["jobs", "jobs retry", "jobs drop 7", "jobs burn 01a3953e-8700-71ab-ab13-e36eba9797ed"] {
        assert!(line(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn rates_are_shown_and_loaded() {
    assert_eq!(run("rates show"), Command::RatesShow { name: "standard".into() });
    assert_eq!(run("rates show --name summer"), Command::RatesShow { name: "summer".into() });
    let load = |file: &str, from: Option<&str>| {
        let from = from.map(|at| at.parse().unwrap());
        Command::RatesLoad(NewRates { file: file.into(), name: "standard".into(), from })
    };
    assert_eq!(run("rates load card.json"), load("card.json", None));
    let later = run("rates load - --from 2027-03-01T00:00:00-05:00");
    assert_eq!(later, load("-", Some("2027-03-01T05:00:00Z")));
}

#[test]
fn quote_takes_a_file_or_standard_input() {
    let Command::Quote(args) = run("quote - --lang fr --json --date 2027-07-01") else { unreachable!() };
    assert_eq!((args.file.to_str(), args.language, args.json), (Some("-"), Language::Fr, true));
    assert_eq!(args.date.unwrap().to_string(), "2027-07-01");
}

#[test]
fn discounts_are_read_exactly() {
    use pricing::DiscountTerms::{Fixed, Percent};
    let cents = kernel::Money::from_cents;
    let share = kernel::BasisPoints::new;
    for (text, terms) in [
        ("welcome10=10%", Percent { share: share(1_000), max: None }),
        ("A=12.5%,50.00", Percent { share: share(1_250), max: Some(cents(5_000)) }),
        ("A=25.00", Fixed { amount: cents(2_500) }),
    ] {
        assert_eq!(discount(text).unwrap().terms, terms, "{text}");
    }
    assert_eq!(discount("welcome10=10%").unwrap().code, "WELCOME10");
    for bad in ["", "A", "=10%", "A=", "A=-5.00", "A=101%", "A=25.00,5.00", "A=ten%"] {
        assert!(discount(bad).is_err(), "{bad:?}");
    }
}

#[test]
fn nonsense_is_refused() {
    for bad in [
        "fly",
        "serve --fast",
        "worker extra",
        "seed",
        "quote",
        "ops",
        "ops add --email a@b.ca",
        "ops add --email a@b.ca --first-name Ana --last-name Roy --admin --mate",
        "ops remove",
        "ops remove --email nobody",
        "ops remove --email a@b.ca --admin",
        "accounts",
        "accounts disable",
        "backup",
        "quote a b",
        "rates",
        "rates drop",
        "rates load",
        "rates load a b",
        "rates load a --from tomorrow",
        "rates show --from 2027-03-01T00:00:00Z",
    ] {
        assert!(line(bad).is_err(), "{bad:?}");
    }
    assert!(matches!(line("").unwrap(), Parsed::Print(_)));
}

#[test]
fn calendars_are_shown_and_loaded() {
    let shown = |hub: Option<&str>, days: Option<(&str, &str)>| {
        let days = days.map(|(a, b)| (a.parse().unwrap(), b.parse().unwrap()));
        Command::CalendarShow(CalendarQuestion { hub: hub.map(|h| geography::hub(h).unwrap()), days })
    };
    assert_eq!(run("calendar show"), shown(None, None));
    let days = shown(Some("montreal"), Some(("2027-06-28", "2027-07-04")));
    assert_eq!(run("calendar show --hub montreal --from 2027-06-28 --to 2027-07-04"), days);
    assert_eq!(run("calendar load -"), Command::CalendarLoad("-".into()));
    for (bad, told) in [
        ("calendar show --hub paris", "montreal"),
        ("calendar show --from 2027-07-01", "together"),
        ("calendar show --from 2027-07-02 --to 2027-07-01", "a day after"),
        ("calendar show --from July --to 2027-07-01", "no day"),
        ("calendar load", "needs a file"),
        ("calendar", "portage calendar show"),
    ] {
        assert!(line(bad).unwrap_err().to_string().contains(told), "{bad}");
    }
}
