//! What the mates of the demo's history say of their jobs.

use kernel::{
    BookingId, Language,
    chrono::{DateTime, Utc},
};
use service::{Caller, Error, Role, Services, dispatch::jobs, ports::dispatch::Act};

use crate::failure::Failure;

/// Whoever tries the demo answers as this mate what is still to come.
const TRIED: &str = "mate@portage.test";

/// Has everybody on a move say something of it now; `present` is when the history ends. What does not take place any more is
/// passed over.
///
/// # Errors
/// When the database fails.
pub async fn say(s: &Services, id: BookingId, act: Act, present: DateTime<Utc>) -> Result<(), Failure> {
    let speak = s.store.read(move |u| {
        let is_over = u.bookings().get(id)?.is_some_and(|b| b.move_at < present);
        let mut speak = Vec::new();
        for on in u.crews().of_booking(id)? {
            let tried = u.directory().mate(on.mate)?.is_some_and(|m| m.email == TRIED);
            if is_over || !tried {
                speak.push(on.mate);
            }
        }
        Ok::<_, Error>(speak)
    });
    for mate in speak.await? {
        let caller = Caller {
            role: Role::Mate,
            user: None,
            partner: None,
            mate: Some(mate),
            language: Language::En,
            network: None,
            request_id: None,
        };
        match jobs::act(s, &caller, id, act, None).await {
            Ok(_) | Err(Error::Refused(..)) => {}
            Err(e) => return Err(e.into()),
        }
    }
    Ok(())
}
