//! Staff's lists of bookings.

use actix_web::web;
use serde::Deserialize;
use service::{
    desk::lists::{self, BookingListQuery, Paging, Rows},
    ports::lists::Order,
};
use utoipa::ToSchema;

use super::{
    filters,
    rows::{StaffBooking, StaffBookingPage},
};
use crate::{
    access::AsStaff,
    calls::replies::{Json, Reply},
    contract::CommonError,
    http::ValidQuery,
    state::State,
};

/// In which order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
pub enum BookingOrder {
    /// The next move first.
    #[serde(rename = "moveAt")]
    MoveAt,
    /// The move furthest ahead first.
    #[serde(rename = "-moveAt")]
    MoveAtDescending,
    /// The oldest booking first.
    #[serde(rename = "createdAt")]
    CreatedAt,
    /// The newest booking first.
    #[serde(rename = "-createdAt")]
    CreatedAtDescending,
}

impl BookingOrder {
    /// The code in requests and answers.
    pub const fn code(self) -> &'static str {
        match self {
            BookingOrder::MoveAt => "moveAt",
            BookingOrder::MoveAtDescending => "-moveAt",
            BookingOrder::CreatedAt => "createdAt",
            BookingOrder::CreatedAtDescending => "-createdAt",
        }
    }
}

impl From<BookingOrder> for Order {
    fn from(o: BookingOrder) -> Order {
        match o {
            BookingOrder::MoveAt => Order::MoveAt,
            BookingOrder::MoveAtDescending => Order::MoveAtDescending,
            BookingOrder::CreatedAt => Order::CreatedAt,
            BookingOrder::CreatedAtDescending => Order::CreatedAtDescending,
        }
    }
}

/// Which rows of a list.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct ListQuery {
    /// Page, from 1.
    #[serde(default = "first")]
    #[schema(minimum = 1, maximum = 1_000_000, default = 1)]
    page: i64,
    /// Rows a page.
    #[serde(default = "ten")]
    #[schema(minimum = 1, maximum = 100, default = 10)]
    per_page: i64,
    /// In which order.
    sort: Option<BookingOrder>,
    /// A JSON object: `bookingDateFrom`, `bookingDateTo`, `slot`, `distanceMin`, `distanceMax`, `durationMin`, `durationMax`,
    /// `mateCount`, `mateCountMin`, `mateCountMax`, `tierMin`, `tierMax`, `partnerId`, `rideAlong`, `justMates`,
    /// `clientAsMate`, `status`, `province`, `hub`, `moveKind`, `paymentState`, `payment`, `unassigned`, `createdFrom`,
    /// `createdTo`, `withinHours`.
    #[schema(max_length = 4000)]
    filters: Option<String>,
}

/// What is looked for, and which rows of what is found.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct SearchQuery {
    /// Words in any order: short id, name, e-mail, telephone in any writing, address, discount code; or how they begin.
    #[schema(max_length = 200)]
    value: String,
    /// Page, from 1.
    #[serde(default = "first")]
    #[schema(minimum = 1, maximum = 1_000_000, default = 1)]
    page: i64,
    /// Rows a page.
    #[serde(default = "ten")]
    #[schema(minimum = 1, maximum = 100, default = 10)]
    per_page: i64,
    /// In which order; the best match first when it is left out.
    sort: Option<BookingOrder>,
    /// As in the list.
    #[schema(max_length = 4000)]
    filters: Option<String>,
}

const fn first() -> i64 {
    1
}

const fn ten() -> i64 {
    10
}

/// The search that the filters describe; everything without filters.
pub(super) fn wish(text: Option<&str>) -> Result<BookingListQuery, CommonError> {
    text.map_or(Ok(BookingListQuery::default()), filters::read)
}

fn answer(found: &Rows, paging: Paging) -> Json<StaffBookingPage> {
    Json(StaffBookingPage {
        data: found.data.iter().map(StaffBooking::row).collect(),
        total: found.counted.total,
        total_is_exact: found.counted.is_exact,
        page: paging.page,
        per_page: paging.per_page,
    })
}

type BookingPageReply = Reply<Json<StaffBookingPage>>;

async fn booking_page(state: &State, who: &AsStaff, q: ListQuery, from_today: bool) -> BookingPageReply {
    let paging = Paging { page: q.page, per_page: q.per_page };
    let wish = BookingListQuery { from_today, ..wish(q.filters.as_deref())? };
    let order = q.sort.map_or(Order::MoveAt, Order::from);
    let found = lists::page(&state.services, &who.0, wish, order, paging).await?;
    Ok(answer(&found, paging))
}

pub(super) async fn list(state: web::Data<State>, who: AsStaff, query: ValidQuery<ListQuery>) -> BookingPageReply {
    let from_today = query.value.filters.is_none() && query.value.sort.is_none();
    booking_page(&state, &who, query.value, from_today).await
}

pub(super) async fn filter(state: web::Data<State>, who: AsStaff, query: ValidQuery<ListQuery>) -> BookingPageReply {
    booking_page(&state, &who, query.value, false).await
}

pub(super) async fn search(state: web::Data<State>, who: AsStaff, query: ValidQuery<SearchQuery>) -> BookingPageReply {
    let q = query.value;
    let paging = Paging { page: q.page, per_page: q.per_page };
    let wish = BookingListQuery { value: Some(q.value), ..wish(q.filters.as_deref())? };
    let found = match q.sort {
        Some(order) => lists::page(&state.services, &who.0, wish, order.into(), paging).await?,
        None => lists::best(&state.services, &who.0, wish, paging).await?,
    };
    Ok(answer(&found, paging))
}
