//! Checks of what is private, which the conformance suite runs: unit tests of their own would have this crate, with both its
//! engines, compiled a second time.

#[cfg(unix)]
pub use crate::private::checks::every_way_to_a_file_is_one_path;
pub use crate::{
    columns::checks::an_instant_is_written_with_a_fixed_width_and_read_back,
    engine::{
        postgres::checks::a_url_without_time_outs_gets_them,
        sqlite::setup::checks::{
            lists_are_spelt_out, what_is_spelt_out_refuses_the_same, what_is_written_over_is_gone_from_the_file,
        },
    },
    open::checks::{a_refused_url_is_not_repeated, urls_name_an_engine_or_are_refused},
};
