//! What a link in a mail is good for.

/// What a link in a mail is good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TokenPurpose {
    /// Shows that mail to the address arrives.
    VerifyEmail,
    /// Sets a new password.
    ResetPassword,
    /// Gives an account another address: the one it went to.
    ChangeEmail,
    /// Makes somebody a member of the staff. No such link is made.
    Invite,
    /// Pays for one booking without signing in.
    Pay,
    /// Stores another card for one booking without signing in.
    Card,
    /// Asks for a consent without signing in.
    Consent,
    /// Shows one booking without signing in. No such link is made.
    MovePage,
}

impl TokenPurpose {
    /// All of them.
    pub const ALL: [TokenPurpose; 8] = [
        TokenPurpose::VerifyEmail,
        TokenPurpose::ResetPassword,
        TokenPurpose::ChangeEmail,
        TokenPurpose::Invite,
        TokenPurpose::Pay,
        TokenPurpose::Card,
        TokenPurpose::Consent,
        TokenPurpose::MovePage,
    ];

    /// As stored.
    pub const fn code(self) -> &'static str {
        match self {
            TokenPurpose::VerifyEmail => "verify_email",
            TokenPurpose::ResetPassword => "reset_password",
            TokenPurpose::ChangeEmail => "change_email",
            TokenPurpose::Invite => "invite",
            TokenPurpose::Pay => "pay",
            TokenPurpose::Card => "card",
            TokenPurpose::Consent => "consent",
            TokenPurpose::MovePage => "move_page",
        }
    }

    /// The inverse of [`TokenPurpose::code`].
    pub fn from_code(code: &str) -> Option<TokenPurpose> {
        TokenPurpose::ALL.into_iter().find(|p| p.code() == code)
    }
}
