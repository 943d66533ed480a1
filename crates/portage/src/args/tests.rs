#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use clap::CommandFactory as _;
use kernel::Language;

use super::{quote::discount, *};

fn line(words: &str) -> Result<Command, NoCommand> {
    parse(std::iter::once("portage").chain(words.split_whitespace()).map(OsString::from)).map(|asked| asked.command)
}

#[test]
fn the_settings_file_may_be_named_anywhere() {
    for words in ["portage --config a.toml serve", "portage serve --config a.toml", "portage serve --config=a.toml"] {
        let asked = parse(words.split_whitespace().map(OsString::from)).unwrap();
        assert_eq!((asked.command, asked.config), (run("serve"), Some("a.toml".into())));
    }
}

fn run(words: &str) -> Command {
    line(words).unwrap()
}

fn ana() -> Person {
    Person { email: "a@b.ca".parse().unwrap() }
}

#[test]
fn the_definition_holds_together() {
    Line::command().debug_assert();
}

#[test]
fn every_command_of_the_contract() {
    assert_eq!(run("serve"), Command::Serve(Serving { no_worker: false, with_history: false }));
    assert_eq!(run("serve --no-worker"), Command::Serve(Serving { no_worker: true, with_history: false }));
    assert_eq!(run("serve --with-history"), Command::Serve(Serving { no_worker: false, with_history: true }));
    assert_eq!(run("worker"), Command::Worker);
    assert_eq!(run("simulators"), Command::Simulators);
    assert_eq!(run("migrate"), Command::Migrate);
    assert_eq!(run("seed --demo"), Command::Seed(Seeding { demo: true }));
    assert_eq!(run("openapi"), Command::Openapi);
    assert_eq!(run("reconcile"), Command::Reconcile);
    assert_eq!(run("backup copy.db"), Command::Backup(BackupTarget { file: "copy.db".into() }));
    assert_eq!(run("check-config"), Command::CheckConfig(Checks::default()));
    let asked = Checks { connect: true, test_mail: Some("ana@example.test".parse().unwrap()) };
    assert_eq!(run("check-config --connect --test-mail ana@example.test"), Command::CheckConfig(asked));
    let both = Adoption { send_overdue_mail: true, despite_differences: true };
    assert_eq!(run("adopt --send-overdue-mail --despite-differences"), Command::Adopt(both));
    for (word, role) in [("", MemberRole::Ops), ("--mate", MemberRole::Mate), ("--admin", MemberRole::Admin)] {
        let added = run(&format!("ops add --email a@b.ca --first-name Ana --last-name Roy {word}"));
        let Command::Ops(Ops::Add(member)) = added else { unreachable!() };
        let names = (member.email.as_str(), member.first_name.as_str(), member.last_name.as_str());
        assert_eq!((names, member.role()), (("a@b.ca", "Ana", "Roy"), role));
    }
    assert_eq!(run("ops remove --email a@b.ca"), Command::Ops(Ops::Remove(ana())));
    assert_eq!(run("accounts disable --email a@b.ca"), Command::Accounts(Accounts::Disable(ana())));
    assert_eq!(run("accounts enable --email a@b.ca"), Command::Accounts(Accounts::Enable(ana())));
}

/// `ops add`, `serve`: every command there is.
fn commands() -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for command in Line::command().get_subcommands() {
        let verbs: Vec<_> =
            command.get_subcommands().map(|verb| format!("{} {}", command.get_name(), verb.get_name())).collect();
        if verbs.is_empty() {
            all.insert(command.get_name().to_owned());
        }
        all.extend(verbs);
    }
    all
}

#[test]
fn each_command_has_its_help() {
    for command in commands() {
        let help = line(&format!("{command} --help")).unwrap_err();
        assert!(!help.use_stderr(), "{command}");
        let text = help.to_string();
        assert!(text.contains(&format!("Usage: portage {command}")), "{text}");
        let options = text.lines().filter(|l| l.trim_start().starts_with("--") || l.trim_start().starts_with('<'));
        for option in options {
            assert!(option.trim().contains("  "), "{command} does not explain {option}");
        }
    }
}

#[test]
fn jobs_are_listed_tried_again_and_dropped() {
    let id = "01a3953e-8700-71ab-ab13-e36eba9797ed";
    let job = GivenUp { id: id.parse().unwrap() };
    assert_eq!(run("jobs list"), Command::Jobs(Jobs::List));
    assert_eq!(run(&format!("jobs retry {id}")), Command::Jobs(Jobs::Retry(job)));
    assert_eq!(run(&format!("jobs drop {id}")), Command::Jobs(Jobs::Drop(job)));
    for wrong in ["jobs", "jobs retry", "jobs drop 7", "jobs burn 01a3953e-8700-71ab-ab13-e36eba9797ed"] {
        assert!(line(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn rates_are_shown_and_loaded() {
    assert_eq!(run("rates show"), Command::Rates(Rates::Show(Card { name: "standard".into() })));
    assert_eq!(run("rates show --name summer"), Command::Rates(Rates::Show(Card { name: "summer".into() })));
    let load = |file: &str, from: Option<&str>| {
        let from = from.map(|at| at.parse().unwrap());
        Command::Rates(Rates::Load(NewRates { file: file.into(), name: "standard".into(), from }))
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
    // Nothing at all asks for the list; a word that is nearly right is told the right one.
    let help = line("").unwrap_err();
    assert!(!help.use_stderr() && help.to_string().contains("check-config"));
    assert!(line("recncile").unwrap_err().to_string().contains("reconcile"));
}

#[test]
fn calendars_are_shown_and_loaded() {
    let shown = |hub: Option<&str>, days: Option<(&str, &str)>| {
        let days = days.map(|(a, b)| (a.parse().unwrap(), b.parse().unwrap()));
        let hub = hub.map(|h| geography::hub(h).unwrap());
        Command::Calendar(Calendar::Show(CalendarQuestion { hub, from: days.map(|d| d.0), to: days.map(|d| d.1) }))
    };
    assert_eq!(run("calendar show"), shown(None, None));
    let days = shown(Some("montreal"), Some(("2027-06-28", "2027-07-04")));
    assert_eq!(run("calendar show --hub montreal --from 2027-06-28 --to 2027-07-04"), days);
    assert_eq!(run("calendar load -"), Command::Calendar(Calendar::Load(NewCalendar { file: "-".into() })));
    for (bad, told) in [
        ("calendar show --hub paris", "montreal"),
        ("calendar show --from 2027-07-01", "--to <YYYY-MM-DD>"),
        ("calendar show --from 2027-07-02 --to 2027-07-01", "a day after"),
        ("calendar show --from July --to 2027-07-01", "no day"),
        ("calendar load", "<FILE>"),
        ("calendar", "show"),
    ] {
        assert!(line(bad).unwrap_err().to_string().contains(told), "{bad}");
    }
}
