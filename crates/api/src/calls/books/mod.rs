//! The books: journal, balances, the report of a day, what lies in trust, and whether all agree.

mod aged;
mod journal;
mod misread;
mod months;
mod reconciliation;
mod reports;
mod words;

use serde_json::json;

use crate::endpoint::{ADMIN, Audit, Example, Route, STAFF};

const TAG: &str = "Books";

/// The calls.
pub fn routes() -> Vec<Route> {
    vec![
        Route::get("/api/journal", STAFF, journal::get)
            .audited(Audit::Action("journal.export"))
            .doc("journal", TAG, "The journal as CSV: every line with its debit or credit")
            .about("Days are Montreal's. Debits and credits of each day are equal.")
            .example(Example::query(&[("from", "2027-02-01"), ("to", "2027-02-28")])),
        Route::get("/api/books/balances", STAFF, reports::balances)
            .doc("balances", TAG, "Every account as it is, or as it was at an instant")
            .example(Example::query(&[("at", "2027-02-09T12:00:00Z")])),
        Route::get("/api/books/day", STAFF, reports::day)
            .doc("dayReport", TAG, "The end of a day: what came, what went, what was earned, taxes, tips, differences")
            .example(Example::query(&[("date", "2027-02-09")])),
        Route::get("/api/books/trust", STAFF, reports::trust)
            .doc("trustReport", TAG, "What is held in trust until its move, by booking")
            .about("Quebec: money that came more than two months before the move.")
            .example(Example::query(&[("page", "1"), ("per_page", "50")])),
        Route::get("/api/books/trust/export", STAFF, reports::trust_file)
            .audited(Audit::Action("trust.export"))
            .doc("exportTrustReport", TAG, "The same as CSV"),
        Route::get("/api/books/aged", STAFF, aged::list)
            .doc("agedBalances", TAG, "What customers and partners owe, by how late it is, now or at an instant")
            .about("What is owed less what is held is what the accounts of customers say. An invoice says when it was due; before there is one a partner has time, and a customer owes from when the debt arose.")
            .example(Example::query(&[("at", "2027-02-09T12:00:00Z")])),
        Route::get("/api/books/aged/export", STAFF, aged::file)
            .audited(Audit::Action("aged.export"))
            .doc("exportAgedBalances", TAG, "The same booking by booking, as CSV"),
        Route::get("/api/books/months", STAFF, months::list)
            .doc("bookMonths", TAG, "The months of the books, and which of them are closed"),
        Route::post("/api/books/months/close", ADMIN, Audit::Action("month.close"), months::close)
            .doc("closeMonth", TAG, "Close a month: nothing is dated in it any more, whoever writes")
            .about("A month that has ended everywhere the company works, one after the other; the first closes whatever lies before it as well. Asked for again, it stays closed.")
            .example(Example::json(json!({ "month": "2027-01" }))),
        Route::post("/api/books/months/reopen", ADMIN, Audit::Action("month.reopen"), months::reopen)
            .doc("reopenMonth", TAG, "Reopen the month that was closed last, with a reason")
            .example(Example::json(json!({ "month": "2027-01", "reason": "An invoice of the landlord came late" }))),
        Route::get("/api/books/accounting", STAFF, months::file)
            .audited(Audit::Action("accounting.export"))
            .doc("accountingFile", TAG, "A month for the accounting program, as CSV")
            .about("One layout for all three contents, which QuickBooks Online and Xero import: entries that balance. Names of accounts are in the language of the caller, their numbers stay.")
            .example(Example::query(&[("month", "2027-02"), ("content", "journal")])),
        Route::get("/api/reconciliation", STAFF, reconciliation::last)
            .doc("reconciliation", TAG, "The newest comparison of payment service, ledger and histories")
            .about("Each difference in words, with what would put it right; where that is a person's, with what they must do."),
        Route::post("/api/reconciliation", STAFF, Audit::Action("comparison.start"), reconciliation::ask)
            .doc("compareNow", TAG, "Have everything compared now; nothing is changed by it"),
        Route::post(
            "/api/reconciliation/{id}/repair",
            STAFF,
            Audit::Action("difference.repair"),
            reconciliation::repair,
        )
        .doc("repairDifference", TAG, "Put a difference right, as its repair says")
        .about("Done only if it is still the same difference and would still be the same repair."),
    ]
}
