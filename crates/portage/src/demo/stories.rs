//! What happened in the demo: whose moves, from where to where, and how each went.

use furniture_catalogue::Preset;
use kernel::Language;

/// A customer of the demo. Nobody is told their password.
pub(super) struct Person {
    /// Given and family name.
    pub name: (&'static str, &'static str),
    /// Address of their account.
    pub email: &'static str,
    /// Telephone.
    pub phone: &'static str,
    /// Of their messages.
    pub language: Language,
}

const fn person(
    name: (&'static str, &'static str),
    email: &'static str,
    phone: &'static str,
    language: Language,
) -> Person {
    Person { name, email, phone, language }
}

/// All of them.
pub(super) const PEOPLE: [Person; 13] = [
    person(("Sophie", "Lavoie"), "sophie.lavoie@portage.test", "514-555-0141", Language::Fr),
    person(("Marc-André", "Pelletier"), "ma.pelletier@portage.test", "438-555-0172", Language::Fr),
    person(("娜", "李"), "na.li@portage.test", "514-555-0118", Language::Zh),
    person(("James", "O’Neill"), "james.oneill@portage.test", "514-555-0163", Language::En),
    person(("Fatima", "Benali"), "fatima.benali@portage.test", "450-555-0107", Language::Fr),
    person(("Hannah", "Kowalski"), "hannah.kowalski@portage.test", "514-555-0185", Language::En),
    person(("David", "Nguyen"), "david.nguyen@portage.test", "438-555-0129", Language::En),
    person(("Chloé", "Girard"), "chloe.girard@portage.test", "514-555-0156", Language::Fr),
    person(("伟", "赵"), "wei.zhao@portage.test", "514-555-0194", Language::Zh),
    person(("Rachel", "Goldberg"), "rachel.goldberg@portage.test", "514-555-0132", Language::En),
    person(("Étienne", "Morin"), "etienne.morin@portage.test", "450-555-0148", Language::Fr),
    person(("Priyanka", "Sharma"), "priyanka.sharma@portage.test", "416-555-0153", Language::En),
    person(("Tom", "Wilson"), "tom.wilson@portage.test", "604-555-0117", Language::En),
];

/// How a move went, as far as it has gone by now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Course {
    /// Nobody has been assigned yet.
    Waits,
    /// A crew is on it.
    Assigned,
    /// As [`Course::Assigned`], and the bank declines the charge before the move.
    Declined,
    /// It is done.
    Completed,
    /// As [`Course::Completed`], and the invoice was sent: everything had been charged.
    Payed,
    /// Booked by telephone, done, and invoiced; nobody has paid yet.
    Invoiced,
    /// The customer cancels so many hours before the start.
    CancelledByCustomer(i64),
    /// The company cancels so many hours before the start.
    CancelledByCompany(i64),
    /// As [`Course::CancelledByCustomer`], and staff take it off the lists.
    Deleted(i64),
}

/// One move.
pub(super) struct Story {
    /// Index into [`PEOPLE`].
    pub who: usize,
    /// As somebody types it.
    pub from: &'static str,
    /// As somebody types it.
    pub to: &'static str,
    /// What they own.
    pub home: Preset,
    /// Paid mates.
    pub mates: u8,
    /// So many days ago it was booked.
    pub booked: i64,
    /// The move is in so many days; in the past when negative.
    pub moves: i64,
    /// Local hour of the start.
    pub hour: u32,
    /// What became of it.
    pub course: Course,
    /// Percent of tip.
    pub tip: Option<&'static str>,
    /// A code.
    pub code: Option<&'static str>,
    /// What the customer wrote.
    pub comments: &'static str,
    /// What staff noted a day after it was booked.
    pub note: &'static str,
}

const fn story(who: usize, from: &'static str, to: &'static str, home: Preset, mates: u8) -> Story {
    Story {
        who,
        from,
        to,
        home,
        mates,
        booked: 0,
        moves: 0,
        hour: 9,
        course: Course::Waits,
        tip: None,
        code: None,
        comments: "",
        note: "",
    }
}

impl Story {
    const fn at(self, booked: i64, moves: i64, hour: u32, course: Course) -> Story {
        Story { booked, moves, hour, course, ..self }
    }

    const fn tip(self, percent: &'static str) -> Story {
        Story { tip: Some(percent), ..self }
    }

    const fn code(self, code: &'static str) -> Story {
        Story { code: Some(code), ..self }
    }

    const fn says(self, comments: &'static str) -> Story {
        Story { comments, ..self }
    }

    const fn noted(self, note: &'static str) -> Story {
        Story { note, ..self }
    }
}

use Course::{Assigned, CancelledByCompany, CancelledByCustomer, Completed, Declined, Deleted, Invoiced, Payed, Waits};
use Preset::{OneBedroom, Studio, ThreeBedroom, TwoBedroom};

/// All moves.
pub(super) const STORIES: [Story; 24] = [
    story(0, "3950 Rue Saint-Denis, Montréal", "450 Rue Sherbrooke Est, Montréal", OneBedroom, 2)
        .at(41, -28, 9, Payed)
        .tip("10"),
    story(1, "4700 Boulevard Saint-Laurent, Montréal", "1500 Rue Peel, Montréal", TwoBedroom, 3)
        .at(38, -21, 8, Payed)
        .code("WELCOME10"),
    story(3, "5200 Avenue du Parc, Montréal", "900 Avenue du Mont-Royal Est, Montréal", Studio, 2)
        .at(30, -16, 13, Completed),
    story(11, "120 King Street West, Toronto", "600 Queen Street West, Toronto", OneBedroom, 2)
        .at(33, -12, 9, Completed)
        .tip("15"),
    story(5, "1450 Rue Sherbrooke Ouest, Montréal", "5400 Rue Sherbrooke Ouest, Montréal", TwoBedroom, 3)
        .at(27, -8, 10, Completed)
        .noted("Called: the piano stays, everything else goes."),
    story(6, "2100 Rue Peel, Montréal", "6600 Boulevard Saint-Laurent, Montréal", Studio, 2).at(15, -5, 14, Invoiced),
    story(2, "1350 Rue Sainte-Catherine Ouest, Montréal", "4300 Rue Saint-Denis, Montréal", OneBedroom, 2)
        .at(20, -2, 9, Completed)
        .says("电梯已预订，上午九点到十二点。"),
    story(7, "850 Rue Sainte-Catherine Est, Montréal", "1100 Rue Sherbrooke Est, Montréal", TwoBedroom, 3)
        .at(18, -1, 8, Completed)
        .tip("12"),
    story(4, "1600 Boulevard Le Carrefour, Laval", "3600 Avenue du Parc, Montréal", ThreeBedroom, 4)
        .at(24, -10, 8, CancelledByCompany(70))
        .noted("Truck broke down, no other was free. Customer was called."),
    story(8, "1020 Rue Peel, Montréal", "4650 Boulevard Saint-Laurent, Montréal", OneBedroom, 2).at(
        29,
        -14,
        11,
        CancelledByCustomer(200),
    ),
    story(9, "5300 Rue Sherbrooke Ouest, Montréal", "1400 Rue Sherbrooke Ouest, Montréal", Studio, 2).at(
        16,
        -6,
        9,
        CancelledByCustomer(20),
    ),
    story(10, "50 Boulevard Saint-Laurent, Montréal", "3900 Rue Saint-Denis, Montréal", Studio, 2)
        .at(22, -9, 15, Deleted(150))
        .noted("Booked twice by mistake; the other one is under the brother’s name."),
    story(10, "60 Boulevard Saint-Laurent, Montréal", "4000 Rue Saint-Denis, Montréal", Studio, 2)
        .at(21, -9, 15, Completed),
    story(1, "1500 Rue Peel, Montréal", "6100 Rue Saint-Denis, Montréal", OneBedroom, 2)
        .at(9, 1, 8, Declined)
        .says("Sonner au 12, la porte de côté est plus large."),
    story(0, "450 Rue Sherbrooke Est, Montréal", "5000 Avenue du Parc, Montréal", OneBedroom, 2).at(8, 1, 13, Waits),
    story(12, "900 West Georgia Street, Vancouver", "1200 Robson Street, Vancouver", OneBedroom, 2)
        .at(7, 2, 9, Assigned),
    story(5, "5400 Rue Sherbrooke Ouest, Montréal", "2050 Rue Peel, Montréal", TwoBedroom, 3)
        .at(12, 2, 10, Waits)
        .noted("Asks for the same crew as last time."),
    story(3, "900 Avenue du Mont-Royal Est, Montréal", "3500 Avenue du Parc, Montréal", Studio, 2)
        .at(6, 3, 14, Assigned)
        .tip("10"),
    story(4, "1700 Boulevard Le Carrefour, Laval", "1200 Rue Sherbrooke Est, Montréal", ThreeBedroom, 4)
        .at(10, 5, 8, Assigned)
        .code("WELCOME10")
        .says("Le piano est au rez-de-chaussée."),
    story(2, "4300 Rue Saint-Denis, Montréal", "1000 Rue Peel, Montréal", OneBedroom, 2).at(4, 8, 9, Waits).tip("8"),
    story(11, "600 Queen Street West, Toronto", "150 Bloor Street West, Toronto", OneBedroom, 2).at(5, 9, 11, Waits),
    story(7, "1100 Rue Sherbrooke Est, Montréal", "700 Avenue du Mont-Royal Est, Montréal", TwoBedroom, 3)
        .at(3, 13, 8, Waits)
        .code("PARTNER25"),
    story(6, "6600 Boulevard Saint-Laurent, Montréal", "1300 Rue Sainte-Catherine Ouest, Montréal", Studio, 2)
        .at(2, 19, 12, Waits),
    story(9, "1400 Rue Sherbrooke Ouest, Montréal", "4700 Boulevard Saint-Laurent, Montréal", TwoBedroom, 3)
        .at(1, 30, 9, Waits)
        .says("Two flights of stairs, no elevator."),
];
