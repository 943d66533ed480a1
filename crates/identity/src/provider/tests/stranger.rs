//! Somebody else's client library.

use oauth2::{
    AuthUrl, AuthorizationCode, Client, ClientId, CsrfToken, EndpointNotSet, HttpRequest, PkceCodeChallenge,
    PkceCodeVerifier, RedirectUrl, Scope, StandardRevocableToken, TokenResponse, TokenUrl,
    basic::{BasicErrorResponse, BasicRevocationErrorResponse, BasicTokenIntrospectionResponse, BasicTokenType},
};

use super::*;

type StrangersClient<
    HasAuthUrl = EndpointNotSet,
    HasDeviceAuthUrl = EndpointNotSet,
    HasIntrospectionUrl = EndpointNotSet,
    HasRevocationUrl = EndpointNotSet,
    HasTokenUrl = EndpointNotSet,
> = Client<
    BasicErrorResponse,
    oauth2::StandardTokenResponse<TokenFields, BasicTokenType>,
    BasicTokenIntrospectionResponse,
    StandardRevocableToken,
    BasicRevocationErrorResponse,
    HasAuthUrl,
    HasDeviceAuthUrl,
    HasIntrospectionUrl,
    HasRevocationUrl,
    HasTokenUrl,
>;

/// A client library that knows nothing of us, with our functions for a network.
#[tokio::test]
async fn a_strangers_client_library_gets_along() {
    let world = World::new();
    let (_, context) = world.sign_up(ANA).await;
    let discovery = world.identity.discovery();
    let client = StrangersClient::new(ClientId::new(CLIENT_ID.to_owned()))
        .set_auth_uri(AuthUrl::new(discovery.authorization_endpoint).unwrap())
        .set_token_uri(TokenUrl::new(discovery.token_endpoint).unwrap())
        .set_redirect_uri(RedirectUrl::new(CALLBACK.to_owned()).unwrap())
        .set_auth_type(oauth2::AuthType::RequestBody);
    let verifier = PkceCodeVerifier::new(VERIFIER.to_owned());
    let (url, state) = client
        .authorize_url(|| CsrfToken::new("s-1".to_owned()))
        .add_scope(Scope::new("openid".to_owned()))
        .add_scope(Scope::new("offline_access".to_owned()))
        .set_pkce_challenge(PkceCodeChallenge::from_code_verifier_sha256(&verifier))
        .url();
    let answer = world.identity.authorize(url.query().unwrap(), &context).await.unwrap();
    assert_eq!(param(&answer.location, "state").as_deref(), Some(state.secret().as_str()));

    let network = |request: HttpRequest| {
        let identity = world.identity.clone();
        async move {
            let header = request.headers().get("authorization").and_then(|v| v.to_str().ok()).map(str::to_owned);
            let body = String::from_utf8(request.into_body()).unwrap();
            let answer = identity.token(&body, header.as_deref()).await;
            let response = oauth2::http::Response::builder()
                .status(answer.status)
                .header("content-type", "application/json")
                .body(serde_json::to_vec(&answer.body).unwrap())
                .unwrap();
            Ok::<_, std::io::Error>(response)
        }
    };
    let code = AuthorizationCode::new(param(&answer.location, "code").unwrap());
    let tokens = client.exchange_code(code).set_pkce_verifier(verifier).request_async(&network).await.unwrap();
    assert_eq!(tokens.expires_in(), TOKEN_LIFE.to_std().ok());
    assert!(tokens.extra_fields().id_token.is_some());
    let refreshed =
        client.exchange_refresh_token(tokens.refresh_token().unwrap()).request_async(&network).await.unwrap();
    assert!(refreshed.refresh_token().is_some());
    let reused = client.exchange_refresh_token(tokens.refresh_token().unwrap()).request_async(&network).await;
    let oauth2::RequestTokenError::ServerResponse(error) = reused.unwrap_err() else { panic!("a proper error") };
    assert_eq!(error.error(), &oauth2::basic::BasicErrorResponseType::InvalidGrant);
}
