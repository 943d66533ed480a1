import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Provider, type Adapter, type AdapterPayload, type Configuration, type JWK } from 'oidc-provider';

import { authorityOf } from './certificates.ts';
import { freePort } from './server.ts';

/** What the provider knows about a person; their login is the key, any password will do. */
export interface Person {
  name: string;
  email: string;
  email_verified: boolean;
}

export interface ProviderSettings {
  /** Origin of the site people sign in to. */
  site: string;
  audience: string;
  people: Record<string, Person>;
}

/** An OpenID provider that nobody here wrote (npm `oidc-provider`), over https with an authority of its own. */
export interface TestProvider {
  issuer: string;
  /** The authority's certificate, for `SSL_CERT_FILE`. */
  certificate: string;
  /** Throws the signing key away and signs with another one from now on; sessions stay. */
  rotateKeys(): Promise<void>;
  /** Closes the port, as an outage does. */
  goDown(): Promise<void>;
  comeBack(): Promise<void>;
  stop(): Promise<void>;
}

async function newKey(kid: string): Promise<JWK> {
  const pair = await crypto.subtle.generateKey(
    { name: 'RSASSA-PKCS1-v1_5', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' },
    true,
    ['sign', 'verify'],
  );
  const jwk = await crypto.subtle.exportKey('jwk', pair.privateKey);
  return {
    kty: 'RSA',
    n: jwk.n,
    e: jwk.e,
    d: jwk.d,
    p: jwk.p,
    q: jwk.q,
    dp: jwk.dp,
    dq: jwk.dq,
    qi: jwk.qi,
    kid,
    alg: 'RS256',
    use: 'sig',
  } as JWK;
}

/** What the provider keeps: its own memory would go with the key that is thrown away. */
function records(): (model: string) => Adapter {
  const all = new Map<string, AdapterPayload>();
  return (model) => {
    const key = (id: string) => `${model}:${id}`;
    const first = (fits: (payload: AdapterPayload) => boolean) =>
      Promise.resolve([...all].find(([name, payload]) => name.startsWith(`${model}:`) && fits(payload))?.[1]);
    return {
      upsert: async (id, payload) => void all.set(key(id), payload),
      find: async (id) => all.get(key(id)),
      findByUid: (uid) => first((payload) => payload.uid === uid),
      findByUserCode: (code) => first((payload) => payload.userCode === code),
      consume: async (id) => void all.set(key(id), { ...all.get(key(id)), consumed: Math.floor(Date.now() / 1000) }),
      destroy: async (id) => void all.delete(key(id)),
      revokeByGrantId: async (grantId) => {
        for (const [name, payload] of all) if (payload.grantId === grantId) all.delete(name);
      },
    };
  };
}

function configuration(settings: ProviderSettings, key: JWK, adapter: (model: string) => Adapter): Configuration {
  return {
    adapter,
    clients: [
      {
        client_id: 'movers-web',
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        redirect_uris: [`${settings.site}/callback`, `${settings.site}/dashboard/callback`],
        post_logout_redirect_uris: [`${settings.site}/`, `${settings.site}/dashboard`],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    clientBasedCORS: (_ctx, origin) => origin === settings.site,
    cookies: { keys: ['not a secret'] },
    features: {
      // tokens for our API are JWTs of one audience, which userinfo refuses
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: () => ({
          scope: '',
          audience: settings.audience,
          accessTokenFormat: 'jwt',
          accessTokenTTL: 3600,
        }),
      },
    },
    findAccount: (_ctx, id) => {
      const person = settings.people[id];
      return person ? { accountId: id, claims: () => ({ sub: id, ...person }) } : undefined;
    },
    jwks: { keys: [key] },
    pkce: { required: () => true },
  };
}

export async function startProvider(settings: ProviderSettings): Promise<TestProvider> {
  const folder = mkdtempSync(join(tmpdir(), 'portage-oidc-'));
  const pems = await authorityOf('localhost');
  const certificate = join(folder, 'certificate.pem');
  writeFileSync(certificate, pems.authority);

  let answer: ReturnType<Provider['callback']> | null = null;
  const listen = (port: number): Promise<Server> =>
    new Promise((done, failed) => {
      const server = createServer({ key: pems.key, cert: pems.certificate }, (request, response) => {
        void answer?.(request, response);
      });
      server.once('error', failed);
      server.listen(port, '127.0.0.1', () => done(server));
    });
  const close = (server: Server) =>
    new Promise<void>((done) => {
      server.close(() => done());
      server.closeAllConnections();
    });

  const port = await freePort();
  let server = await listen(port);
  const issuer = `https://localhost:${port}`;
  const adapter = records();
  let keys = 0;
  const renew = async () => {
    keys += 1;
    answer = new Provider(issuer, configuration(settings, await newKey(`key-${keys}`), adapter)).callback();
  };
  await renew();
  return {
    issuer,
    certificate,
    rotateKeys: renew,
    goDown: () => close(server),
    comeBack: async () => {
      server = await listen(port);
    },
    stop: async () => {
      await close(server);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
