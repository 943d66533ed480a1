//! The protocol, as a client would meet it.

mod authorize;
mod session;
mod stranger;
mod token;

use kernel::{PartnerId, chrono::Duration, uuid::Uuid};
use secrecy::ExposeSecret;

use super::*;
use crate::{
    CLIENT_ID, RequestContext, VerifyError,
    accounts::{Directory, ResolveError},
    csrf::Origin,
    testing::{CALLBACK, PASSWORD, VERIFIER, World, authorize_query, browser, form, param, sign_in_form},
    verify::{Rejection, jwt::check_signature},
};

const ANA: &str = "ana@example.test";

async fn location(world: &World, changes: &[(&str, Option<&str>)], context: &RequestContext) -> String {
    world.identity.authorize(&authorize_query(changes), context).await.unwrap().location
}

fn text<'a>(answer: &'a ProviderAnswer, name: &str) -> &'a str {
    answer.body[name].as_str().unwrap_or_else(|| panic!("no {name} in {answer:?}"))
}

type Changes<'c> = &'c [(&'c str, Option<&'c str>)];
