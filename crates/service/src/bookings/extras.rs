//! Assembly, services beside the move and rooms, as a booking keeps them.

use kernel::Language;
use pricing::ExtraService;

use super::{
    draft::{Draft, EditInput, Extras},
    quote::Priced,
};
use crate::ports::bookings::{Booking, BookingDetails};

/// What a stored booking says.
pub(super) fn of(d: &BookingDetails) -> Extras {
    Extras {
        // Nothing at all is how "no assembly" is kept; what differs by item is kept with the items.
        assembly: (d.assembly == Some(0)).then_some(false),
        services: d.extra_services.iter().filter_map(|code| code.parse().ok()).collect(),
        rooms: d.rooms,
    }
}

/// As a change leaves it.
pub(super) fn merged(d: &BookingDetails, input: &EditInput) -> Extras {
    let old = of(d);
    Extras {
        assembly: input.assembly.or(old.assembly),
        services: input.extra_services.clone().unwrap_or(old.services),
        rooms: input.rooms.unwrap_or(old.rooms),
    }
}

/// What staff read of services that have no price, by the names the customer saw.
fn unpriced_note(services: &[ExtraService], language: Language) -> String {
    let names: Vec<&str> = services.iter().map(|s| pricing::extra_name(*s, language)).collect();
    match language {
        Language::En => format!("Asked for, without a price on the rate card: {}.", names.join(", ")),
        Language::Fr => format!("Demandé, sans prix dans la grille tarifaire\u{a0}: {}.", names.join(", ")),
        Language::Zh => format!("客户要求的服务，价目表中没有价格：{}。", names.join("、")),
    }
}

/// Writes it into the record. Services without a price are told to staff once.
pub(super) fn write(new: &mut Booking, draft: &Draft, priced: &Priced) {
    let d = &mut new.details;
    let before = of(d).services;
    let wanted = |s: &ExtraService| draft.extras.services.contains(s);
    d.extra_services = ExtraService::ALL.into_iter().filter(wanted).map(|s| s.code().to_owned()).collect();
    let said = draft.extras.assembly == Some(false) || draft.items.iter().any(|i| i.assembly.is_some());
    d.assembly = match draft.extras.assembly {
        Some(false) => Some(0),
        _ => said.then_some(priced.estimate.duration.assembly_pieces),
    };
    d.rooms = draft.extras.rooms;
    let billed = |s: ExtraService| priced.estimate.quote.lines.iter().any(|l| l.code == s.code());
    let unpriced: Vec<ExtraService> =
        ExtraService::ALL.into_iter().filter(|s| wanted(s) && !before.contains(s) && !billed(*s)).collect();
    if !unpriced.is_empty() {
        let note = unpriced_note(&unpriced, new.language);
        d.notes = if d.notes.is_empty() { note } else { format!("{}\n{note}", d.notes) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_without_a_price_is_told_by_its_name() {
        let both = [ExtraService::Storage, ExtraService::TvMounting];
        for (language, note) in [
            (Language::En, "Asked for, without a price on the rate card: Storage, TV mounting."),
            (
                Language::Fr,
                "Demandé, sans prix dans la grille tarifaire\u{a0}: Entreposage, Installation du téléviseur.",
            ),
            (Language::Zh, "客户要求的服务，价目表中没有价格：仓储、电视挂装。"),
        ] {
            assert_eq!(unpriced_note(&both, language), note);
        }
    }
}
