//! What is heavy, and who can move it. Skills are words that staff write down about a mate.

use furniture_catalogue::Catalogue;
use kernel::MateId;

use crate::{
    Error, ErrorCode, ServiceResult,
    ports::{Unit, bookings::Booking, directory::MateState},
};

/// A piano.
const PIANO: u32 = 1;
/// Anything heavy, a piano included.
const HEAVY: u32 = 2;
/// Pieces for which rate cards ask for a larger crew.
const SPECIAL: [&str; 4] = ["piano", "pool-table", "hot-tub", "safe-large"];
/// So many of those who can are named to whom is refused.
const MOST_NAMED: usize = 5;
/// Words that say so, and what they are about.
const WORDS: [(&str, u32); 4] = [("piano", PIANO), ("heavy", HEAVY), ("lourd", HEAVY), ("重", HEAVY)];

/// The skills, as bits, of which somebody on the crew of a booking needs one; none if no item is heavy. For a piano
/// either skill will do, for another heavy item only that for heavy items.
pub(crate) fn required_skills(b: &Booking) -> u32 {
    let catalogue = Catalogue::builtin();
    let heavy = b.details.items.iter().filter_map(|i| catalogue.get(&i.id)).filter(|i| i.is_heavy());
    heavy.fold(0, |bits, item| bits | HEAVY | if item.id.contains("piano") { PIANO } else { 0 })
}

/// As [`required_skills`], only of pieces that need a taught mover: a crew without one is not sent. A couch is heavy as
/// well, and two people who are shown on the board as no movers of heavy things may carry it.
fn taught(b: &Booking) -> u32 {
    let special = b.details.items.iter().filter(|i| SPECIAL.iter().any(|kind| i.id.contains(kind)));
    special.fold(0, |bits, item| bits | HEAVY | if item.id.contains("piano") { PIANO } else { 0 })
}

/// What somebody can do, as bits, by the words about them.
pub(crate) fn of_words(skills: &[String]) -> u32 {
    let has = |word: &str| skills.iter().any(|skill| skill.to_lowercase().contains(word));
    WORDS.iter().filter(|(word, _)| has(word)).fold(0, |bits, (_, bit)| bits | bit)
}

/// Sees that one of the people who go was taught to move a piano, a pool table and the like. A skill that nobody of the hub has cannot be asked for.
///
/// # Errors
/// `crew_missing` saying which skill, when nobody of these has it and somebody of the hub has; when the database fails.
pub(crate) fn one_can(u: &mut dyn Unit, b: &Booking, crew: &[MateId]) -> ServiceResult<()> {
    let asked = taught(b);
    if asked == 0 {
        return Ok(());
    }
    let (mut known, mut able) = (false, Vec::new());
    for mate in u.directory().mates()?.iter().filter(|m| of_words(&m.skills) & asked != 0) {
        known |= crew.contains(&mate.id);
        let here = mate.hubs.is_empty() || mate.hubs.contains(&b.hub);
        if here && mate.state == MateState::Active {
            able.push(mate.name.clone());
        }
    }
    if known || able.is_empty() {
        return Ok(());
    }
    able.truncate(MOST_NAMED);
    let what = if asked & PIANO == 0 { "heavy" } else { "piano" };
    Err(Error::Refused(ErrorCode::CrewMissing, vec![("skill", what.to_owned()), ("able", able.join(", "))]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_say_who_can_do_what() {
        let bits = |words: &[&str]| of_words(&words.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>());
        assert_eq!(bits(&["Pianos"]), PIANO);
        assert_eq!(bits(&["Objets lourds", "français"]), HEAVY);
        assert_eq!(bits(&["钢琴和重物", "piano"]), PIANO | HEAVY);
        assert_eq!(bits(&["driving"]), 0);
    }
}
