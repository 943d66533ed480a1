//! A short cache of a maps service's answers: a customer asks for the price of one way again and again until the move
//! is booked, and each time the server looks the same addresses up.

use std::{
    hash::Hash,
    sync::Arc,
    time::{Duration, Instant},
};

use async_trait::async_trait;
use kernel::{Coordinates, Language};
use quick_cache::sync::Cache;
use service::ports::maps::{Maps, MapsError, PlaceSuggestion, Route};

/// As long as a customer takes from one step to the next: a service that fails meanwhile does not stop them.
const LASTS: Duration = Duration::from_secs(300);
/// About half a megabyte of suggestions.
const SEARCHES: usize = 1_024;
/// A route across the country has thousands of points.
const ROUTES: usize = 128;

type Point = (u64, u64);

fn point(at: Coordinates) -> Point {
    (at.lat.to_bits(), at.lon.to_bits())
}

#[derive(Clone)]
struct CacheEntry<T> {
    value: T,
    since: Instant,
}

/// A maps service with a cache. Failures are not cached, and "no way" is one.
pub struct CachedMaps {
    maps: Arc<dyn Maps>,
    searches: Cache<(String, Language, Point), CacheEntry<Vec<PlaceSuggestion>>>,
    routes: Cache<(Point, Point), CacheEntry<Route>>,
    lasts: Duration,
}

impl CachedMaps {
    /// Asks `maps` for what is not cached.
    pub fn new(maps: Arc<dyn Maps>) -> CachedMaps {
        CachedMaps { maps, searches: Cache::new(SEARCHES), routes: Cache::new(ROUTES), lasts: LASTS }
    }

    async fn cached_or_asked<K: Hash + Eq, T: Clone>(
        &self,
        cache: &Cache<K, CacheEntry<T>>,
        key: K,
        ask: impl Future<Output = Result<T, MapsError>>,
    ) -> Result<T, MapsError> {
        if let Some(kept) = cache.get(&key).filter(|kept| kept.since.elapsed() < self.lasts) {
            return Ok(kept.value);
        }
        let value = ask.await?;
        cache.insert(key, CacheEntry { value: value.clone(), since: Instant::now() });
        Ok(value)
    }
}

#[async_trait]
impl Maps for CachedMaps {
    async fn search(
        &self,
        query: &str,
        language: Language,
        near: Coordinates,
    ) -> Result<Vec<PlaceSuggestion>, MapsError> {
        let key = (query.to_owned(), language, point(near));
        self.cached_or_asked(&self.searches, key, self.maps.search(query, language, near)).await
    }

    async fn reverse(&self, at: Coordinates, language: Language) -> Result<Option<PlaceSuggestion>, MapsError> {
        self.maps.reverse(at, language).await
    }

    async fn route(&self, from: Coordinates, to: Coordinates) -> Result<Route, MapsError> {
        self.cached_or_asked(&self.routes, (point(from), point(to)), self.maps.route(from, to)).await
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    /// Answers how often it was asked; fails the first time.
    #[derive(Default)]
    struct Counting(AtomicU32);

    #[async_trait]
    impl Maps for Counting {
        async fn search(&self, _: &str, _: Language, _: Coordinates) -> Result<Vec<PlaceSuggestion>, MapsError> {
            Ok(Vec::new())
        }

        async fn reverse(&self, _: Coordinates, _: Language) -> Result<Option<PlaceSuggestion>, MapsError> {
            Ok(None)
        }

        async fn route(&self, _: Coordinates, _: Coordinates) -> Result<Route, MapsError> {
            match self.0.fetch_add(1, Ordering::SeqCst) {
                0 => Err(MapsError::Unavailable("down".into())),
                n => Ok(Route { duration_seconds: n, distance_meters: n, geometry: Vec::new() }),
            }
        }
    }

    #[tokio::test]
    async fn an_answer_lasts_a_moment_and_a_failure_does_not() {
        let mut maps = CachedMaps::new(Arc::new(Counting::default()));
        let (a, b) = (Coordinates::MONTREAL, Coordinates::new(46.8, -71.2).unwrap());
        let asked = async |maps: &CachedMaps, from, to| maps.route(from, to).await.map(|r| r.duration_seconds);
        assert!(asked(&maps, a, b).await.is_err());
        assert_eq!(asked(&maps, a, b).await, Ok(1));
        assert_eq!(asked(&maps, a, b).await, Ok(1), "remembered");
        assert_eq!(asked(&maps, b, a).await, Ok(2), "another way");
        maps.lasts = Duration::ZERO;
        assert_eq!(asked(&maps, a, b).await, Ok(3), "over");
    }
}
