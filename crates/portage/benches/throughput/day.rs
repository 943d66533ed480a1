//! A full day assigned all at once: how long its preview takes, and how much is driven against each job getting the first who
//! are free. Everybody is needed all day: crews went from job to job without a break, and which job was whose is not told.

use std::{sync::Arc, time::Instant};

use geography::{Hub, Waypoint, travel_between, waypoint};
use kernel::{
    BookingId, Coordinates, MateCount, MateId, OpsMemberId, ShortId, TruckId,
    chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc},
    uuid::Uuid,
};
use reqwest::Client;
use serde_json::{Value, json};
use service::ports::{
    Store, StoreError,
    bookings::{Booking, Location},
    directory::{TruckRecord, TruckState},
    lists::{Listing, Order, Start},
    members::{Member, MemberRole},
};
use service::{moves::place_of, trucks::TruckClass};
use status_machine::booking::Status;
use store::Options;

use crate::{
    many::Dice,
    support::{
        customer::{browser, sign_in},
        server::Site,
    },
};

const NOW: &str = "2027-02-01T14:00:00Z";
const DAY: &str = "2027-07-01";
const MATES: usize = 40;
const JOBS_OF_ONE: usize = 5;
const CALLS: usize = 20;

/// In a file.
pub async fn on_sqlite() {
    let mut site = Site::new(NOW);
    let url = format!("sqlite://{}", site.data().join("portage.db").display());
    let web = browser();
    site.start_with(&web, &["serve", "--with-history", "--no-worker"]).await;
    assert!(site.stop(), "{}", site.log_text());
    let store = store::open(&url, Options::default()).unwrap();
    filled(store.clone()).await;
    site.start_with(&web, &["serve", "--no-worker"]).await;
    half_away(store, true).await;
    previewed(&web, &site, "half of the mates away").await;
    let store = store::open(&url, Options::default()).unwrap();
    half_away(store, false).await;
    let plan = previewed(&web, &site, "everybody there").await;
    assigned(&web, &site, &plan).await;
    assert!(site.stop(), "{}", site.log_text());
}

async fn call_auto(web: &Client, site: &Site, body: Value) -> Value {
    let token = sign_in(web, site, "ops@portage.test", "portage-demo-2027").await.unwrap();
    let request = web.post(site.url("/api/dispatch/auto")).bearer_auth(&token).json(&body);
    request.send().await.unwrap().error_for_status().unwrap().json().await.unwrap()
}

async fn previewed(web: &Client, site: &Site, which: &str) -> Value {
    let token = sign_in(web, site, "ops@portage.test", "portage-demo-2027").await.unwrap();
    let look = async || -> Value {
        let body = json!({ "hub": "montreal", "date": DAY });
        let request = web.post(site.url("/api/dispatch/auto")).bearer_auth(&token).json(&body);
        request.send().await.unwrap().error_for_status().unwrap().json().await.unwrap()
    };
    let plan = look().await;
    let began = Instant::now();
    for _ in 0..CALLS {
        assert_eq!(look().await["version"], plan["version"], "the same day has the same plan");
    }
    let preview = began.elapsed().as_secs_f64() * 1_000.0 / CALLS as f64;
    let many = |name: &str| plan[name].as_array().unwrap().len();
    println!(
        "POST /api/dispatch/auto, preview: {preview:>7.1} ms for {} jobs and {MATES} mates, {which} (must stay below 2000)",
        many("jobs") + many("open")
    );
    println!("jobs left over: {} (must be 0 with everybody there); in the order of booking: {}", many("open"), {
        many("jobs") + many("open") - usize::try_from(plan["listedJobs"].as_u64().unwrap()).unwrap()
    });
    println!(
        "driving: {} minutes against {} in the order of booking; {} % less for each job (must be at least 10)",
        plan["drivingMinutes"], plan["listedDrivingMinutes"], plan["savedPercent"]
    );
    plan
}

async fn assigned(web: &Client, site: &Site, plan: &Value) {
    let began = Instant::now();
    let body = json!({ "hub": "montreal", "date": DAY, "apply": true, "version": plan["version"] });
    let done = call_auto(web, site, body).await;
    let refused = done["jobs"].as_array().unwrap().iter().filter(|j| !j["refused"].is_null()).count();
    println!("assigned in {:.1} s; refused: {refused} (must be 0)", began.elapsed().as_secs_f64());
}

/// Every second mate works elsewhere, or here again.
async fn half_away(store: Arc<dyn Store>, away: bool) {
    let written: Result<(), StoreError> = store
        .write(move |u| {
            for n in (0..MATES).step_by(2) {
                let id = MateId(Uuid::from_u128(0xae_0000 + n as u128));
                let Some(mut known) = u.directory().mate(id)? else { continue };
                known.hubs = vec![if away { "toronto" } else { "montreal" }.to_owned()];
                u.directory().update_mate(&known)?;
            }
            Ok(())
        })
        .await;
    written.unwrap();
}

/// Forty mates and trucks who have nothing else to do, and their day.
async fn filled(store: Arc<dyn Store>) {
    let now: DateTime<Utc> = NOW.parse().unwrap();
    let hub = geography::hub("montreal").unwrap();
    let newest = Start::First(Order::CreatedAtDescending);
    let read: Result<Vec<Booking>, StoreError> =
        store.read(move |u| Ok(u.bookings().listed(&Listing::default(), newest, 200)?.data)).await;
    let template = read.unwrap().into_iter().find(|b| b.hub == hub.id).unwrap();
    let jobs = full_day(&template, hub);
    let written: Result<(), StoreError> = store
        .write(move |u| {
            for mut known in u.directory().mates()? {
                known.hubs = vec!["toronto".to_owned()];
                u.directory().update_mate(&known)?;
            }
            for mut known in u.directory().trucks()? {
                known.state = TruckState::Paused;
                u.directory().update_truck(&known)?;
            }
            for n in 0..MATES {
                let key = |base: u128| Uuid::from_u128(base + n as u128);
                u.members().insert(&Member {
                    id: OpsMemberId(key(0xad_0000)),
                    email: format!("bench-mate{n}@portage.test").parse().unwrap(),
                    first_name: format!("Mate{n}"),
                    last_name: "Bench".into(),
                    role: MemberRole::Mate,
                    partner_id: None,
                    mate_id: Some(MateId(key(0xae_0000))),
                    created_at: now,
                    version: 1,
                })?;
                u.directory().add_truck(&TruckRecord {
                    id: TruckId(key(0xaf_0000)),
                    name: format!("Truck {n}"),
                    class: TruckClass::for_tier(tier(n)),
                    hub: "montreal".into(),
                    plate: String::new(),
                    inspected_until: None,
                    insured_until: None,
                    state: TruckState::Active,
                    version: 1,
                    created_at: now,
                    updated_at: now,
                })?;
            }
            for job in &jobs {
                u.bookings().insert(job)?;
            }
            Ok(())
        })
        .await;
    written.unwrap();
}

fn tier(mate: usize) -> u8 {
    [1, 2, 3][mate % 3]
}

fn full_day(template: &Booking, hub: &Hub) -> Vec<Booking> {
    let date: NaiveDate = DAY.parse().unwrap();
    let morning = NaiveTime::from_hms_opt(8, 0, 0).unwrap();
    let mut dice = Dice::new(200);
    let mut jobs = Vec::new();
    for mate in 0..MATES {
        let (mut at, mut last): (_, Option<Waypoint>) = (hub.zone.instant(date, morning).unwrap(), None);
        for _ in 0..JOBS_OF_ONE {
            let mut b = template.clone();
            for end in [&mut b.details.pickup, &mut b.details.dropoff] {
                // Some ten kilometres around the middle.
                let mut along = |reach: f64| (dice.below(2_001) as f64 / 1_000.0 - 1.0) * reach;
                let (lat, lon) = (hub.center.lat + along(0.09), hub.center.lon + along(0.13));
                end.coordinates = Coordinates { lat, lon };
            }
            let door = |l: &Location| waypoint(&place_of(&l.address, l.coordinates));
            if let Some(last) = &last {
                let way = travel_between(last, &door(&b.details.pickup)).minutes.max(15);
                at += Duration::minutes(i64::from(way));
            }
            last = Some(door(&b.details.dropoff));
            b.duration_minutes = 40 + u32::try_from(dice.below(50)).unwrap();
            (b.move_at, b.move_date, b.move_time, b.zone) = (at, date, hub.zone.local(at).time, hub.zone);
            at += Duration::minutes(i64::from(b.duration_minutes));
            (b.mate_count, b.tier, b.just_mates) = (MateCount::MIN, tier(mate), dice.below(4) == 0);
            (b.status, b.version, b.completed_at, b.cancelled_at) = (Status::Pending, 1, None, None);
            b.details.items.clear();
            jobs.push(b);
        }
    }
    // In the order of booking: any.
    for n in (1..jobs.len()).rev() {
        jobs.swap(n, usize::try_from(dice.below(n as u64 + 1)).unwrap());
    }
    for (n, b) in jobs.iter_mut().enumerate() {
        b.created_at = NOW.parse::<DateTime<Utc>>().unwrap() - Duration::days(2) + Duration::minutes(n as i64);
        b.updated_at = b.created_at;
        b.id = BookingId(Uuid::from_u128(0xb0_0000 + n as u128));
        let n = u8::try_from(n).unwrap();
        b.short_id = ShortId::from_entropy([29, 29, 29, 29, n / 30, n % 30]);
    }
    jobs
}
