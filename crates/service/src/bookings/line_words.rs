//! Words a line of a booked price in a language. It was frozen in the language the booking was made in; in another one its
//! words are worked out from what it is. Papers that are out keep the words they went out with.

use kernel::{BasisPoints, Language, Money};
use pricing::Line;

use crate::{
    estimates::explain::factors,
    ports::{bookings::Booking, priced::BookedLine},
    texts::text,
};

/// Code of the line by which staff set another price ([`super::rewrite`]).
const ADJUSTMENT: &str = "adjustment";

/// What a line is for, worked out from what it is; none where nobody can tell.
pub(crate) fn described(line: &BookedLine, mates: u8, l: Language) -> Option<String> {
    if line.code == ADJUSTMENT {
        return Some(text("contract.adjustment", l).to_owned());
    }
    let unit =
        [pricing::Unit::Hour, pricing::Unit::Km, pricing::Unit::Flat].into_iter().find(|u| u.code() == line.unit)?;
    let told = Line {
        content: line.content.parse().ok()?,
        code: line.code.clone(),
        quantity: pricing::quantity_of(line.quantity, unit)?,
        unit,
        unit_price: Money::ZERO,
        factor: BasisPoints::ONE,
        multiplier: BasisPoints::ONE,
        period: line.period.clone(),
        mates,
        amount: line.amount,
    };
    Some(pricing::describe_line(&told, l))
}

/// What a line of a booking is for; as it is kept, where nobody can tell.
pub fn description(line: &BookedLine, b: &Booking, l: Language) -> String {
    let told = || described(line, b.mate_count.get(), l);
    if l == b.language { None } else { told() }.unwrap_or_else(|| line.description.clone())
}

/// How its amount comes about: the sentence was frozen in one language, what it is multiplied by is told in each.
pub fn explanation(line: &BookedLine, b: &Booking, l: Language) -> Option<String> {
    line.explanation.clone().filter(|_| l == b.language).or_else(|| factors(line, l))
}
