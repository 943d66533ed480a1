//! Limits for an account whose e-mail address is not verified: enough for an honest
//! household. To fill a calendar, or somebody else's mailbox, one would have to read mails for every
//! few bookings.

use chrono::{Duration, NaiveDate};
use kernel::UserId;

use crate::{Caller, Error, ErrorCode, Role, ServiceResult, Tx, ports::Unit};

/// Open bookings of an account.
pub const MOST_OPEN: i64 = 5;
/// Bookings an account makes within a day, also when it cancels them: each writes mails.
const MOST_MADE: usize = 10;
/// Changes an account makes within a day.
const MOST_CHANGED: usize = 20;
/// Bookings of one network within a day, whatever accounts they are made with.
const MOST_OF_NETWORK: usize = 10;
/// The same for one day of one hub.
const MOST_OF_DAY: usize = 2;
/// After a day the deposit is charged: a place that is kept longer costs money.
const WINDOW: Duration = Duration::hours(24);

/// Who books, as far as it matters here.
#[derive(Debug, Clone)]
pub(super) struct Booker {
    user: UserId,
    customer: bool,
    network: Option<String>,
}

/// A local day of a hub.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'h> {
    pub hub: &'h str,
    pub date: NaiveDate,
}

impl Booker {
    /// The account behind a call; none for guests.
    pub(super) fn of(caller: &Caller) -> Option<Booker> {
        let customer = caller.role == Role::Customer;
        Some(Booker { user: caller.user?, customer, network: caller.network.clone() })
    }

    /// Nobody has to show anything: staff, and whoever reads the mails of their address.
    fn is_trusted(&self, u: &mut dyn Unit) -> ServiceResult<bool> {
        Ok(!self.customer || u.accounts().get(self.user)?.is_none_or(|a| a.email_verified))
    }

    /// Lets another booking in, or not, and counts it. The account is locked until commit, so that
    /// ten at once are counted one after the other; call it before anything else is locked.
    ///
    /// # Errors
    /// `email_unverified` naming the bound that is reached.
    pub(super) fn admit(&self, tx: &mut Tx<'_>, place: Place<'_>) -> ServiceResult<()> {
        if self.is_trusted(tx.unit)? {
            return Ok(());
        }
        count(tx, &format!("bookings:{}", self.user), MOST_MADE)?;
        if tx.unit.bookings().open_of_user(self.user, tx.now)? >= MOST_OPEN {
            return Err(unverified(MOST_OPEN));
        }
        if let Some(network) = &self.network {
            count(tx, &format!("bookings:{network}"), MOST_OF_NETWORK)?;
        }
        self.admit_on(tx, place)
    }

    /// Lets a change in, or not, and counts it; `moved_to` when the booking goes to another day.
    ///
    /// # Errors
    /// As [`Booker::admit`].
    pub(super) fn admit_change(&self, tx: &mut Tx<'_>, moved_to: Option<Place<'_>>) -> ServiceResult<()> {
        if self.is_trusted(tx.unit)? {
            return Ok(());
        }
        count(tx, &format!("changes:{}", self.user), MOST_CHANGED)?;
        moved_to.map_or(Ok(()), |place| self.admit_on(tx, place))
    }

    fn admit_on(&self, tx: &mut Tx<'_>, place: Place<'_>) -> ServiceResult<()> {
        let Some(network) = &self.network else { return Ok(()) };
        count(tx, &format!("bookings:{network}:{}:{}", place.hub, place.date), MOST_OF_DAY)
    }
}

fn count(tx: &mut Tx<'_>, key: &str, most: usize) -> ServiceResult<()> {
    let mut instants = tx.unit.tallies().lock(key, tx.now)?;
    // The clock of a demonstration may be set back: what lies ahead of it counts as long.
    instants.retain(|at| (tx.now - *at).abs() < WINDOW);
    if instants.len() >= most {
        return Err(unverified(i64::try_from(most).unwrap_or(i64::MAX)));
    }
    instants.push(tx.now);
    tx.unit.tallies().put(key, &instants)?;
    Ok(())
}

fn unverified(most: i64) -> Error {
    Error::Refused(ErrorCode::EmailUnverified, vec![("n", most.to_string())])
}
