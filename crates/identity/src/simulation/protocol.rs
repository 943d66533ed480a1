//! What the web app does for people: codes, tokens, the end of a session.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};

use super::{
    actors::{Request, Word, word},
    browser::{redeem_form, refresh_form},
    model::{Access, Model, Refresh, Span, Target},
    rights::{DidEnd, Right},
    world::Act,
};
use crate::{
    CLIENT_ID,
    accounts::{SESSION_IDLE, SESSION_MAX},
    csrf::Origin,
    provider::{AuthorizeRefusal, CODE_LIFE, ProviderAnswer, REFRESH_LIFE, TOKEN_LIFE},
    testing::{authorize_query, form, param},
};

impl Request {
    pub async fn authorize(&self, redeem: bool) -> Word {
        let (w, session) = (&self.w, self.session());
        let out = session.is_none_or(|s| w.model().surely_out(s, w.now()));
        if let Some(s) = session {
            // Perhaps it is moved on, and nobody hears of it.
            let m = &mut *w.model();
            let s = &mut m.sessions[s];
            if w.now() < s.expires.until {
                s.expires.until = s.expires.until.max((w.now() + SESSION_IDLE).min(s.made.until + SESSION_MAX));
            }
        }
        let act = Act::begin(w, vec![]);
        let told = self.identity.authorize(&authorize_query(&[("prompt", Some("none"))]), &self.context).await;
        let code = {
            let mut m = w.model();
            let answer = match told {
                Ok(answer) => answer,
                Err(e) => {
                    self.demand(w.plan.trouble > 0, "an authorization request failed");
                    self.demand(e == AuthorizeRefusal::Busy, "an authorization request is a 500");
                    return word("failed");
                }
            };
            let Some(code) = param(&answer.location, "code") else {
                let lost = session.is_some_and(|s| m.surely_in(s, w.now()));
                self.demand(!lost, "a session that nobody ended gets no code");
                return word("nobody is signed in");
            };
            self.demand(!out, "a session that has ended gets a code");
            let Some(s) = session else { return word("a code") };
            if !answer.set_cookies.is_empty() {
                let s = &mut m.sessions[s];
                let last = s.made.from + SESSION_MAX;
                s.expires.from = s.expires.from.max((act.span().from + SESSION_IDLE).min(last));
            }
            m.add_code(s, code, act.span().plus(CODE_LIFE))
        };
        w.step(format_args!("{:?} {}: has code {code}", self.browser.person, self.browser.n));
        if !redeem {
            return word("a code");
        }
        w.look(false);
        self.redeem(code, true).await
    }

    pub async fn redeem(&self, n: usize, good: bool) -> Word {
        let w = &self.w;
        let (code, used, out) = {
            let m = w.model();
            let c = &m.codes[n];
            (redeem_form(&c.code, good), c.right.is_over(), m.surely_out(c.session, w.now()))
        };
        let mut act = Act::begin(w, vec![Target::Code(n)]);
        let answer = self.identity.token(&code, None).await;
        let m = &mut *w.model();
        match answer.status {
            200 => {
                self.demand(good, "a code is redeemed with a wrong verifier");
                self.demand(!used, "a code works twice");
                self.demand(!out, "a code of a session that has ended works");
                act.over(m, |_| DidEnd::No);
                let grant = m.add_grant(n, act.span().plus(REFRESH_LIFE));
                self.tokens(m, &answer, grant, act.span())
            }
            400 => {
                let c = &m.codes[n];
                let session = c.session;
                let (first, young) = (c.uses == 1, w.now() < c.expires.from);
                let lost = good && first && young && m.surely_in(session, w.now());
                self.demand(!lost, "a good code is refused");
                // A day later nobody remembers the code.
                let remembered = w.now() < m.codes[n].expires.from + kernel::chrono::Duration::days(1);
                act.over(m, |_| if remembered { DidEnd::Surely } else { DidEnd::Perhaps });
                word("400")
            }
            _ => self.status(&answer),
        }
    }

    fn status(&self, answer: &ProviderAnswer) -> Word {
        let planned = answer.status == 503 && self.w.plan.trouble > 0;
        self.demand(planned, &format!("answered {}: {}", answer.status, answer.body));
        word("failed")
    }

    fn tokens(&self, m: &mut Model, answer: &ProviderAnswer, grant: usize, span: Span) -> Word {
        let text = |name: &str| answer.body[name].as_str().unwrap().to_owned();
        let token = text("access_token");
        let claims = URL_SAFE_NO_PAD.decode(token.split('.').nth(1).unwrap()).unwrap();
        let claims: serde_json::Value = serde_json::from_slice(&claims).unwrap();
        let expires = claims["exp"].as_i64().unwrap();
        let life = span.plus(TOKEN_LIFE);
        let fine = (life.from.timestamp()..=life.until.timestamp()).contains(&expires);
        self.demand(fine, "an access token lives longer or shorter than it should");
        let role = claims["role_at_issue"].as_str().map(str::to_owned);
        m.accesses.push(Access { grant, token, expires, role, rests: false });
        let right = Right::new();
        m.refreshes.push(Refresh { grant, token: text("refresh_token"), right, uses: 0 });
        format!("access token {}, refresh token {}", m.accesses.len() - 1, m.refreshes.len() - 1)
    }

    pub async fn refresh(&self, n: usize) -> Word {
        let w = &self.w;
        let (text, grant, session, over) = {
            let m = w.model();
            let r = &m.refreshes[n];
            let grant = &m.grants[r.grant];
            let over = r.right.is_over() || grant.right.is_over() || m.surely_out(grant.session, w.now());
            (refresh_form(&r.token), r.grant, grant.session, over || w.now() >= grant.expires.until)
        };
        let mut act = Act::begin(w, vec![Target::Refresh(n), Target::Session(session)]);
        let answer = self.identity.token(&text, None).await;
        let m = &mut *w.model();
        match answer.status {
            200 => {
                self.demand(!over, "a refresh token works after it or its session has ended");
                act.over(m, |t| if *t == Target::Refresh(n) { DidEnd::Surely } else { DidEnd::No });
                self.tokens(m, &answer, grant, act.span())
            }
            400 => {
                let alive = m.grants[grant].right.works() && w.now() < m.grants[grant].expires.from;
                // Of a grant that is good only a reuse is refused, or whatever ended the session before.
                let reuse = if alive { DidEnd::Surely } else { DidEnd::Perhaps };
                act.over(m, |t| if *t == Target::Refresh(n) { DidEnd::No } else { reuse });
                word("400")
            }
            _ => self.status(&answer),
        }
    }

    pub async fn sign_out(&self, origin: Option<Origin>) -> Word {
        let w = &self.w;
        let mut act = Act::begin(w, self.session().map(Target::Session).into_iter().collect());
        let told = match origin {
            None => self.identity.sign_out(&self.context).await.map(|out| out.set_cookies),
            Some(origin) => self.identity.end_session("", &self.context, origin).await.map(|out| out.set_cookies),
        };
        match told {
            Ok(set_cookies) => {
                act.over(&mut w.model(), |_| DidEnd::Surely);
                self.browser.keep(&set_cookies);
                word("204")
            }
            Err(e) => self.failed(&e),
        }
    }

    pub async fn revoke(&self, n: usize, refresh: bool) -> Word {
        let w = &self.w;
        let (grant, text, expires) = {
            let m = w.model();
            if refresh {
                (m.refreshes[n].grant, m.refreshes[n].token.clone(), None)
            } else {
                (m.accesses[n].grant, m.accesses[n].token.clone(), Some(m.accesses[n].expires))
            }
        };
        let mut act = Act::begin(w, vec![Target::Grant(grant)]);
        let answer = self.identity.revoke(&form(&[("client_id", CLIENT_ID), ("token", &text)]), None).await;
        if answer.status != 200 {
            return self.status(&answer);
        }
        // A token that has expired is named in vain.
        let good = expires.is_none_or(|at| w.now().timestamp() < at);
        act.over(&mut w.model(), |_| if good { DidEnd::Surely } else { DidEnd::Perhaps });
        word("200")
    }
}
