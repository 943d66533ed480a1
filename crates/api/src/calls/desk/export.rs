//! A list as a file for a spreadsheet.

use actix_web::web;
use serde::Deserialize;
use service::{
    desk::export::{self, Line},
    ports::lists::Order,
};
use utoipa::ToSchema;

use super::lists::{BookingOrder, wish};
use crate::{
    access::AsStaff,
    calls::{
        replies::{Made, Reply, made},
        spreadsheet::{self, text},
    },
    contract::{DeclaredAnswer, refusals},
    http::ValidQuery,
    state::State,
};

refusals! {
    /// Why a list is not taken along.
    ExportRefusal { Rule: ExportTooLarge }
}

made! {
    /// Rows with their names, UTF-8 with a byte order mark.
    BookingFile: DeclaredAnswer::plain(200, "The list, with the names of its columns.", "text/csv");
}

/// Which list.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct ExportQuery {
    /// As in the list.
    #[schema(max_length = 4000)]
    filters: Option<String>,
    /// Words to find, as in the search.
    #[schema(max_length = 200)]
    value: Option<String>,
    /// In which order.
    sort: Option<BookingOrder>,
}

pub(super) async fn bookings(
    state: web::Data<State>,
    who: AsStaff,
    query: ValidQuery<ExportQuery>,
) -> Reply<Made<BookingFile>, ExportRefusal> {
    let q = query.value;
    let wish = service::desk::lists::BookingListQuery { value: q.value, ..wish(q.filters.as_deref())? };
    let order = q.sort.map_or(Order::MoveAt, Order::from);
    let lines = export::lines(&state.services, &who.0, wish, order).await?;
    Ok(Made::new(spreadsheet::response("bookings", file(&lines))))
}

const COLUMNS: [&str; 26] = [
    "shortId",
    "status",
    "moveDate",
    "moveTime",
    "zone",
    "hub",
    "moveKind",
    "pickup",
    "dropoff",
    "mates",
    "durationMinutes",
    "distanceKm",
    "tier",
    "amount",
    "tax",
    "total",
    "paymentState",
    "customerName",
    "customerEmail",
    "customerPhone",
    "language",
    "discountCode",
    "partner",
    "crew",
    "createdAt",
    "id",
];

fn file(lines: &[Line]) -> String {
    spreadsheet::file(&COLUMNS.join(","), lines.iter().map(row))
}

fn row(line: &Line) -> String {
    let (b, d) = (&line.booking, &line.booking.details);
    let cells: [String; 26] = [
        text(b.short_id.as_str()),
        b.status.code().to_owned(),
        b.move_date.to_string(),
        b.move_time.format("%H:%M").to_string(),
        b.zone.to_string(),
        text(&b.hub),
        b.move_kind.code().to_owned(),
        text(&d.pickup.address.line()),
        text(&d.dropoff.address.line()),
        b.mate_count.get().to_string(),
        b.duration_minutes.to_string(),
        format!("{}.{}", b.distance_km10 / 10, b.distance_km10 % 10),
        b.tier.to_string(),
        b.amount.to_string(),
        b.tax.to_string(),
        b.total.to_string(),
        line.payment_state.code().to_owned(),
        text(&d.customer_name),
        text(&d.customer_email),
        text(&d.customer_phone),
        b.language.code().to_owned(),
        text(b.discount_code.as_deref().unwrap_or_default()),
        text(&line.partner),
        text(&line.crew.join("; ")),
        b.created_at.to_rfc3339(),
        b.id.to_string(),
    ];
    cells.join(",")
}
