//! How large a body may be.

/// What a call takes when its row in the table says nothing else, bytes: the longest list of
/// furniture and the longest texts of a booking.
pub const USUAL: usize = 128 * 1024;
/// The largest body any call takes that is read as one text, bytes.
pub const LARGEST: usize = 1024 * 1024;
/// The largest file with rows of a catalogue, bytes.
pub const TABLE: usize = 4 * 1024 * 1024;
/// The largest file of a form, bytes.
pub const FILE: usize = 12 * 1024 * 1024;
/// The largest body of a call that takes a file: beside it stand its name and kind.
pub const FILE_FORM: usize = FILE + 16 * 1024;

/// The largest body of the call that matched, put there by `access::guard`.
#[derive(Debug, Clone, Copy)]
pub struct BodyLimit(pub usize);
