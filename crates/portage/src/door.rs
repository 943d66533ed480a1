//! The port at a stop: nobody who came in time is turned away.
//!
//! The server closes its listening socket while connections wait in the system's queue, and drops what it had
//! accepted and not begun. Whoever is behind such a connection believes that it stands, has sent a request perhaps,
//! and cannot know what became of it. So the door is shut first: no new connection begins, those that have begun are
//! served, and only then the server is told to stop.

use std::{net::TcpListener, time::Duration};

/// For the connections that have begun: to be accepted, and for their requests to be read. A client whose first
/// packet was not answered sends it again after a second, when the port is closed: it is refused then, and knows that
/// nothing was done.
const SHUTTING: Duration = Duration::from_millis(500);

/// What the log says where the system does not let this account do it.
const UNSHUT: &str = "the port closes without waiting for connections that have just begun";

/// A second handle of the listening socket, kept until the stop.
pub struct Door(TcpListener);

impl Door {
    /// Of a listener that the server will have.
    ///
    /// # Errors
    /// When there are no more file handles.
    pub fn of(listener: &TcpListener) -> std::io::Result<Door> {
        listener.try_clone().map(Door)
    }

    /// Lets no new connection begin, and waits until those that have begun are being served.
    pub async fn shut(self) {
        if let Err(error) = begin_nothing(&self.0) {
            tracing::info!(%error, "{UNSHUT}");
            return;
        }
        tokio::time::sleep(SHUTTING).await;
    }
}

/// Packets that begin a connection are passed over; all others, and connections that stand, are not concerned.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn begin_nothing(listener: &TcpListener) -> std::io::Result<()> {
    use socket2::{SockFilter, SockRef};
    /// Classic BPF: load the byte at an offset; go on when a bit of it is set, else jump; answer.
    const LOAD: u16 = 0x30;
    const TEST: u16 = 0x45;
    const ANSWER: u16 = 0x06;
    /// Where the flags of a TCP header are, and which of them begins a connection.
    const FLAGS: u32 = 13;
    const SYN: u32 = 0x02;
    SockRef::from(listener).attach_filter(&[
        SockFilter::new(LOAD, 0, 0, FLAGS),
        SockFilter::new(TEST, 0, 1, SYN),
        SockFilter::new(ANSWER, 0, 0, 0),
        SockFilter::new(ANSWER, 0, 0, u32::MAX),
    ])
}

/// Only Linux can.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn begin_nothing(_: &TcpListener) -> std::io::Result<()> {
    Err(std::io::ErrorKind::Unsupported.into())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::{
        io::{Read as _, Write as _},
        net::TcpStream,
    };

    use super::*;

    #[tokio::test]
    async fn who_came_in_time_is_served_and_who_comes_later_is_refused() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let mut early = TcpStream::connect(address).unwrap();
        early.write_all(b"hello").unwrap();
        if begin_nothing(&listener).is_err_and(|e| e.kind() == std::io::ErrorKind::PermissionDenied) {
            // Some kernels want a right for it that an ordinary account does not have.
            return;
        }
        Door::of(&listener).unwrap().shut().await;
        let late = std::thread::spawn(move || TcpStream::connect_timeout(&address, Duration::from_secs(5)));
        let mut word = [0; 5];
        let (mut served, _) = listener.accept().unwrap();
        served.read_exact(&mut word).unwrap();
        served.write_all(b"there").unwrap();
        early.read_exact(&mut word).unwrap();
        assert_eq!(&word, b"there");
        tokio::time::sleep(SHUTTING).await;
        assert!(!late.is_finished(), "it is not accepted and not told anything yet");
        drop(listener);
        assert_eq!(late.join().unwrap().unwrap_err().kind(), std::io::ErrorKind::ConnectionRefused);
    }
}
