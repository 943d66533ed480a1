//! Connections: how many there are, and how long one may do nothing.
//!
//! The HTTP implementation waits for ever for the rest of a second request's head, for the end of a
//! body that no handler reads, and for a client that does not take its answer. So every connection
//! is watched below it, where bytes are read and written: while no request is being worked on, a
//! connection that neither begins one nor takes bytes is closed. (Bodies that a handler reads have
//! their own time, see [`crate::http::body`].)

use std::{
    cell::Cell,
    collections::HashMap,
    io::{self, ErrorKind},
    net::IpAddr,
    pin::Pin,
    rc::Rc,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll, Waker},
    time::Duration,
};

use actix_web::{
    body::{BodySize, BoxBody, MessageBody},
    rt::{net::TcpStream, time::Sleep},
    web::Bytes,
};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::Instant,
};

use crate::client::Origin;

/// From the end of an answer (or the first byte) to the end of the next request's head.
const IDLE: Duration = Duration::from_secs(10);
/// A client that takes no byte of its answer for so long is gone.
const STALLED: Duration = Duration::from_secs(20);
/// Bytes of a head.
const HEAD: usize = 16 * 1024;

/// Which connections may be opened.
#[derive(Debug, Clone, Copy)]
pub struct Ceilings {
    /// Open at the same time; further ones are closed at once. Below the limit of open files.
    pub all: usize,
    /// From one address; none behind a proxy, whose address is everybody's. This machine's own
    /// programs are not bounded so.
    pub of_origin: Option<usize>,
}

#[derive(Default)]
struct Open {
    all: usize,
    origins: HashMap<Origin, usize>,
}

/// The connections that are open.
pub struct Doors {
    ceilings: Ceilings,
    open: Mutex<Open>,
}

impl Doors {
    /// None open yet.
    pub fn new(ceilings: Ceilings) -> Arc<Doors> {
        Arc::new(Doors { ceilings, open: Mutex::default() })
    }

    /// A place for a connection, if there is one.
    pub fn enter(self: &Arc<Self>, peer: Option<IpAddr>) -> Option<Place> {
        let origin = peer.map(Origin::of).filter(|o| self.ceilings.of_origin.is_some() && !o.is_loopback());
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let of_origin = origin.and_then(|o| open.origins.get(&o).copied()).unwrap_or_default();
        if open.all >= self.ceilings.all || self.ceilings.of_origin.is_some_and(|most| of_origin >= most) {
            return None;
        }
        open.all += 1;
        if let Some(origin) = origin {
            open.origins.insert(origin, of_origin + 1);
        }
        drop(open);
        Some(Place { doors: self.clone(), origin })
    }
}

/// The place of one connection; free again when it is dropped.
pub struct Place {
    doors: Arc<Doors>,
    origin: Option<Origin>,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = self.doors.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.all = open.all.saturating_sub(1);
        if let Some(origin) = self.origin {
            let left = open.origins.get(&origin).copied().unwrap_or_default().saturating_sub(1);
            if left == 0 {
                open.origins.remove(&origin);
            } else {
                open.origins.insert(origin, left);
            }
        }
    }
}

/// What a connection is doing. Connections do not leave their thread.
pub struct Activity {
    /// Requests being worked on.
    working: Cell<u32>,
    /// When the last one was answered, or the last byte of an answer was taken.
    since: Cell<Instant>,
    /// Bytes read since the last answer.
    read: Cell<usize>,
    /// How many may be read before a request begins: a head, and what is left of the last body.
    allowed: Cell<usize>,
    /// `allowed` bytes were read, and the parser was woken to look at them.
    looked: Cell<bool>,
    /// Bytes of an answer's body that were handed on and not taken by the client yet.
    unsent: Cell<usize>,
    /// Wakes the body that waits until the client has taken them.
    waiting: Cell<Option<Waker>>,
}

impl Activity {
    fn new() -> Rc<Activity> {
        Rc::new(Activity {
            working: Cell::new(0),
            since: Cell::new(Instant::now()),
            read: Cell::new(0),
            allowed: Cell::new(HEAD),
            looked: Cell::new(false),
            unsent: Cell::new(0),
            waiting: Cell::default(),
        })
    }

    /// The client took bytes: a body that waits for that may hand on more.
    fn taken(&self, bytes: usize) {
        self.unsent.set(self.unsent.get().saturating_sub(bytes));
        if self.unsent.get() < Pieces::PIECE
            && let Some(body) = self.waiting.take()
        {
            body.wake();
        }
    }

    /// A request with a body of this length is worked on until the returned guard is dropped.
    pub fn work(self: &Rc<Self>, body: usize) -> WorkGuard {
        self.working.set(self.working.get() + 1);
        WorkGuard { activity: self.clone(), body }
    }
}

/// While it lives, the connection works on a request: see [`Activity::work`].
pub struct WorkGuard {
    activity: Rc<Activity>,
    body: usize,
}

impl Drop for WorkGuard {
    fn drop(&mut self) {
        let a = &self.activity;
        // An answer may come before the whole body: the client must be able to send it, or it does
        // not read the answer.
        let unread = self.body.saturating_sub(a.read.get().saturating_sub(HEAD));
        a.allowed.set(HEAD.saturating_add(unread));
        a.read.set(0);
        a.looked.set(false);
        a.since.set(Instant::now());
        a.working.set(a.working.get().saturating_sub(1));
    }
}

/// A body of unknown length, which is worked on until its end: events may be far apart.
pub struct StreamedBody {
    body: BoxBody,
    _working: WorkGuard,
}

impl StreamedBody {
    /// The body of an answer to a request.
    pub fn new(body: BoxBody, working: WorkGuard) -> StreamedBody {
        StreamedBody { body, _working: working }
    }
}

impl MessageBody for StreamedBody {
    type Error = Box<dyn std::error::Error>;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, Self::Error>>> {
        Pin::new(&mut self.body).poll_next(cx)
    }
}

/// A body in memory, handed on in pieces, one when the last was taken. (Handed on whole, it is copied
/// for every client that does not take it; the bytes themselves may be shared by all of them.)
pub struct Pieces {
    rest: Bytes,
    connection: Option<Rc<Activity>>,
}

impl Pieces {
    const PIECE: usize = 8 * 1024;

    /// The body of an answer on a connection, in pieces when it is large.
    pub fn of(body: BoxBody, connection: Option<Rc<Activity>>) -> BoxBody {
        match body.try_into_bytes() {
            Ok(rest) if rest.len() > Pieces::PIECE => BoxBody::new(Pieces { rest, connection }),
            Ok(bytes) => BoxBody::new(bytes),
            Err(body) => body,
        }
    }
}

impl MessageBody for Pieces {
    type Error = std::convert::Infallible;

    fn size(&self) -> BodySize {
        BodySize::Sized(self.rest.len() as u64)
    }

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, Self::Error>>> {
        let n = self.rest.len().min(Pieces::PIECE);
        if n == 0 {
            return Poll::Ready(None);
        }
        if let Some(connection) = &self.connection {
            if connection.unsent.get() >= Pieces::PIECE {
                connection.waiting.set(Some(cx.waker().clone()));
                return Poll::Pending;
            }
            connection.unsent.set(connection.unsent.get() + n);
        }
        Poll::Ready(Some(Ok(self.rest.split_to(n))))
    }
}

/// A connection that does not wait for ever.
pub struct WatchedStream {
    stream: TcpStream,
    activity: Rc<Activity>,
    /// The next check; always armed, so that a request needs no timer of its own.
    look: Pin<Box<Sleep>>,
    /// Since when the client has taken nothing.
    stalled: Option<Instant>,
    _place: Place,
}

impl WatchedStream {
    /// Watches a connection.
    pub fn new(stream: TcpStream, place: Place) -> WatchedStream {
        let activity = Activity::new();
        let look = Box::pin(tokio::time::sleep(IDLE));
        WatchedStream { stream, activity, look, stalled: None, _place: place }
    }

    /// For the requests of this connection.
    pub fn activity(&self) -> Rc<Activity> {
        self.activity.clone()
    }

    /// Whether it waited too long; else the task is woken for the next check.
    fn waited(&mut self, cx: &mut Context<'_>) -> bool {
        while self.look.as_mut().poll(cx).is_ready() {
            let now = Instant::now();
            let idle =
                self.activity.working.get() == 0 && now >= self.activity.since.get() + IDLE && self.stalled.is_none();
            if idle || self.stalled.is_some_and(|since| now >= since + STALLED) {
                return true;
            }
            let begun = if self.activity.working.get() == 0 { self.activity.since.get() } else { now };
            self.look.as_mut().reset((begun + IDLE).max(now + Duration::from_millis(500)));
        }
        false
    }
}

fn timed_out() -> io::Error {
    ErrorKind::TimedOut.into()
}

impl AsyncRead for WatchedStream {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = &mut *self;
        let a = &this.activity;
        if a.working.get() == 0 && a.read.get() >= a.allowed.get() {
            if a.looked.replace(true) {
                return Poll::Ready(Err(ErrorKind::InvalidData.into()));
            }
            // What was read is perhaps a whole head with a body behind it.
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        let before = buf.filled().len();
        match Pin::new(&mut this.stream).poll_read(cx, buf) {
            Poll::Pending if this.waited(cx) => Poll::Ready(Err(timed_out())),
            Poll::Pending => Poll::Pending,
            Poll::Ready(done) => {
                this.activity.read.set(this.activity.read.get() + buf.filled().len() - before);
                Poll::Ready(done)
            }
        }
    }
}

impl AsyncWrite for WatchedStream {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = &mut *self;
        match Pin::new(&mut this.stream).poll_write(cx, bytes) {
            Poll::Pending => {
                this.stalled.get_or_insert_with(Instant::now);
                if this.waited(cx) { Poll::Ready(Err(timed_out())) } else { Poll::Pending }
            }
            Poll::Ready(done) => {
                this.stalled = None;
                this.activity.since.set(Instant::now());
                this.activity.taken(*done.as_ref().unwrap_or(&0));
                Poll::Ready(done)
            }
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn one_address_has_a_part_of_the_places() {
        let ip = |text: &str| Some(text.parse::<IpAddr>().unwrap());
        let doors = Doors::new(Ceilings { all: 6, of_origin: Some(3) });
        let mut mine: Vec<Place> = (1..=3).map(|n| doors.enter(ip(&format!("2001:db8::{n}"))).unwrap()).collect();
        assert!(doors.enter(ip("2001:db8::9")).is_none(), "the same network");
        let other = doors.enter(ip("192.0.2.1")).unwrap();
        let local: Vec<Place> = (0..2).map(|_| doors.enter(ip("127.0.0.1")).unwrap()).collect();
        assert!(doors.enter(ip("192.0.2.2")).is_none(), "all places are taken");
        drop((other, local));
        drop(mine.pop());
        mine.push(doors.enter(ip("2001:db8::9")).unwrap());
        drop(mine);
        let open = doors.open.lock().unwrap();
        assert_eq!((open.all, open.origins.len()), (0, 0));
    }

    #[actix_web::test]
    async fn a_large_body_comes_whole_in_pieces() {
        let whole = Bytes::from((0..100_000u32).map(|n| (n % 251) as u8).collect::<Vec<u8>>());
        let body = Pieces::of(BoxBody::new(whole.clone()), None);
        assert_eq!(body.size(), BodySize::Sized(100_000));
        assert_eq!(actix_web::body::to_bytes(body).await.unwrap(), whole);
        assert_eq!(actix_web::body::to_bytes(Pieces::of(BoxBody::new("small"), None)).await.unwrap(), "small");
        assert_eq!(Pieces::of(BoxBody::new(()), None).size(), BodySize::Sized(0));
    }

    #[test]
    fn a_client_that_takes_nothing_is_handed_one_piece() {
        let activity = Activity::new();
        let mut body = Pieces { rest: Bytes::from(vec![7; 50_000]), connection: Some(activity.clone()) };
        let mut next = || Pin::new(&mut body).poll_next(&mut Context::from_waker(Waker::noop()));
        assert!(matches!(next(), Poll::Ready(Some(Ok(piece))) if piece.len() == Pieces::PIECE));
        assert!(next().is_pending() && next().is_pending());
        activity.taken(100);
        assert!(matches!(next(), Poll::Ready(Some(Ok(_)))));
        assert!(next().is_pending());
        activity.taken(2 * Pieces::PIECE);
        assert!(next().is_ready());
    }

    #[test]
    fn behind_a_proxy_all_come_from_one_address() {
        let doors = Doors::new(Ceilings { all: 6, of_origin: None });
        let open: Vec<Place> = (0..6).map(|_| doors.enter("10.0.0.1".parse().ok()).unwrap()).collect();
        assert_eq!(open.len(), 6);
    }
}
