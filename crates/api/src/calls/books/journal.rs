//! The journal as a file.

use actix_web::{HttpResponse, http::header, web};
use futures_util::stream;
use kernel::chrono::NaiveDate;
use serde::Deserialize;
use service::{
    desk::books::{Journal, ZONE},
    ports::books::JournalEntry,
};
use utoipa::ToSchema;

use crate::{
    access::AsStaff,
    calls::{
        replies::{Made, Reply, made},
        spreadsheet::text,
    },
    contract::DeclaredAnswer,
    http::{ApiError, ValidQuery},
    state::State,
};

made! {
    /// Rows with their names, UTF-8 with a byte order mark.
    JournalFile: DeclaredAnswer::plain(200, "The journal, with the names of its columns.", "text/csv");
}

/// Which days.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct JournalQuery {
    /// The first day, Montreal's.
    #[schema(value_type = String, format = Date)]
    from: NaiveDate,
    /// The last day; at most 400 days.
    #[schema(value_type = String, format = Date)]
    to: NaiveDate,
}

const COLUMNS: &str = "date,entry,kind,account,debit,credit,booking,reference";

/// Where a file that is sent piece by piece stands.
struct Sheet {
    state: web::Data<State>,
    journal: Journal,
    /// Read already.
    ready: Option<Vec<JournalEntry>>,
    begun: bool,
}

impl Sheet {
    async fn next(mut self) -> Option<(Result<web::Bytes, ApiError>, Sheet)> {
        let mut out = String::new();
        if !self.begun {
            self.begun = true;
            // The mark tells spreadsheets that it is UTF-8.
            out.push('\u{feff}');
            out.push_str(COLUMNS);
            out.push_str("\r\n");
        }
        let page = match self.ready.take() {
            Some(page) => Some(page),
            None => match self.journal.next(&self.state.services).await {
                Ok(page) => page,
                // Half a journal must not look like a whole one: the connection breaks.
                Err(e) => return Some((Err(e.into()), self)),
            },
        };
        match page {
            Some(page) => write(&mut out, &page),
            None if out.is_empty() => return None,
            None => {}
        }
        Some((Ok(web::Bytes::from(out)), self))
    }
}

fn write(out: &mut String, page: &[JournalEntry]) {
    for entry in page {
        let date = ZONE.local(entry.place.0).date.to_string();
        let (booking, reference) = (text(&entry.short_id), text(entry.reference.as_deref().unwrap_or_default()));
        for line in &entry.lines {
            let (debit, credit) = if line.amount.is_negative() {
                (String::new(), line.amount.negated().to_string())
            } else {
                (line.amount.to_string(), String::new())
            };
            let number = entry.place.1.to_string();
            for cell in [
                date.as_str(),
                number.as_str(),
                entry.kind.as_str(),
                line.account.code(),
                debit.as_str(),
                credit.as_str(),
                booking.as_str(),
            ] {
                out.push_str(cell);
                out.push(',');
            }
            out.push_str(&reference);
            out.push_str("\r\n");
        }
    }
}

pub(super) async fn get(
    state: web::Data<State>,
    who: AsStaff,
    query: ValidQuery<JournalQuery>,
) -> Reply<Made<JournalFile>> {
    let JournalQuery { from, to } = query.value;
    let mut journal = Journal::open(&state.services, &who.0, from, to).await?;
    // What goes wrong at once is told as a problem.
    let ready = journal.next(&state.services).await?;
    let sheet = Sheet { state, journal, ready, begun: false };
    let response = HttpResponse::Ok()
        .content_type("text/csv; charset=utf-8")
        .insert_header((header::CONTENT_DISPOSITION, format!("attachment; filename=\"journal-{from}-{to}.csv\"")))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .streaming(stream::unfold(sheet, Sheet::next));
    Ok(Made::new(response))
}
