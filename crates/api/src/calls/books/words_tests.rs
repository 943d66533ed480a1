use service::{
    billing::misread::{Named, RowField},
    ports::{
        copies::Misread,
        disputes::DisputeState,
        payments::{AttemptState, PaidWith},
    },
};

use super::*;

/// Every code of the service has its words.
#[test]
fn each_difference_and_repair_has_words() {
    let keys = DifferenceKind::CODES.map(|c| format!("difference.{c}")).into_iter();
    let keys = keys.chain(Repair::CODES.map(|c| format!("repair.{c}")));
    let keys = keys.chain(Account::ALL.map(|a| format!("account.{}", a.code())));
    let states = status_machine::payment::State::ALL.iter().map(|s| format!("rowState.{}", s.code()));
    let keys = keys.chain(states);
    let keys = keys.chain(PaymentKind::ALL.map(|k| format!("charge.{}", k.code())));
    let missing: Vec<String> = keys.filter(|key| !exists(key)).collect();
    assert_eq!(missing, Vec::<String>::new());
}

#[test]
fn nothing_is_left_to_fill_in() {
    let at = DateTime::UNIX_EPOCH;
    let (amount, charge) = (Money::from_cents(1_234), PaymentKind::Balance);
    let payment = kernel::PaymentId(kernel::uuid::Uuid::nil());
    let step = Step { deed: RowAction::Charge, charge, amount, method: PaidWith::Card, at: Some(at) };
    let lines = vec![
        EntryLine { account: Account::Gateway, amount },
        EntryLine { account: Account::Trust, amount: amount.negated() },
    ];
    let id = kernel::EntryId(kernel::uuid::Uuid::nil());
    let unbalanced = |sum| DifferenceKind::Unbalanced { entry: Some(Broken { id, kind: "capture".into(), at, sum }) };
    let row_reads = |right| {
        let named = Named { field: RowField::Kind, reads: "tip".into(), right, order: None };
        DifferenceKind::RowReads { payment, charge, amount, named }
    };
    let misread = vec![Misread { field: "total".into(), reads: "1.00".into(), right: "12.34".into() }];
    let whats = [
        DifferenceKind::Overdue { charge, amount, since: at },
        DifferenceKind::PutOff { charge, amount, until: at, day: at },
        DifferenceKind::Books { accounts: vec![Account::Customer, Account::Trust], posted: amount, want: Money::ZERO },
        DifferenceKind::Capacity {
            hub: "montreal".into(),
            date: at.date_naive(),
            bucket: 20,
            counted: [1, 0, 0, 1],
            held: [0; 4],
        },
        DifferenceKind::GatewayMoved { amount, state: AttemptState::Lost.code().into() },
        DifferenceKind::Endless { charge, amount, many: 31, most: 4 },
        DifferenceKind::Kept { kept: amount, right: vec![Money::ZERO, amount] },
        DifferenceKind::DisputeBack { amount, state: DisputeState::Lost.code().into(), back: Money::ZERO },
        DifferenceKind::DisputeUnmarked { amount, state: DisputeState::Opened.code().into() },
        DifferenceKind::DisputeMissing { charge, amount },
        DifferenceKind::RowAmount { payment, charge, amount, made: Money::ZERO, order: None },
        DifferenceKind::RowUnmarked { payment, charge, amount, state: "scheduled".into(), order: None },
        DifferenceKind::RowMarked { payment, charge, amount, state: "charged_back".into() },
        DifferenceKind::EntryTwice { payment, charge, amount },
        DifferenceKind::RefundOutside { transaction: "t".into(), charge, charged: amount, amount, at },
        DifferenceKind::RefundUnknown { transaction: "t".into(), amount, at },
        DifferenceKind::VoidOutside { transaction: "t".into(), charge, amount },
        unbalanced(amount),
        unbalanced(Money::ZERO),
        DifferenceKind::Unbalanced { entry: None },
        DifferenceKind::AttemptMissing { charge, amount },
        DifferenceKind::Kept { kept: Money::ZERO, right: vec![amount] },
        row_reads(Some("balance".into())),
        row_reads(None),
        DifferenceKind::RecordReads { fields: misread.clone() },
        DifferenceKind::RefundRefused { amount },
        DifferenceKind::Unreadable { table: "bookings".into(), column: "details".into() },
        DifferenceKind::RowUnmarked { payment, charge, amount, state: "settled".into(), order: None },
        DifferenceKind::RowLost { payment, charge, amount, order: None },
        DifferenceKind::TipReads { reads: amount, given: Money::ZERO },
        DifferenceKind::TipAsked { asked: amount, given: Money::ZERO },
        DifferenceKind::TipAsked { asked: Money::ZERO, given: amount },
        DifferenceKind::PutOff { charge, amount, until: at, day: at + kernel::chrono::Duration::days(1) },
    ];
    let book_refund =
        |charge| Repair::BookRefund { order_id: "X".into(), transaction_id: "t".into(), amount, charge: Some(charge) };
    let repairs = [
        Repair::PlanAnew {
            steps: vec![
                step.clone(),
                Step { deed: RowAction::GiveBack, at: None, ..step.clone() },
                Step { deed: RowAction::Drop, ..step },
            ],
        },
        Repair::Post { order_id: "X".into(), lines: lines.clone() },
        Repair::Correct { lines: lines.clone(), of: Vec::new() },
        Repair::TurnAround { payment, lines: lines.clone() },
        Repair::SetAmount { payment, charge, was: Money::ZERO, amount },
        Repair::SetState { payment, charge, amount, was: "failed".into(), state: "partially_refunded".into() },
        Repair::SetTip { was: Money::ZERO, amount, paid: true },
        Repair::SetTip { was: Money::ZERO, amount, paid: false },
        Repair::BookApart { order_id: "X".into(), amount },
        book_refund(charge),
        book_refund(PaymentKind::Tip),
        Repair::BookMore { order_id: "X".into(), transaction_id: "t".into(), was: Money::ZERO, amount },
        Repair::BookLess { order_id: "X".into(), transaction_id: "t".into(), was: amount, amount: Money::ZERO },
        Repair::NeverMade { order_id: "X".into(), amount, refund: false },
        Repair::BookDispute { order_id: "X".into(), amount },
        Repair::TakeTime,
        Repair::SetField {
            payment,
            charge,
            amount,
            field: RowField::Charge,
            was: "none".into(),
            value: "balance".into(),
        },
        Repair::WriteRow { payment, charge, amount, method: PaidWith::Etransfer },
        Repair::SetRecord { fields: misread },
        Repair::SetKept { was: amount, kept: Money::ZERO },
        Repair::RefundBack { order_id: "X".into(), amount },
        Repair::NoteAttempt { order_id: "X".into(), transaction_id: "t".into(), charge, amount },
        Repair::SetState { payment, charge, amount, was: "settled".into(), state: "settled".into() },
        Repair::NeverMade { order_id: "X".into(), amount, refund: true },
        Repair::SetTip { was: amount, amount, paid: false },
        Repair::PostByHand { payment, amount, method: PaidWith::Etransfer, lines: lines.clone() },
        Repair::Balance { lines },
    ];
    for language in Language::ALL {
        let words = Words(language);
        let told = whats.iter().map(|what| {
            let d = Difference { subject: "K7M2QX".into(), booking: None, what: what.clone() };
            format!("{} {}", words.difference(&d), words.advice(&d))
        });
        for text in told.chain(repairs.iter().map(|r| words.repair(r))) {
            assert!(
                !text.contains('{')
                    && !text.contains("account.")
                    && !text.contains("entry.")
                    && !text.contains("dispute.")
                    && !text.contains("rowState.")
                    && !text.contains("tip.")
                    && !text.contains("charge."),
                "{text}"
            );
        }
    }
    // Who gave what back, of which charge, and when; nothing that anybody took.
    let d = Difference { subject: "K7M2QX-balance-1".into(), booking: None, what: whats[14].clone() };
    let told = Words(Language::En).difference(&d);
    assert!(told.starts_with("Somebody gave $12.34 of “Balance” ($12.34, K7M2QX-balance-1) back"), "{told}");
    assert!(!told.contains("took"), "{told}");
    // Where less is kept than the policy gives, nothing is given back.
    let less = Difference { subject: "K7M2QX".into(), booking: None, what: whats[21].clone() };
    let told = Words(Language::En).advice(&less);
    assert!(told.contains("nothing is to be given back"), "{told}");
    let entry = Difference { subject: "K7M2QX".into(), booking: None, what: whats[17].clone() };
    let told = Words(Language::En).difference(&entry);
    assert!(told.ends_with("does not balance: its debits and credits differ by $12.34"), "{told}");
    let d = Difference { subject: String::new(), booking: None, what: whats[3].clone() };
    assert_eq!(
        Words(Language::En).difference(&d),
        "Montréal, January 1, 1970, 10:00 a.m.: counted as taken (mates: 1, 26 ft trucks: 1), taken by bookings (nothing)"
    );
}
