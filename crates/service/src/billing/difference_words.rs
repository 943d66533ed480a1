//! A difference in English, for logs and the command line. Staff read it in their own language, at the desk.

use std::fmt;

use super::difference::{Broken, What};
use crate::ports::{copies::Misread, payments::PaymentKind};

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = |charge: &PaymentKind| charge.code();
        match self {
            What::GatewayTwice { many } => write!(f, "the gateway made {many} transactions"),
            What::DisputeLost { amount } => {
                write!(f, "the bank gave {amount} back after a dispute, our books hold it")
            }
            What::DisputeOpen { amount } => {
                write!(f, "the cardholder disputes {amount}, our books do not say so")
            }
            What::DisputeWon { amount } => write!(f, "a dispute of {amount} was won, our books say it is open"),
            What::GatewayUnknown { amount } => write!(f, "the gateway moved {amount} that we do not know"),
            What::GatewayMoved { amount, state } => write!(f, "the gateway moved {amount}, we wrote {state}"),
            What::GatewayAmount { amount, ours } => write!(f, "the gateway moved {amount}, we wrote {ours}"),
            What::GatewayMissing { amount } => write!(f, "we wrote {amount}, the gateway knows nothing of it"),
            What::LedgerAmount { posted, ours } => write!(f, "the ledger says {posted}, the attempt {ours}"),
            What::LedgerMissing { .. } => write!(f, "the ledger has no entry"),
            What::NotReturned { amount } => write!(f, "{amount} belongs to no booking and did not go back"),
            What::Unbalanced { entry: None } => write!(f, "entries do not sum to zero"),
            What::Unbalanced { entry: Some(Broken { id, kind, sum, .. }) } if sum.is_zero() => {
                write!(f, "the ledger entry {id} ({kind}) has no lines")
            }
            What::Unbalanced { entry: Some(Broken { id, kind, sum, .. }) } => {
                write!(f, "the lines of the ledger entry {id} ({kind}) come to {sum}, not to zero")
            }
            What::Capacity { counted, held, .. } => write!(f, "counted {counted:?}, held {held:?}"),
            What::MadeTwice { charge, amount, many } => {
                write!(f, "the {} of {amount} was made {many} times", kind(charge))
            }
            What::UnderWay { charge, amount } => {
                write!(f, "the {} of {amount} is under way without being marked so", kind(charge))
            }
            What::MadeUnsaid { charge, amount } => {
                write!(f, "the {} of {amount} counts as made and no attempt says so", kind(charge))
            }
            What::Held { net, asked, owed } => write!(f, "holds {net} and asks for {asked}, its history says {owed}"),
            What::HeldByHand { net, asked, owed } => {
                write!(f, "holds {net} and asks for {asked}, its history says {owed} at most, paid by hand")
            }
            What::Early { charge, amount } => {
                write!(f, "the {} of {amount} was charged before its day", kind(charge))
            }
            What::Tip { held, owed } => write!(f, "holds a tip of {held}, {owed} was given"),
            What::TipReads { reads, given } => write!(f, "the tip reads {reads}, its giver said {given}"),
            What::TipAsked { asked, given } => write!(f, "asks for a tip of {asked}, {given} was given"),
            What::Overdue { charge, amount, since } => {
                write!(f, "the {} of {amount} has been due since {}", kind(charge), since.to_rfc3339())
            }
            What::PutOff { charge, amount, until, day } => {
                let (until, day) = (until.to_rfc3339(), day.to_rfc3339());
                write!(f, "the {} of {amount} waits until {until}, its day was {day}", kind(charge))
            }
            What::Waits { charge, amount } => write!(f, "the {} of {amount} waits for nothing", kind(charge)),
            What::Unseen { charge, amount } => {
                write!(f, "the {} of {amount} was given up and nobody is told", kind(charge))
            }
            What::Endless { charge, amount, many, most } => {
                let kind = kind(charge);
                write!(f, "the {kind} of {amount} was refused {many} times by one card, {most} are allowed")
            }
            What::Kept { kept, right } => {
                let right: Vec<String> = right.iter().map(ToString::to_string).collect();
                write!(f, "kept {kept} of its cancellation, the policy gives {}", right.join(" or "))
            }
            What::CrewMissing => write!(f, "is assigned and nobody is on its crew"),
            What::CrewLeft { status, many } => write!(f, "is {status} and still takes {many} mates"),
            What::Fee { amount } => write!(f, "a change fee of {amount} although nobody was ever assigned"),
            What::DisputeBack { amount, state, back } => {
                write!(f, "a dispute of {amount} is {state}, {back} went back for it")
            }
            What::DisputeUnmarked { amount, state } => {
                write!(f, "a dispute of {amount} is {state}, its charge does not say so")
            }
            What::DisputeMissing { charge, amount } => {
                write!(f, "the {} of {amount} counts as disputed and no dispute says so", kind(charge))
            }
            What::Books { accounts, posted, want } => {
                let names: Vec<&str> = accounts.iter().map(|a| a.code()).collect();
                write!(f, "the ledger says {posted} in {}, its history {want}", names.join("+"))
            }
            What::CapacityMissing => write!(f, "takes no capacity"),
            What::CapacityLeft => write!(f, "still takes capacity"),
            What::RowAmount { charge, amount, made, .. } => {
                write!(f, "the {} reads {amount}, {made} moved", kind(charge))
            }
            What::RowUnmarked { charge, amount, state, .. } => {
                write!(f, "the {} of {amount} reads {state}, its money moved", kind(charge))
            }
            What::RowMarked { charge, amount, state, .. } => {
                write!(f, "the {} of {amount} reads {state}, nobody else knows of it", kind(charge))
            }
            What::RowLost { charge, amount, .. } => {
                write!(f, "the row of the {} of {amount} is gone; the ledger has it", kind(charge))
            }
            What::EntryTwice { charge, amount, .. } => {
                write!(f, "the {} is in the ledger once more, with {amount}", kind(charge))
            }
            What::RefundOutside { charge, charged, amount, at, .. } => {
                let (kind, at) = (kind(charge), at.to_rfc3339());
                write!(f, "somebody gave {amount} of the {kind} of {charged} back at the gateway on {at}")
            }
            What::RefundUnknown { amount, at, .. } => {
                write!(f, "somebody gave {amount} back at the gateway on {}, of no charge of ours", at.to_rfc3339())
            }
            What::AttemptMissing { charge, amount } => {
                let kind = kind(charge);
                write!(
                    f,
                    "the record of the attempt at the {kind} of {amount} is missing; the row and the ledger have it"
                )
            }
            What::RowReads { charge, amount, named, .. } => {
                let (field, reads) = (named.field.code(), &named.reads);
                let right = named.right.as_deref().unwrap_or("something else");
                write!(f, "the {} of {amount} reads {field} {reads}, its money says {right}", kind(charge))
            }
            What::RecordReads { fields } => {
                let of = |m: &Misread| format!("{} reads {}, {} was written", m.field, m.reads, m.right);
                write!(f, "somebody changed its record: {}", fields.iter().map(of).collect::<Vec<_>>().join("; "))
            }
            What::Unreadable { table, column } => {
                write!(f, "somebody changed its record: {table}.{column} cannot be read, nothing of it was compared")
            }
            What::RefundRefused { amount } => {
                write!(f, "the bank did not take the refund of {amount}, our books say that it went back")
            }
            What::VoidOutside { charge, amount, .. } => {
                write!(f, "somebody undid the {} of {amount} at the gateway", kind(charge))
            }
        }
    }
}
