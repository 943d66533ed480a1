//! A duration and a price for a three-bedroom house (38 kinds of items) and for a studio.
#![allow(missing_docs, clippy::unwrap_used)]

#[path = "../tests/common/mod.rs"]
mod common;

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use kernel::{Money, chrono::NaiveDate};
use pricing::{PriceRequest, RateCard, duration, price};

fn prices(c: &mut Criterion) {
    let card = RateCard::builtin();
    let catalogue = common::catalogue();
    let examples = common::examples();
    for (name, position) in [("studio", 0), ("three-bedroom", 5)] {
        let job = common::job(&examples[position]["input"], &catalogue);
        let moving_date = NaiveDate::from_ymd_opt(2027, 6, 30).unwrap();
        let id = format!("price/{name}-{}-items", job.items.len());
        c.bench_function(&id, |b| {
            b.iter(|| {
                let job = black_box(&job);
                let time = duration(job, &card);
                let request = PriceRequest {
                    job,
                    moving_date: Some(moving_date),
                    statutory_holiday: false,
                    discount: None,
                    overtime_minutes: 0,
                    change_fee: Money::ZERO,
                };
                black_box(price(&request, &time, &card))
            });
        });
    }
}

criterion_group!(benches, prices);
criterion_main!(benches);
