//! Requests of guests for a quote that a person makes.

use chrono::{DateTime, NaiveDate, Utc};
use kernel::{BookingId, Email, Language, Phone, UserId};
use serde::{Deserialize, Serialize};

use super::StoreResult;

kernel::typed_ids! {
    /// A request for a quote.
    QuoteRequestId
}

/// Where a request stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RequestState {
    /// Nobody has taken it yet.
    New,
    /// Somebody of the staff answers it.
    Answering,
    /// It became a booking.
    Booked,
    /// It ended without a booking.
    Closed,
}

impl RequestState {
    /// All of them.
    pub const ALL: [RequestState; 4] =
        [RequestState::New, RequestState::Answering, RequestState::Booked, RequestState::Closed];

    /// Stable code.
    pub const fn code(self) -> &'static str {
        match self {
            RequestState::New => "new",
            RequestState::Answering => "answering",
            RequestState::Booked => "booked",
            RequestState::Closed => "closed",
        }
    }

    /// The state of a code.
    pub fn from_code(code: &str) -> Option<RequestState> {
        RequestState::ALL.into_iter().find(|s| s.code() == code)
    }
}

/// When somebody wants to be called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CallAt {
    /// At any time of the day.
    Anytime,
    /// Before noon.
    Morning,
    /// Between noon and five.
    Afternoon,
    /// After five.
    Evening,
}

impl CallAt {
    /// All of them.
    pub const ALL: [CallAt; 4] = [CallAt::Anytime, CallAt::Morning, CallAt::Afternoon, CallAt::Evening];

    /// Stable code.
    pub const fn code(self) -> &'static str {
        match self {
            CallAt::Anytime => "anytime",
            CallAt::Morning => "morning",
            CallAt::Afternoon => "afternoon",
            CallAt::Evening => "evening",
        }
    }

    /// The time of a code.
    pub fn from_code(code: &str) -> Option<CallAt> {
        CallAt::ALL.into_iter().find(|c| c.code() == code)
    }
}

/// Why a move could not be booked online, as its guest was told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Obstacle {
    /// The two ends are too far apart.
    TooFar,
    /// Pieces that only a person arranges.
    HeavyItems,
    /// More than one truck or the largest crew can do.
    TooLarge,
    /// It needs more mates than may be booked online.
    ManyMates,
    /// It takes longer than may be booked online.
    TooLong,
    /// An end is outside of the area.
    AreaUnserved,
    /// Something else.
    Other,
}

impl Obstacle {
    /// All of them.
    pub const ALL: [Obstacle; 7] = [
        Obstacle::TooFar,
        Obstacle::HeavyItems,
        Obstacle::TooLarge,
        Obstacle::ManyMates,
        Obstacle::TooLong,
        Obstacle::AreaUnserved,
        Obstacle::Other,
    ];

    /// Stable code.
    pub const fn code(self) -> &'static str {
        match self {
            Obstacle::TooFar => "too_far",
            Obstacle::HeavyItems => "heavy_items",
            Obstacle::TooLarge => "too_large",
            Obstacle::ManyMates => "many_mates",
            Obstacle::TooLong => "too_long",
            Obstacle::AreaUnserved => "area_unserved",
            Obstacle::Other => "other",
        }
    }

    /// The obstacle of a code.
    pub fn from_code(code: &str) -> Option<Obstacle> {
        Obstacle::ALL.into_iter().find(|o| o.code() == code)
    }
}

/// A request for a quote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuoteRequest {
    /// Key.
    pub id: QuoteRequestId,
    /// Where it stands.
    pub state: RequestState,
    /// Who asks, as typed.
    pub name: String,
    /// Where they read mail; none when they want to be called.
    pub email: Option<Email>,
    /// Where they are called; none when they want to be written to.
    pub phone: Option<Phone>,
    /// Their language.
    pub language: Language,
    /// When they want to be called.
    pub call_at: CallAt,
    /// Why they could not book.
    pub obstacles: Vec<Obstacle>,
    /// The draft as a booking takes it, as JSON; it may lack anything.
    pub draft: String,
    /// Local day of the move, as far as it is known.
    pub move_date: Option<NaiveDate>,
    /// Municipality of the pickup; empty while it is not known.
    pub from_city: String,
    /// Municipality of the drop-off; empty while it is not known.
    pub to_city: String,
    /// Who of the staff took it.
    pub taken_by: Option<UserId>,
    /// What it became.
    pub booking_id: Option<BookingId>,
    /// When it came.
    pub made_at: DateTime<Utc>,
    /// When it was last changed.
    pub changed_at: DateTime<Utc>,
    /// Counts up with each change.
    pub version: i32,
}

/// Which requests are asked for.
#[derive(Debug, Clone, Default)]
pub struct WantedRequests {
    /// Only those that stand so.
    pub state: Option<RequestState>,
    /// Only those that this person took.
    pub taken_by: Option<UserId>,
    /// Only those with all of these words, in the normal form of search.
    pub words: Vec<String>,
}

/// Requests for a quote.
pub trait QuoteRequests {
    /// Adds one.
    fn insert(&mut self, request: &QuoteRequest) -> StoreResult<()>;
    /// One.
    fn get(&mut self, id: QuoteRequestId) -> StoreResult<Option<QuoteRequest>>;
    /// A page, the newest first; and how many there are.
    fn listed(&mut self, wanted: &WantedRequests, skip: i64, limit: i64) -> StoreResult<(Vec<QuoteRequest>, i64)>;
    /// Writes state, who took it, its booking and when if the stored version equals `request.version`; answers the new
    /// version, else `Stale`.
    fn update(&mut self, request: &QuoteRequest) -> StoreResult<i32>;
    /// Forgets those that ended and were last changed before; how many.
    fn purge(&mut self, before: DateTime<Utc>) -> StoreResult<usize>;
}
