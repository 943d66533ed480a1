//! Guests of the demo who asked a person, because their move cannot be booked online.

use kernel::{
    Language,
    chrono::{DateTime, Days, Duration, NaiveDate, Utc},
};
use serde_json::{Value, json};
use service::{
    Caller, Role, Services, Staff,
    idempotency::Replayable,
    ports::quote_requests::{CallAt, Obstacle, RequestState},
    quote_requests::{self, NewQuoteRequest},
};

use crate::failure::Failure;

/// One request of a guest.
struct DemoRequest {
    /// Asked this many hours before now.
    hours: i64,
    name: &'static str,
    email: &'static str,
    phone: &'static str,
    language: Language,
    call_at: CallAt,
    obstacle: Obstacle,
    /// City, province, postal code and street of both ends.
    ends: [[&'static str; 4]; 2],
    /// Days from now to the move.
    days: u64,
    mates: u8,
    pieces: &'static [(&'static str, u32)],
    comments: &'static str,
    state: RequestState,
}

/// All of them, the longest ago first.
const ALL: [DemoRequest; 3] = [
    DemoRequest {
        hours: 76,
        name: "Gabrielle Fortin",
        email: "gabrielle.fortin@portage.test",
        phone: "",
        language: Language::Fr,
        call_at: CallAt::Morning,
        obstacle: Obstacle::AreaUnserved,
        ends: [
            ["Montréal", "QC", "H2L 3X7", "1250 Rue Saint-Hubert"],
            ["Rimouski", "QC", "G5L 3P3", "88 Rue Saint-Germain Ouest"],
        ],
        days: 24,
        mates: 2,
        pieces: &[("bed-frame-queen", 1), ("dresser-double", 1), ("box-medium-3-1", 25)],
        comments: "Un vélo et des plantes aussi.",
        state: RequestState::Closed,
    },
    DemoRequest {
        hours: 27,
        name: "Marcus Chen",
        email: "marcus.chen@portage.test",
        phone: "514-555-0177",
        language: Language::En,
        call_at: CallAt::Evening,
        obstacle: Obstacle::HeavyItems,
        ends: [
            ["Westmount", "QC", "H3Y 1V7", "4800 Boulevard de Maisonneuve Ouest"],
            ["Montréal", "QC", "H2W 1X9", "3700 Rue Saint-Denis"],
        ],
        days: 17,
        mates: 3,
        pieces: &[("piano-baby-grand", 1), ("sofa-bed", 1), ("box-medium-3-1", 12)],
        comments: "The piano is on the second floor, and the stairs turn once.",
        state: RequestState::Answering,
    },
    DemoRequest {
        hours: 5,
        name: "王小明",
        email: "xiaoming.wang@portage.test",
        phone: "438-555-0135",
        language: Language::Zh,
        call_at: CallAt::Anytime,
        obstacle: Obstacle::TooFar,
        ends: [
            ["Montréal", "QC", "H3G 1M8", "1455 Boulevard de Maisonneuve Ouest"],
            ["Toronto", "ON", "M5V 2B7", "600 Queen Street West"],
        ],
        days: 31,
        mates: 2,
        pieces: &[("desk-large", 1), ("bed-frame-double", 1), ("box-medium-3-1", 18)],
        comments: "",
        state: RequestState::New,
    },
];

/// When each of them asked, with its place in the list.
pub(super) fn agenda(until: DateTime<Utc>) -> impl Iterator<Item = (DateTime<Utc>, usize)> {
    ALL.iter().enumerate().map(move |(place, asked)| (until - Duration::hours(asked.hours), place))
}

/// Writes the request at this place of the list, and what staff did with it since.
///
/// # Errors
/// When the use case refuses it.
pub(super) async fn ask(s: &Services, staff: &Staff, place: usize, until: DateTime<Utc>) -> Result<(), Failure> {
    let Some(asked) = ALL.get(place) else { return Ok(()) };
    let date = until.date_naive().checked_add_days(Days::new(asked.days)).unwrap_or_default();
    let guest = Caller {
        role: Role::Guest,
        user: None,
        partner: None,
        mate: None,
        language: asked.language,
        network: None,
        request_id: None,
    };
    let unreadable = |what: &str| Failure::new(format!("the demo has no {what} of {}", asked.name));
    let phone = (!asked.phone.is_empty()).then(|| asked.phone.parse().map_err(|_| unreadable("telephone")));
    let [from, to] = asked.ends;
    let wish = NewQuoteRequest {
        name: asked.name.to_owned(),
        email: Some(asked.email.parse().map_err(|_| unreadable("address"))?),
        phone: phone.transpose()?,
        language: asked.language,
        call_at: asked.call_at,
        obstacles: vec![asked.obstacle],
        draft: draft(asked, date).to_string(),
        move_date: Some(date),
        from_city: from[0].to_owned(),
        to_city: to[0].to_owned(),
    };
    if let Replayable::Fresh(made) = quote_requests::ask(s, &guest, wish, None).await?
        && asked.state != RequestState::New
    {
        quote_requests::put(s, staff, made.id, asked.state, made.version).await?;
    }
    Ok(())
}

/// The move as the page would have sent it.
fn draft(asked: &DemoRequest, date: NaiveDate) -> Value {
    let end = |[city, province, postal_code, street]: [&str; 4]| {
        json!({
            "country": "Canada", "province": province, "postalCode": postal_code, "city": city, "street": street,
            "fullAddress": format!("{street}, {city}, {province} {postal_code}, Canada"),
        })
    };
    let pieces: Vec<Value> =
        asked.pieces.iter().map(|(id, quantity)| json!({ "id": id, "quantity": quantity })).collect();
    json!({
        "pickup": end(asked.ends[0]),
        "dropoff": end(asked.ends[1]),
        "pickupFloor": 2,
        "dropoffFloor": 1,
        "date": date,
        "time": "09:00",
        "mateCount": asked.mates,
        "selectedFurnitures": pieces,
        "comments": asked.comments,
    })
}
