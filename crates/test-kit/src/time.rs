//! Two clocks. Real time is tokio's paused clock: it jumps to the next thing that waits. Business
//! time stands still, runs with it, and is moved by the schedule; its epoch is another one, so that
//! whoever mixes the two up is found out.

use std::{
    sync::{Arc, LazyLock, Mutex},
    time::Duration as StdDuration,
};

use kernel::chrono::{DateTime, Duration, Utc};
use service::ports::Clock;
use tokio::time::Instant;

/// Whoever waits here wakes at a multiple of this many milliseconds. No timer inside of the use
/// cases is a multiple of it, so the two branches of a `select!` (whose order tokio draws at random)
/// are never ready together.
const GRID: u64 = 7;

/// Monday, nine in the morning in Montréal.
pub fn business_start() -> DateTime<Utc> {
    *BUSINESS_START
}

static BUSINESS_START: LazyLock<DateTime<Utc>> = LazyLock::new(|| "2027-02-08T14:00:00Z".parse().unwrap());
static REAL_START: LazyLock<DateTime<Utc>> = LazyLock::new(|| "2031-05-05T05:05:05Z".parse().unwrap());

/// Real time.
pub struct Wall(Instant);

impl Wall {
    pub fn start() -> Wall {
        Wall(Instant::now())
    }

    pub fn millis(&self) -> u64 {
        u64::try_from(self.0.elapsed().as_millis()).unwrap()
    }

    /// Sleeps about that long.
    pub async fn pass(&self, millis: u64) {
        let now = self.millis();
        let until = (now + millis).div_ceil(GRID) * GRID;
        if until > now {
            tokio::time::sleep_until(self.0 + StdDuration::from_millis(until)).await;
        }
    }

    /// The instant `millis` from now at which [`Wall::pass`] would wake.
    pub fn deadline(&self, millis: u64) -> Instant {
        self.0 + StdDuration::from_millis((self.millis() + millis).div_ceil(GRID) * GRID)
    }
}

impl Clock for Wall {
    fn now(&self) -> DateTime<Utc> {
        *REAL_START + Duration::milliseconds(i64::try_from(self.millis()).unwrap())
    }
}

/// Business time.
pub struct Business {
    wall: Arc<Wall>,
    state: Mutex<State>,
}

#[derive(Clone, Copy)]
enum State {
    Still(DateTime<Utc>),
    /// Ahead of real time by this.
    Running(Duration),
}

impl Business {
    pub fn start(wall: Arc<Wall>, still: bool) -> Business {
        let clock = Business { wall, state: Mutex::new(State::Still(business_start())) };
        if !still {
            clock.run();
        }
        clock
    }

    /// Moves it, standing or running as before.
    pub fn set(&self, at: DateTime<Utc>) {
        let mut state = self.state.lock().unwrap();
        *state = match *state {
            State::Still(_) => State::Still(at),
            State::Running(_) => State::Running(at - self.wall.now()),
        };
    }

    pub fn stop(&self) {
        let now = self.now();
        *self.state.lock().unwrap() = State::Still(now);
    }

    pub fn run(&self) {
        let ahead = self.now() - self.wall.now();
        *self.state.lock().unwrap() = State::Running(ahead);
    }

    pub fn runs(&self) -> bool {
        matches!(*self.state.lock().unwrap(), State::Running(_))
    }
}

impl Clock for Business {
    fn now(&self) -> DateTime<Utc> {
        match *self.state.lock().unwrap() {
            State::Still(at) => at,
            State::Running(ahead) => self.wall.now() + ahead,
        }
    }
}
