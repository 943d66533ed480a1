//! What is private in the store: [`store::testing::checks`].

use store::testing::checks;

#[test]
fn urls_name_an_engine_or_are_refused() {
    checks::urls_name_an_engine_or_are_refused();
}

#[test]
fn a_refused_url_is_not_repeated() {
    checks::a_refused_url_is_not_repeated();
}

#[test]
fn a_url_without_time_outs_gets_them() {
    checks::a_url_without_time_outs_gets_them();
}

#[test]
fn lists_are_spelt_out() {
    checks::lists_are_spelt_out();
}

#[test]
fn what_is_spelt_out_refuses_the_same() {
    checks::what_is_spelt_out_refuses_the_same();
}

#[test]
fn what_is_written_over_is_gone_from_the_file() {
    checks::what_is_written_over_is_gone_from_the_file();
}

#[test]
fn an_instant_is_written_with_a_fixed_width_and_read_back() {
    checks::an_instant_is_written_with_a_fixed_width_and_read_back();
}

#[cfg(unix)]
#[test]
fn every_way_to_a_file_is_one_path() {
    checks::every_way_to_a_file_is_one_path();
}
