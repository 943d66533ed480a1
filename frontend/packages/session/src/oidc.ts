import { noteServerTime, serverNow, timeOfAnswer } from '@portage/api';
import { currentLanguage, uiLocales } from '@portage/i18n';

import { challengeOf, randomText } from './pkce.ts';

/** Endpoints of the provider, from its discovery document. */
interface Provider {
  issuer: string;
  authorization_endpoint: string;
  token_endpoint: string;
  end_session_endpoint?: string;
  scopes_supported?: string[];
}

export interface Tokens {
  accessToken: string;
  refreshToken: string | null;
  idToken: string;
  /** Epoch milliseconds by this device's clock. */
  expiresAt: number;
  claims: IdClaims;
}

export interface IdClaims {
  sub: string;
  email?: string;
  name?: string;
  given_name?: string;
  picture?: string;
  [claim: string]: unknown;
}

/** Who signs people in, as the API of this server says. */
export interface ProviderConfig {
  issuer: string;
  clientId: string;
  audience?: string | null;
  signIn: { provider: string; consent: boolean };
}

/** The audience as RFC 8707 names it: only an absolute URI can be a resource. */
function resourceOf(config: ProviderConfig): Record<string, string> {
  const external = config.signIn.provider === 'external';
  return external && config.audience && URL.canParse(config.audience) ? { resource: config.audience } : {};
}

/** What the client of the provider is created with. */
export interface ProviderOptions {
  /** Issuer and client of this server, as its API names them. */
  config: () => Promise<ProviderConfig>;
  /** Path of this app that the provider sends people back to, and the one for those who have signed out. */
  callbackPath: string;
  home: string;
  /** Where what must survive the redirect is kept. */
  storage: () => Storage;
}

/** What must survive the redirect; kept in sessionStorage under the state, used once. */
interface Pending {
  verifier: string;
  nonce: string;
  returnTo: string;
  /** Asked with `prompt=none` on the page itself: a no is an answer, and leads back. */
  silent?: boolean;
  /** An answer was read with it: only the way back is still of use. */
  used?: boolean;
}

export class OidcError extends Error {
  readonly code: string;
  /** Where the person was, when the provider was asked without showing anything. */
  readonly returnTo: string | null;
  constructor(code: string, message = code, returnTo: string | null = null) {
    super(message);
    this.name = 'OidcError';
    this.code = code;
    this.returnTo = returnTo;
  }
}

/** Whether the provider itself said no; everything else is trouble on the way, which says nothing about the session. */
export function isRefusal(error: unknown): boolean {
  return (
    error instanceof OidcError &&
    (error.code.endsWith('_required') || error.code === 'invalid_grant' || error.code === 'access_denied')
  );
}

/** The browser lets this site keep nothing, so that an answer of the provider could not be matched. */
export const storageBlocked = 'storage_blocked';

const pendingKey = (state: string) => `portage.oidc.${state}`;
const leewaySeconds = 60;

function decodeClaims(
  idToken: string,
): IdClaims & { iss: string; aud: string | string[]; exp: number; nonce?: string } {
  const payload = idToken.split('.')[1];
  if (!payload) throw new OidcError('invalid_id_token');
  const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.codePointAt(0) ?? 0);
  return JSON.parse(new TextDecoder().decode(bytes)) as ReturnType<typeof decodeClaims>;
}

/** An answer of the token endpoint, and what time it was to whoever gave it, epoch milliseconds. */
interface TokenAnswer {
  body: Record<string, unknown>;
  at: number;
}

/** The token came straight from the token endpoint over our own connection, so its claims are checked and its signature is left to the API. */
function checkIdToken(
  idToken: string,
  expected: { issuer: string; clientId: string; nonce?: string; at: number },
): IdClaims {
  const claims = decodeClaims(idToken);
  const audiences = Array.isArray(claims.aud) ? claims.aud : [claims.aud];
  if (claims.iss !== expected.issuer) throw new OidcError('invalid_id_token', 'iss');
  if (!audiences.includes(expected.clientId)) throw new OidcError('invalid_id_token', 'aud');
  if (!claims.sub) throw new OidcError('invalid_id_token', 'sub');
  // by the clock that its times were written by: that of a demonstration, of another provider and of this device may be
  // days apart. Written so, a token without an end is refused as well.
  if (!(claims.exp + leewaySeconds >= expected.at / 1000)) throw new OidcError('invalid_id_token', 'exp');
  if (expected.nonce !== undefined && claims.nonce !== expected.nonce) throw new OidcError('invalid_id_token', 'nonce');
  return claims;
}

async function silentByFetch(url: string): Promise<URL> {
  const response = await fetch(url, { credentials: 'same-origin', headers: { Accept: 'text/html' } });
  // a failing provider has not said no
  if (!response.ok) throw new OidcError(`http_${response.status}`);
  return new URL(response.url);
}

function silentByFrame(url: string): Promise<URL> {
  return new Promise((resolve, reject) => {
    const frame = document.createElement('iframe');
    frame.hidden = true;
    const finish = () => {
      clearTimeout(timer);
      removeEventListener('message', onMessage);
      frame.remove();
    };
    const onMessage = (event: MessageEvent<unknown>) => {
      if (event.origin !== location.origin || event.source !== frame.contentWindow || typeof event.data !== 'string')
        return;
      finish();
      resolve(new URL(event.data));
    };
    const timer = setTimeout(() => {
      finish();
      reject(new OidcError('timeout'));
    }, 10_000);
    addEventListener('message', onMessage);
    frame.src = url;
    document.body.append(frame);
  });
}

/** In the hidden frame the callback page only passes its address on. Answers true when this page is that frame. */
export function relayFrameCallback(callbackPath: string): boolean {
  if (window.parent === window || location.pathname !== callbackPath) return false;
  window.parent.postMessage(location.href, location.origin);
  return true;
}

/** Speaks with the identity provider: code with PKCE, renewal, silent sign-in, end of session. */
export function createProvider(options: ProviderOptions) {
  let provider: Promise<Provider> | null = null;

  async function discover(): Promise<Provider> {
    const { issuer } = await options.config();
    const response = await fetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
    if (!response.ok) throw new OidcError('discovery_failed');
    const document = (await response.json()) as Provider;
    // byte for byte, or somebody else's document could stand in for it
    if (document.issuer !== issuer) throw new OidcError('issuer_mismatch');
    return document;
  }

  function getProvider(): Promise<Provider> {
    provider ??= discover().catch((error: unknown) => {
      provider = null; // a failed look-up must not be remembered
      throw error;
    });
    return provider;
  }

  /** Test seam: the next use looks the provider up again. */
  function forget(): void {
    provider = null;
  }

  function redirectUri(): string {
    return `${location.origin}${options.callbackPath}`;
  }

  /** Builds the authorization request and remembers what its answer has to match. */
  async function authorizationUrl(returnTo: string, extra: Record<string, string> = {}): Promise<string> {
    const [{ authorization_endpoint, scopes_supported }, config] = await Promise.all([getProvider(), options.config()]);
    const offline = scopes_supported?.includes('offline_access') ?? true;
    // OpenID Connect Core 11: without it a provider may leave the refresh token out
    const consent = offline && config.signIn.consent && !extra['prompt'];
    const state = randomText();
    const silent = extra['prompt'] === 'none';
    const pending: Pending = { verifier: randomText(), nonce: randomText(), returnTo, silent };
    try {
      options.storage().setItem(pendingKey(state), JSON.stringify(pending));
    } catch {
      throw new OidcError(storageBlocked);
    }
    const url = new URL(authorization_endpoint);
    const parameters: Record<string, string> = {
      response_type: 'code',
      client_id: config.clientId,
      redirect_uri: redirectUri(),
      scope: offline ? 'openid profile email offline_access' : 'openid profile email',
      state,
      nonce: pending.nonce,
      code_challenge: await challengeOf(pending.verifier),
      code_challenge_method: 'S256',
      ui_locales: uiLocales[currentLanguage()],
      ...(config.audience ? { audience: config.audience } : {}),
      ...resourceOf(config),
      ...(consent ? { prompt: 'consent' } : {}),
      ...extra,
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return url.href;
  }

  async function callTokenEndpoint(form: Record<string, string>): Promise<TokenAnswer> {
    const { token_endpoint } = await getProvider();
    const response = await fetch(token_endpoint, { method: 'POST', body: new URLSearchParams(form) });
    noteServerTime(response);
    const body = (await response.json().catch(() => ({}))) as Record<string, unknown>;
    if (!response.ok)
      throw new OidcError(typeof body['error'] === 'string' ? body['error'] : `http_${response.status}`);
    return { body, at: timeOfAnswer(response) ?? serverNow() };
  }

  async function toTokens({ body, at }: TokenAnswer, nonce?: string, previous?: Tokens): Promise<Tokens> {
    const [{ issuer }, { clientId }] = await Promise.all([getProvider(), options.config()]);
    const idToken = typeof body['id_token'] === 'string' ? body['id_token'] : (previous?.idToken ?? '');
    const claims =
      typeof body['id_token'] === 'string' || !previous
        ? checkIdToken(idToken, { issuer, clientId, at, ...(nonce === undefined ? {} : { nonce }) })
        : previous.claims;
    if (previous && previous.claims.sub !== claims.sub) throw new OidcError('invalid_id_token', 'sub changed');
    if (typeof body['access_token'] !== 'string') throw new OidcError('invalid_response');
    return {
      accessToken: body['access_token'],
      refreshToken:
        typeof body['refresh_token'] === 'string' ? body['refresh_token'] : (previous?.refreshToken ?? null),
      idToken,
      expiresAt: Date.now() + Number(body['expires_in'] ?? 300) * 1000,
      claims,
    };
  }

  function pendingOf(callback: URL): { key: string; pending: Pending | null } {
    const key = pendingKey(callback.searchParams.get('state') ?? '');
    return { key, pending: JSON.parse(options.storage().getItem(key) ?? 'null') as Pending | null };
  }

  /** Where the sign-in was to lead whose answer is in this address and could not be redeemed. */
  function wayBack(callback: URL): string | null {
    try {
      return pendingOf(callback).pending?.returnTo ?? null;
    } catch {
      return null;
    }
  }

  /** Reads the provider's answer in a callback address. The state is checked first and works once. */
  async function redeem(callback: URL, forApi = true): Promise<{ tokens: Tokens; returnTo: string }> {
    const { key, pending } = pendingOf(callback);
    options.storage().removeItem(key);
    if (!pending) throw new OidcError('unknown_state');
    // the way back outlives a lost answer and a reload of the callback page, the verifier does not
    if (!pending.silent) options.storage().setItem(key, JSON.stringify({ returnTo: pending.returnTo, used: true }));
    if (pending.used) throw new OidcError('unknown_state');
    const error = callback.searchParams.get('error');
    if (error) {
      const description = callback.searchParams.get('error_description') ?? error;
      throw new OidcError(error, description, pending.silent ? pending.returnTo : null);
    }
    const config = await options.config();
    const answer = await callTokenEndpoint({
      grant_type: 'authorization_code',
      client_id: config.clientId,
      ...(forApi ? resourceOf(config) : {}),
      code: callback.searchParams.get('code') ?? '',
      code_verifier: pending.verifier,
      redirect_uri: redirectUri(),
    });
    const tokens = await toTokens(answer, pending.nonce);
    options.storage().removeItem(key);
    return { tokens, returnTo: pending.returnTo };
  }

  async function refresh(tokens: Tokens, forApi = true): Promise<Tokens> {
    if (!tokens.refreshToken) throw new OidcError('missing_refresh_token');
    const config = await options.config();
    const answer = await callTokenEndpoint({
      grant_type: 'refresh_token',
      client_id: config.clientId,
      ...(forApi ? resourceOf(config) : {}),
      refresh_token: tokens.refreshToken,
    });
    return toTokens(answer, undefined, tokens);
  }

  /**
   * Asks for a code without showing anything. On our own origin a fetch that follows the redirects is enough;
   * another origin needs a hidden frame, whose page hands its address to us (see `relayFrameCallback`).
   */
  async function silentTokens(forApi = true): Promise<Tokens> {
    const url = await authorizationUrl('/', { prompt: 'none' });
    const answer = new URL(url).origin === location.origin ? await silentByFetch(url) : await silentByFrame(url);
    return (await redeem(answer, forApi)).tokens;
  }

  /**
   * Tokens whose access token the provider's own userinfo takes: one for our API is refused there. They replace the
   * given ones but for the access token, because the refresh token may have been renewed on the way.
   */
  async function userinfoTokens(tokens: Tokens): Promise<{ userinfoToken: string; tokens: Tokens }> {
    if (!tokens.refreshToken) return { userinfoToken: (await silentTokens(false)).accessToken, tokens };
    const renewed = await refresh(tokens, false);
    const { accessToken: userinfoToken, refreshToken } = renewed;
    return { userinfoToken, tokens: { ...tokens, refreshToken } };
  }

  /** The provider is not this server: it has its own pages, and the API knows of people what it is handed. */
  async function isExternal(): Promise<boolean> {
    return (await options.config()).signIn.provider === 'external';
  }

  /** Ends the session of this browser at the embedded provider; rejects unless the server says that it has. */
  async function endSession(): Promise<void> {
    const response = await fetch('/identity/api/sign-out', { method: 'POST', signal: AbortSignal.timeout(15_000) });
    if (!response.ok) throw new OidcError(`http_${response.status}`);
  }

  async function endSessionUrl(idToken: string | null): Promise<string | null> {
    const [{ end_session_endpoint }, { clientId }] = await Promise.all([getProvider(), options.config()]);
    if (!end_session_endpoint) return null;
    const url = new URL(end_session_endpoint);
    if (idToken) url.searchParams.set('id_token_hint', idToken);
    url.searchParams.set('client_id', clientId);
    url.searchParams.set('post_logout_redirect_uri', `${location.origin}${options.home}`);
    return url.href;
  }

  return {
    authorizationUrl,
    redeem,
    wayBack,
    refresh,
    silentTokens,
    userinfoTokens,
    isExternal,
    endSession,
    endSessionUrl,
    forget,
  };
}

export type IdentityProvider = ReturnType<typeof createProvider>;
