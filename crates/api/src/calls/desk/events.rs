//! What changes, told at once: kinds and keys, never data. A page that shows such a thing asks for it again.

use std::{collections::VecDeque, sync::atomic::Ordering, time::Duration};

use actix_web::{HttpRequest, HttpResponse, http::header, web};
use futures_util::stream;
use serde_json::json;
use service::desk::changes::Reader;

use crate::{
    access::{AsStaff, bearer},
    calls::replies::{Made, Reply, made},
    contract::DeclaredAnswer,
    http::ApiError,
    state::State,
};

made! {
    /// Server-sent events.
    EventStream: DeclaredAnswer::plain(200, "`event: change` with kind and key of what changed, as it happens.", "text/event-stream");
}

/// How often is looked: a colleague's change shows within two seconds.
const LOOK: Duration = Duration::from_secs(1);
/// Looks without a word, after which a comment says that the stream lives.
const SILENT_LOOKS: u32 = 15;
/// Looks after which the stream ends: whoever goes on listening asks again.
const MOST_LOOKS: u32 = 3_600;

/// A stream to somebody.
struct Listener {
    state: web::Data<State>,
    who: AsStaff,
    token: String,
    reader: Reader,
    ready: VecDeque<web::Bytes>,
    silent: u32,
    looks: u32,
}

impl Listener {
    /// The next piece; none at the end. It ends with the right to listen, and with the server.
    async fn next(mut self) -> Option<(Result<web::Bytes, ApiError>, Listener)> {
        loop {
            if let Some(piece) = self.ready.pop_front() {
                self.silent = 0;
                return Some((Ok(piece), self));
            }
            tokio::time::sleep(LOOK).await;
            self.looks += 1;
            if self.looks > MOST_LOOKS || self.state.draining.load(Ordering::Relaxed) || !self.may_listen().await {
                return None;
            }
            match self.reader.next(&self.state.services).await {
                Ok(changes) => self.ready.extend(changes.iter().map(|c| {
                    web::Bytes::from(format!("event: change\ndata: {}\n\n", json!({ "kind": c.kind, "id": c.id })))
                })),
                Err(e) => tracing::warn!(error = %e, "what changed cannot be told now"),
            }
            self.silent += 1;
            if self.silent >= SILENT_LOOKS {
                self.ready.push_back(web::Bytes::from_static(b": alive\n\n"));
            }
        }
    }

    /// The token is good, and whoever has it is staff.
    async fn may_listen(&self) -> bool {
        let language = self.who.0.caller().language;
        let caller = self.state.authenticator.caller(&self.token, language, None).await;
        caller.is_ok_and(|c| c.role.is_staff())
    }
}

pub(super) async fn listen(state: web::Data<State>, who: AsStaff, req: HttpRequest) -> Reply<Made<EventStream>> {
    // The guard has read it already.
    let token = bearer(&req).ok().flatten().unwrap_or_default().to_owned();
    let reader = Reader::begin(&state.services, &who.0).await?;
    let ready = VecDeque::from([web::Bytes::from_static(b": listening\n\n")]);
    let listener = Listener { state, who, token, reader, ready, silent: 0, looks: 0 };
    let response = HttpResponse::Ok()
        .content_type("text/event-stream")
        .insert_header((header::CACHE_CONTROL, "no-store"))
        // A proxy that gathers pieces would keep them from whoever listens.
        .insert_header(("x-accel-buffering", "no"))
        .streaming(stream::unfold(listener, Listener::next));
    Ok(Made::new(response))
}
