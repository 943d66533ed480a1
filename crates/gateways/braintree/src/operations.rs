//! The GraphQL documents Portage sends, one operation a file in `operations/`.

/// One operation: what is sent as `operationName`, the document, and the field its answer is under.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operation {
    /// Sent as `operationName`, and the word in logs.
    pub name: &'static str,
    /// The document.
    pub document: &'static str,
    /// The field of `data` that carries the answer.
    pub root: &'static str,
}

macro_rules! operations {
    ($($(#[$doc:meta])* $constant:ident = $name:literal, $file:literal, $root:literal;)+) => {
        $($(#[$doc])* pub const $constant: Operation = Operation {
            name: $name,
            document: include_str!(concat!("../operations/", $file)),
            root: $root,
        };)+

        /// Every operation this crate can send.
        pub const ALL: &[Operation] = &[$($constant),+];
    };
}

operations! {
    /// A token for the browser's card fields.
    CLIENT_TOKEN = "PortageClientToken", "client_token.graphql", "createClientToken";
    /// Makes a customer.
    CREATE_CUSTOMER = "PortageCreateCustomer", "create_customer.graphql", "createCustomer";
    /// Finds customers, for example by e-mail.
    FIND_CUSTOMERS = "PortageFindCustomers", "find_customers.graphql", "search";
    /// Stores the card behind a nonce.
    VAULT = "PortageVault", "vault.graphql", "vaultPaymentMethod";
    /// Authorizes and submits for settlement.
    CHARGE = "PortageCharge", "charge.graphql", "chargePaymentMethod";
    /// Voids or refunds the whole.
    REVERSE = "PortageReverse", "reverse.graphql", "reverseTransaction";
    /// Refunds all or part of a settled transaction.
    REFUND = "PortageRefund", "refund.graphql", "refundTransaction";
    /// One transaction with its refunds.
    TRANSACTION = "PortageTransaction", "transaction.graphql", "node";
    /// Charges and refunds by order id, or by time of creation.
    PAYMENTS = "PortagePayments", "payments.graphql", "search";
    /// Is the gateway there, and are the keys right?
    PING = "PortagePing", "ping.graphql", "ping";
    /// Sandbox and simulator only: settles a transaction at once.
    SANDBOX_SETTLE = "PortageSandboxSettle", "sandbox_settle.graphql", "sandboxSettleTransaction";
}
