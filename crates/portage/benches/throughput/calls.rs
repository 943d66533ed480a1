//! A client that costs next to nothing: requests as bytes over connections that stay open.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

const WARM_UP: Duration = Duration::from_secs(1);
const MEASURED: Duration = Duration::from_secs(4);

/// A POST of JSON.
pub fn post(path: &str, headers: &[(&str, &str)], body: &str) -> String {
    let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let length = body.len();
    format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n{headers}Content-Length: {length}\r\n\r\n{body}"
    )
}

/// A GET.
pub fn get(path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n")
}

/// Requests a second of so many connections together; each answer must have this status. `request` is given a
/// number that no other request has.
pub async fn rate(server: &str, connections: usize, status: u16, request: impl Fn(u64) -> String) -> f64 {
    let began = Instant::now();
    let (next, done) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    let clients = (0..connections).map(|_| client(server, status, &request, &next, &done, began));
    futures_util::future::join_all(clients).await;
    done.load(Ordering::Relaxed) as f64 / MEASURED.as_secs_f64()
}

/// How long each of these requests took, one after the other, milliseconds.
pub async fn times(server: &str, requests: impl Iterator<Item = String>) -> Vec<f64> {
    let mut stream = TcpStream::connect(server).await.unwrap();
    stream.set_nodelay(true).unwrap();
    let mut buffer = Vec::with_capacity(64 * 1024);
    let mut took = Vec::new();
    for request in requests {
        let began = Instant::now();
        stream.write_all(request.as_bytes()).await.unwrap();
        answer(&mut stream, &mut buffer, 200).await;
        took.push(began.elapsed().as_secs_f64() * 1_000.0);
    }
    took
}

/// One connection, one request after the other.
async fn client(
    server: &str,
    status: u16,
    request: &impl Fn(u64) -> String,
    next: &AtomicU64,
    done: &AtomicU64,
    began: Instant,
) {
    let mut stream = TcpStream::connect(server).await.unwrap();
    stream.set_nodelay(true).unwrap();
    let mut buffer = Vec::with_capacity(16 * 1024);
    loop {
        let request = request(next.fetch_add(1, Ordering::Relaxed));
        stream.write_all(request.as_bytes()).await.unwrap();
        answer(&mut stream, &mut buffer, status).await;
        let passed = began.elapsed();
        if passed >= WARM_UP + MEASURED {
            return;
        }
        if passed >= WARM_UP {
            done.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Reads one answer.
async fn answer(stream: &mut TcpStream, buffer: &mut Vec<u8>, status: u16) {
    buffer.clear();
    loop {
        let read = stream.read_buf(buffer).await.unwrap();
        assert!(read > 0, "the server closed the connection");
        let Some(head) = buffer.windows(4).position(|w| w == b"\r\n\r\n") else { continue };
        let text = std::str::from_utf8(&buffer[..head]).unwrap();
        let told = || format!("{text}\n{}", String::from_utf8_lossy(&buffer[head..]));
        assert!(text.starts_with(&format!("HTTP/1.1 {status}")), "{}", told());
        let length = text
            .lines()
            .find_map(|l| l.split_once(':').filter(|(name, _)| name.eq_ignore_ascii_case("content-length")))
            .and_then(|(_, n)| n.trim().parse::<usize>().ok())
            .expect("a length");
        if buffer.len() >= head + 4 + length {
            return;
        }
    }
}
