// The people of scripts/production.sh, seen from outside: everything goes through the proxy, and what they learn by
// mail is read from the relay.
//   node people.mjs owner       signs up with the address of `ops add`, and opens the mailed link
//   node people.mjs customer    signs up, verifies, asks for a price, keeps a time, gives a card, books
//   node people.mjs assign      the owner sends a mate
//   node people.mjs look        the customer finds the booking again
// SITE, GATEWAY and MAILS say where; NODE_EXTRA_CA_CERTS names the authority of both.
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const { SITE, GATEWAY, MAILS } = process.env;
const PASSWORD = 'a long word about moving';
const customerAddress = 'lea@customer.example';

const cookies = new Map();

async function call(method, path, { body, form, token, headers = {}, wanted = 200 } = {}) {
  const answer = await fetch(new URL(path, SITE), {
    method,
    redirect: 'manual',
    headers: {
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(cookies.size > 0 ? { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') } : {}),
      ...headers,
    },
    body: body ? JSON.stringify(body) : form ? new URLSearchParams(form) : undefined,
  });
  for (const cookie of answer.headers.getSetCookie()) {
    const [name, value] = cookie.split(';')[0].split(/=(.*)/s);
    cookies.set(name, value);
  }
  const text = await answer.text();
  assert.equal(answer.status, wanted, `${method} ${path} answered ${answer.status}: ${text.slice(0, 600)}`);
  const json = answer.headers.get('content-type')?.includes('json');
  return { headers: answer.headers, text, json: json ? JSON.parse(text) : null };
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

async function until(what, look) {
  for (let n = 0; n < 300; n += 1) {
    const found = look();
    if (found) return found;
    await pause(100);
  }
  throw new Error(`${what} did not come`);
}

/** Mails to somebody, their plain text decoded. */
function mailsTo(address) {
  const files = existsSync(MAILS) ? readdirSync(MAILS).filter((f) => f.endsWith('.eml')) : [];
  return files
    .sort()
    .map((file) => readFileSync(join(MAILS, file), 'utf8'))
    .filter((mail) => /^To:.*$/im.exec(mail)?.[0].includes(address))
    .map((mail) =>
      mail.replaceAll('=\n', '').replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16))),
    );
}

async function signUp(email, firstName, lastName) {
  await call('POST', '/identity/api/sign-up', {
    body: { email, password: PASSWORD, firstName, lastName, language: 'en', acceptTerms: true, phone: '514-555-0123' },
    wanted: 201,
  });
  const link = await until(`the mail to ${email}`, () =>
    mailsTo(email)
      .map((mail) => /https:\/\/[^\s"<>]+\/identity\/verify\?[^\s"<>]+/.exec(mail)?.[0])
      .find(Boolean),
  );
  assert.ok(link.startsWith(SITE), `the link ${link} leads to ${SITE}`);
  const opened = await call('GET', link.slice(SITE.length), { wanted: 302 });
  assert.ok(opened.headers.get('location'));
  const session = await call('GET', '/identity/api/session');
  assert.equal(session.json.emailVerified, true, session.text);
}

async function signIn(email) {
  await call('POST', '/identity/api/sign-in', { body: { email, password: PASSWORD } });
}

/** An access token of the session, as the web app gets it. */
async function accessToken() {
  const verifier = randomBytes(48).toString('base64url');
  const callback = `${SITE}/callback`;
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: 'portage-web',
    redirect_uri: callback,
    scope: 'openid profile email offline_access',
    state: 's',
    nonce: 'n',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    prompt: 'none',
  });
  const back = await call('GET', `/identity/authorize?${query}`, { wanted: 302 });
  const code = new URL(back.headers.get('location')).searchParams.get('code');
  assert.ok(code, back.headers.get('location'));
  const form = {
    grant_type: 'authorization_code',
    client_id: 'portage-web',
    code,
    code_verifier: verifier,
    redirect_uri: callback,
  };
  return (await call('POST', '/identity/token', { form })).json.access_token;
}

const pickup = {
  province: 'QC',
  city: 'Montréal',
  postalCode: 'H2X 1Y4',
  street: '3550 Rue Jeanne-Mance',
  country: 'Canada',
};
const dropoff = {
  province: 'QC',
  city: 'Montréal',
  postalCode: 'H3A 3L3',
  street: '1000 Rue Sherbrooke Ouest',
  country: 'Canada',
};
const furniture = [
  { id: 'coffee-table', quantity: 1 },
  { id: 'box-small-1-5', quantity: 4 },
];

async function owner() {
  await signUp('owner@move.example', 'Ana', 'Roy');
  console.log('the owner signed up and opened the mailed link');
}

/** Only staff may; the role came by `ops add`. */
async function assign(id) {
  await signIn('owner@move.example');
  const token = await accessToken();
  const done = await call('PUT', `/api/bookings/status/${id}`, { body: { status: 'assigned' }, token });
  assert.equal(done.json.status, 'assigned', done.text);
  console.log(`the owner sent ${done.json.crew.map((mate) => mate.firstName ?? mate.name).join(', ')}`);
}

async function customer() {
  const page = await call('GET', '/');
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(page.text)?.[1];
  assert.ok(script, page.text.slice(0, 300));
  await call('GET', script);
  const found = await call('GET', '/api/geo/search?q=3550%20Rue%20Jeanne-Mance%2C%20Montr%C3%A9al');
  assert.ok(found.text.includes('Jeanne-Mance'), found.text);
  await signUp(customerAddress, 'Léa', 'Tremblay');
  const token = await accessToken();

  // Within two days the whole price is charged at once.
  const from = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const free = await call(
    'GET',
    `/api/availability?date=${from}&days=14&mateCount=1&duration=120&province=QC&postalCode=H2X1Y4`,
  );
  const day = free.json.days.find((one) => !one.closed && one.slots.some((slot) => slot.available));
  assert.ok(day, free.text.slice(0, 600));
  const { time } = day.slots.find((slot) => slot.available);

  const move = {
    travelDuration: 10,
    selectedFurnitures: { furnitures: furniture },
    mateCount: 1,
    movingDate: day.date,
    moveKind: 'residential',
    pickupAddress: pickup,
    dropoffAddress: dropoff,
    locationDetails: [
      { floor: 1, parking: true },
      { floor: 2, parking: true },
    ],
  };
  const price = await call('POST', '/api/booking/estimate', { body: move });
  const hold = await call('POST', '/api/holds', {
    body: { date: day.date, time, mateCount: 1, duration: price.json.duration, pickupAddress: pickup },
    wanted: 201,
  });

  await call('POST', '/api/payment/client', { body: {}, token });
  // What the browser's card fields do: the number goes to the gateway, which answers with a nonce.
  const card = await fetch(`${GATEWAY}/tokenize`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ number: '4111111111111111', expirationMonth: '12', expirationYear: '2035', cvv: '123' }),
  });
  const { nonce } = await card.json();
  assert.ok(nonce);
  await call('POST', '/api/payment', { body: { paymentNonce: nonce }, token });

  const draft = {
    pickup,
    dropoff,
    pickupCoords: { lat: 45.5105, lon: -73.5719 },
    dropoffCoords: { lat: 45.5018, lon: -73.5728 },
    pickupFloor: 1,
    dropoffFloor: 2,
    pickupHasParking: true,
    dropoffHasParking: true,
    selectedFurnitures: furniture,
    bookingType: 'residential',
    mateCount: 1,
    date: day.date,
    time,
    holdId: hold.json.id,
    guidelinesAgreed: true,
    guidelinesVersion: '1',
    language: 'en',
    survey: { source: 'advertisements' },
  };
  const booked = await call('POST', '/api/bookings', {
    body: { bookingRequest: draft },
    token,
    headers: { 'idempotency-key': 'first' },
    wanted: 201,
  });
  await until('the confirmation', () => mailsTo(customerAddress).find((mail) => mail.includes(booked.json.shortId)));
  const soon = Date.parse(booked.json.startsAt) - Date.now() < 48 * 3_600_000;
  const listed = async () => (await (await fetch(`${GATEWAY}/transactions`)).json()).data;
  for (let n = 0; soon && n < 300 && (await listed()).length === 0; n += 1) await pause(100);
  const charges = (await listed()).map((one) => `${one.status} ${one.amount}`);
  assert.deepEqual(charges, soon ? [`captured ${booked.json.total}`] : []);
  writeFileSync(join(MAILS, 'charges'), String(charges.length));
  writeFileSync(join(MAILS, 'booking'), booked.json.id);
  console.log(
    `a customer booked a move for ${day.date} at ${time}; the confirmation arrived; at the gateway: ${charges.join() || 'nothing yet'}`,
  );
}

async function look() {
  await signIn(customerAddress);
  const list = await call('GET', '/api/bookings/previous', { token: await accessToken() });
  assert.equal(list.json.total, 1, list.text);
  console.log('the booking is there');
}

const ways = { owner, customer, assign: () => assign(readFileSync(join(MAILS, 'booking'), 'utf8')), look };
await ways[process.argv[2]]();
