//! A very small HTTP server on loopback that answers as it is told and remembers what it was asked.
#![allow(clippy::unwrap_used, dead_code)]

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
};

/// One answer.
#[derive(Debug, Clone)]
pub struct Reply {
    /// Status.
    pub status: u16,
    /// Further header lines.
    pub headers: String,
    /// Body.
    pub body: String,
    /// How long to keep the client waiting; for ever with `None` as status 0.
    pub after: Duration,
}

/// A JSON answer.
pub fn json(status: u16, body: &str) -> Reply {
    Reply { status, headers: String::new(), body: body.to_owned(), after: Duration::ZERO }
}

/// Asked for: `GET /path?query`.
pub type RequestLog = Arc<Mutex<Vec<String>>>;

/// Serves answers made from the target of each request; returns the base address.
pub async fn serve(answer: impl Fn(&str) -> Reply + Send + Sync + 'static) -> (String, RequestLog) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let asked = RequestLog::default();
    let (log, answer) = (asked.clone(), Arc::new(answer));
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(one(stream, log.clone(), answer.clone()));
        }
    });
    (base, asked)
}

/// Serves these answers one after the other, the last one again and again.
pub async fn canned(replies: Vec<Reply>) -> (String, RequestLog) {
    let queue = Mutex::new(VecDeque::from(replies));
    serve(move |_| {
        let mut queue = queue.lock().unwrap();
        if queue.len() > 1 { queue.pop_front().unwrap() } else { queue.front().unwrap().clone() }
    })
    .await
}

async fn one(mut stream: TcpStream, asked: RequestLog, answer: Arc<impl Fn(&str) -> Reply>) {
    let mut head = Vec::new();
    let mut byte = [0u8; 1];
    while !head.ends_with(b"\r\n\r\n") {
        if stream.read(&mut byte).await.unwrap_or(0) == 0 {
            return;
        }
        head.push(byte[0]);
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let target = head.split(' ').nth(1).unwrap_or_default().to_owned();
    asked.lock().unwrap().push(target.clone());
    let reply = answer(&target);
    tokio::time::sleep(reply.after).await;
    if reply.status == 0 {
        return;
    }
    let text = format!(
        "HTTP/1.1 {} X\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n{}\r\n{}",
        reply.status,
        reply.body.len(),
        reply.headers,
        reply.body
    );
    let _ = stream.write_all(text.as_bytes()).await;
}
