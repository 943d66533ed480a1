//! A difference in English, for logs and the command line. Staff read it in their own language, at the desk.

use std::fmt;

use super::difference::{Broken, DifferenceKind};
use crate::ports::{copies::Misread, payments::PaymentKind};

impl fmt::Display for DifferenceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = |charge: &PaymentKind| charge.code();
        match self {
            DifferenceKind::GatewayTwice { many } => write!(f, "the gateway made {many} transactions"),
            DifferenceKind::DisputeLost { amount } => {
                write!(f, "the bank gave {amount} back after a dispute, our books hold it")
            }
            DifferenceKind::DisputeOpen { amount } => {
                write!(f, "the cardholder disputes {amount}, our books do not say so")
            }
            DifferenceKind::DisputeWon { amount } => {
                write!(f, "a dispute of {amount} was won, our books say it is open")
            }
            DifferenceKind::GatewayUnknown { amount } => write!(f, "the gateway moved {amount} that we do not know"),
            DifferenceKind::GatewayMoved { amount, state } => write!(f, "the gateway moved {amount}, we wrote {state}"),
            DifferenceKind::GatewayAmount { amount, ours } => write!(f, "the gateway moved {amount}, we wrote {ours}"),
            DifferenceKind::GatewayMissing { amount } => {
                write!(f, "we wrote {amount}, the gateway knows nothing of it")
            }
            DifferenceKind::LedgerAmount { posted, ours } => write!(f, "the ledger says {posted}, the attempt {ours}"),
            DifferenceKind::LedgerMissing { .. } => write!(f, "the ledger has no entry"),
            DifferenceKind::NotReturned { amount } => write!(f, "{amount} belongs to no booking and did not go back"),
            DifferenceKind::Unbalanced { entry: None } => write!(f, "entries do not sum to zero"),
            DifferenceKind::Unbalanced { entry: Some(Broken { id, kind, sum, .. }) } if sum.is_zero() => {
                write!(f, "the ledger entry {id} ({kind}) has no lines")
            }
            DifferenceKind::Unbalanced { entry: Some(Broken { id, kind, sum, .. }) } => {
                write!(f, "the lines of the ledger entry {id} ({kind}) come to {sum}, not to zero")
            }
            DifferenceKind::Capacity { counted, held, .. } => write!(f, "counted {counted:?}, held {held:?}"),
            DifferenceKind::MadeTwice { charge, amount, many } => {
                write!(f, "the {} of {amount} was made {many} times", kind(charge))
            }
            DifferenceKind::UnderWay { charge, amount } => {
                write!(f, "the {} of {amount} is under way without being marked so", kind(charge))
            }
            DifferenceKind::MadeUnsaid { charge, amount } => {
                write!(f, "the {} of {amount} counts as made and no attempt says so", kind(charge))
            }
            DifferenceKind::Held { net, asked, owed } => {
                write!(f, "holds {net} and asks for {asked}, its history says {owed}")
            }
            DifferenceKind::HeldByHand { net, asked, owed } => {
                write!(f, "holds {net} and asks for {asked}, its history says {owed} at most, paid by hand")
            }
            DifferenceKind::Early { charge, amount } => {
                write!(f, "the {} of {amount} was charged before its day", kind(charge))
            }
            DifferenceKind::Tip { held, owed } => write!(f, "holds a tip of {held}, {owed} was given"),
            DifferenceKind::TipReads { reads, given } => write!(f, "the tip reads {reads}, its giver said {given}"),
            DifferenceKind::TipAsked { asked, given } => write!(f, "asks for a tip of {asked}, {given} was given"),
            DifferenceKind::Overdue { charge, amount, since } => {
                write!(f, "the {} of {amount} has been due since {}", kind(charge), since.to_rfc3339())
            }
            DifferenceKind::PutOff { charge, amount, until, day } => {
                let (until, day) = (until.to_rfc3339(), day.to_rfc3339());
                write!(f, "the {} of {amount} waits until {until}, its day was {day}", kind(charge))
            }
            DifferenceKind::Waits { charge, amount } => write!(f, "the {} of {amount} waits for nothing", kind(charge)),
            DifferenceKind::Unseen { charge, amount } => {
                write!(f, "the {} of {amount} was given up and nobody is told", kind(charge))
            }
            DifferenceKind::Endless { charge, amount, many, most } => {
                let kind = kind(charge);
                write!(f, "the {kind} of {amount} was refused {many} times by one card, {most} are allowed")
            }
            DifferenceKind::Kept { kept, right } => {
                let right: Vec<String> = right.iter().map(ToString::to_string).collect();
                write!(f, "kept {kept} of its cancellation, the policy gives {}", right.join(" or "))
            }
            DifferenceKind::CrewMissing => write!(f, "is assigned and nobody is on its crew"),
            DifferenceKind::CrewLeft { status, many } => write!(f, "is {status} and still takes {many} mates"),
            DifferenceKind::Fee { amount } => write!(f, "a change fee of {amount} although nobody was ever assigned"),
            DifferenceKind::DisputeBack { amount, state, back } => {
                write!(f, "a dispute of {amount} is {state}, {back} went back for it")
            }
            DifferenceKind::DisputeUnmarked { amount, state } => {
                write!(f, "a dispute of {amount} is {state}, its charge does not say so")
            }
            DifferenceKind::DisputeMissing { charge, amount } => {
                write!(f, "the {} of {amount} counts as disputed and no dispute says so", kind(charge))
            }
            DifferenceKind::Books { accounts, posted, want } => {
                let names: Vec<&str> = accounts.iter().map(|a| a.code()).collect();
                write!(f, "the ledger says {posted} in {}, its history {want}", names.join("+"))
            }
            DifferenceKind::CapacityMissing => write!(f, "takes no capacity"),
            DifferenceKind::CapacityLeft => write!(f, "still takes capacity"),
            DifferenceKind::RowAmount { charge, amount, made, .. } => {
                write!(f, "the {} reads {amount}, {made} moved", kind(charge))
            }
            DifferenceKind::RowUnmarked { charge, amount, state, .. } => {
                write!(f, "the {} of {amount} reads {state}, its money moved", kind(charge))
            }
            DifferenceKind::RowMarked { charge, amount, state, .. } => {
                write!(f, "the {} of {amount} reads {state}, nobody else knows of it", kind(charge))
            }
            DifferenceKind::RowLost { charge, amount, .. } => {
                write!(f, "the row of the {} of {amount} is gone; the ledger has it", kind(charge))
            }
            DifferenceKind::EntryTwice { charge, amount, .. } => {
                write!(f, "the {} is in the ledger once more, with {amount}", kind(charge))
            }
            DifferenceKind::RefundOutside { charge, charged, amount, at, .. } => {
                let (kind, at) = (kind(charge), at.to_rfc3339());
                write!(f, "somebody gave {amount} of the {kind} of {charged} back at the gateway on {at}")
            }
            DifferenceKind::RefundUnknown { amount, at, .. } => {
                write!(f, "somebody gave {amount} back at the gateway on {}, of no charge of ours", at.to_rfc3339())
            }
            DifferenceKind::AttemptMissing { charge, amount } => {
                let kind = kind(charge);
                write!(
                    f,
                    "the record of the attempt at the {kind} of {amount} is missing; the row and the ledger have it"
                )
            }
            DifferenceKind::RowReads { charge, amount, named, .. } => {
                let (field, reads) = (named.field.code(), &named.reads);
                let right = named.right.as_deref().unwrap_or("something else");
                write!(f, "the {} of {amount} reads {field} {reads}, its money says {right}", kind(charge))
            }
            DifferenceKind::RecordReads { fields } => {
                let of = |m: &Misread| format!("{} reads {}, {} was written", m.field, m.reads, m.right);
                write!(f, "somebody changed its record: {}", fields.iter().map(of).collect::<Vec<_>>().join("; "))
            }
            DifferenceKind::Unreadable { table, column } => {
                write!(f, "somebody changed its record: {table}.{column} cannot be read, nothing of it was compared")
            }
            DifferenceKind::RefundRefused { amount } => {
                write!(f, "the bank did not take the refund of {amount}, our books say that it went back")
            }
            DifferenceKind::VoidOutside { charge, amount, .. } => {
                write!(f, "somebody undid the {} of {amount} at the gateway", kind(charge))
            }
        }
    }
}
