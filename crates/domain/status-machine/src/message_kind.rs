//! The messages Portage sends, by the specification's `messageType`.

coded! {
    /// A message type.
    MessageKind, "message type" {
        /// The booking exists.
        BookingConfirmation = "bookingConfirmation",
        /// The deposit was captured.
        DepositCharged = "depositCharged",
        /// The balance, or the merged charge, was captured.
        BalanceCharged = "balanceCharged",
        /// Everything was charged at booking.
        FullPaymentCharged = "fullPaymentCharged",
        /// A link to pay by.
        PaymentLink = "paymentLink",
        /// A charge was declined.
        PaymentFailed = "paymentFailed",
        /// The booking was changed.
        BookingEdited = "bookingEdited",
        /// A link for another card.
        CardLink = "cardLink",
        /// A question that the customer has to agree to.
        ConsentRequest = "consentRequest",
        /// The booking was cancelled.
        BookingCancelled = "bookingCancelled",
        /// Money went back.
        RefundIssued = "refundIssued",
        /// The move is near.
        MoveReminder = "moveReminder",
        /// Who comes.
        MateAssigned = "mateAssigned",
        /// A job, to a mate.
        MateJob = "mateJob",
        /// A job that somebody else does now, to the mate.
        MateReleased = "mateReleased",
        /// An invoice.
        InvoiceSent = "invoiceSent",
        /// An invoice that is overdue.
        InvoiceReminder = "invoiceReminder",
        /// An invoice is settled.
        PaymentReceived = "paymentReceived",
        /// The tip was captured.
        TipCharged = "tipCharged",
        /// How was it.
        FeedbackRequest = "feedbackRequest",
        /// A guest's quote.
        QuoteSaved = "quoteSaved",
        /// Their question reached us, to who asked a person for a quote.
        QuoteRequestReceived = "quoteRequestReceived",
        /// Somebody asked for a quote, to the company.
        QuoteRequestAlert = "quoteRequestAlert",
        /// A new account.
        Welcome = "welcome",
        /// A forgotten password.
        PasswordReset = "passwordReset",
        /// Another address for an account, to that address.
        EmailChange = "emailChange",
        /// The same, to the old address.
        EmailChangeNotice = "emailChangeNotice",
        /// Access to the dashboard.
        OpsInvite = "opsInvite",
        /// A partner's invoice.
        PartnerInvoice = "partnerInvoice",
        /// A mate's or a truck's paper that ends.
        PapersEnd = "papersEnd",
        /// Something staff must look at.
        OpsAlert = "opsAlert",
        /// SMS: a delivery is planned.
        DeliveryScheduled = "deliveryScheduled",
        /// SMS: the driver is on the way.
        DeliveryOnTheWay = "deliveryOnTheWay",
        /// SMS: the driver is near.
        DeliveryArriving = "deliveryArriving",
        /// SMS: delivered.
        DeliveryCompleted = "deliveryCompleted",
        /// SMS: not delivered.
        DeliveryFailed = "deliveryFailed",
    }
}
