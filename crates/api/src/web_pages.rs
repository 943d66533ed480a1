//! The pages of the web apps: what the server answers to an address that only the app's own router draws.

use std::{collections::HashMap, sync::LazyLock};

use serde::Deserialize;

/// By path; `$name` stands for one segment. A test of each app compares this table with its router.
const PAGES: &str = include_str!("../../../fixtures/web-pages.json");

/// What a page is for whoever asks by its address alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Page {
    /// For everybody, and for search engines.
    Indexed,
    /// For whoever was led there.
    Unlisted,
    /// No page: the app says so.
    Missing,
}

static TABLE: LazyLock<Vec<(Vec<String>, Page)>> = LazyLock::new(|| {
    // The table is ours: the tests below read all of it.
    let table: HashMap<String, Page> = serde_json::from_str(PAGES).unwrap_or_default();
    table.into_iter().map(|(path, page)| (segments(&path), page)).collect()
});

fn segments(path: &str) -> Vec<String> {
    path.trim_matches('/').split('/').map(str::to_ascii_lowercase).collect()
}

/// What is at a path. Case and a slash at the end make no difference, as for the routers.
pub fn at(path: &str) -> Page {
    let asked = segments(path);
    let matches = |known: &[String]| {
        known.len() == asked.len()
            && known.iter().zip(&asked).all(|(known, asked)| match known.starts_with('$') {
                true => !asked.is_empty(),
                false => known == asked,
            })
    };
    TABLE.iter().find(|(known, _)| matches(known)).map_or(Page::Missing, |(_, page)| *page)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_table_can_be_read() {
        let table: HashMap<String, Page> = serde_json::from_str(PAGES).unwrap();
        assert!(table.len() > 50);
        for (path, page) in table {
            assert_eq!(at(&path.replace('$', "any-")), page, "{path}");
        }
    }

    #[test]
    fn what_no_router_draws_is_missing() {
        for (path, page) in [
            ("/", Page::Indexed),
            ("/locations/", Page::Indexed),
            ("/Locations", Page::Indexed),
            ("/dashboard/", Page::Unlisted),
            ("/profile/bookings/0192", Page::Unlisted),
            ("/404", Page::Missing),
            ("/nowhere", Page::Missing),
            ("/locations/more", Page::Missing),
            ("/pay", Page::Missing),
            ("/pay//", Page::Missing),
            ("/dashboards", Page::Missing),
            ("/dashboard/nowhere", Page::Missing),
        ] {
            assert_eq!(at(path), page, "{path}");
        }
    }
}
