//! What a document costs: processor time, bytes, and what stays of fifty in memory. Figures are those of the machine; in an
//! optimised build the limits hold or the run fails.
#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout)]

#[path = "../tests/example.rs"]
mod example;

use std::{fs, hint::black_box, process::ExitCode};

use documents::{Sheet, pdf, pdf_of};
use example::sheet;
use kernel::Language;

/// Kilobytes that stay in memory after fifty documents, at most.
const MOST_RESIDENT: u64 = 100_000;

/// Processor time of this thread so far, milliseconds.
fn processor() -> f64 {
    let told = fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    told.split_whitespace().next().unwrap().parse::<f64>().unwrap() / 1e6
}

/// Kilobytes in memory.
fn resident() -> u64 {
    let told = fs::read_to_string("/proc/self/status").unwrap();
    let line = told.lines().find(|l| l.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

struct Case {
    name: &'static str,
    sheets: Vec<Sheet>,
    /// Milliseconds, kilobytes.
    most: (f64, usize),
}

fn drawn(case: &Case) -> Vec<u8> {
    match case.sheets.as_slice() {
        [one] => pdf(one).unwrap(),
        many => pdf_of(many).unwrap(),
    }
}

fn main() -> ExitCode {
    use Language::{En, Fr, Zh};
    let case = |name, sheets, most| Case { name, sheets, most };
    let cases = [
        case("invoice, Latin", vec![sheet(Fr, 8)], (30.0, 100)),
        case("invoice, Chinese", vec![sheet(Zh, 8)], (150.0, 150)),
        case("partner's invoice of 60 moves", vec![sheet(Fr, 60)], (150.0, 150)),
        case("contract, French and English", vec![sheet(Fr, 12), sheet(En, 12)], (60.0, 200)),
        case("contract, French and Chinese", vec![sheet(Fr, 12), sheet(Zh, 12)], (180.0, 300)),
    ];
    let mut is_good = true;
    for case in &cases {
        // The first one reads the fonts.
        let bytes = drawn(case).len();
        let before = processor();
        let many = 20;
        for _ in 0..many {
            black_box(drawn(case));
        }
        let each = (processor() - before) / f64::from(many);
        let fits = each <= case.most.0 && bytes <= case.most.1 * 1000;
        is_good &= fits;
        println!(
            "{:32} {each:7.1} ms (at most {:.0}) {:6} bytes (at most {} kB){}",
            case.name,
            case.most.0,
            bytes,
            case.most.1,
            if fits { "" } else { "  TOO MUCH" }
        );
    }
    for n in 0..50 {
        black_box(drawn(&cases[n % cases.len()]));
    }
    let stays = resident();
    println!("{:32} {stays:7} kB resident (at most {MOST_RESIDENT})", "after fifty more");
    is_good &= stays <= MOST_RESIDENT;
    if is_good || cfg!(debug_assertions) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
