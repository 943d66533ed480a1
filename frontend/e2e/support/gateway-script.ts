import { readFileSync } from 'node:fs';

import type { Page } from '@playwright/test';

const manifest = new URL('../../apps/book/dist/.vite/manifest.json', import.meta.url);

/** The file the build gave one of the gateway's scripts: the app has chunks with such names of its own. */
function built(script: string): string {
  const files = JSON.parse(readFileSync(manifest, 'utf8')) as Record<string, { file: string }>;
  const found = Object.entries(files).find(([source]) => source.endsWith(`braintree-web/dist/browser/${script}.js`));
  if (!found) throw new Error(`the build has no ${script} of braintree-web`);
  return found[1].file;
}

/**
 * A stand-in of the gateway's two scripts, served to the page in their place. Its fields are frames as the real ones are;
 * its nonces come from the simulator, so that the server takes them.
 */
const client = `window.braintree = Object.assign(window.braintree || {}, { client: { create: function () { return Promise.resolve({}); } } });`;

const hostedFields = `window.braintree = Object.assign(window.braintree || {}, { hostedFields: { create: function (options) {
  var boxes = Object.keys(options.fields).map(function (name) { return options.fields[name].container; });
  if (boxes.some(function (box) { return box.querySelector('iframe'); })) return Promise.reject(new Error('HOSTED_FIELDS_DUPLICATE_IFRAME'));
  boxes.forEach(function (box) {
    var frame = document.createElement('iframe');
    frame.title = 'Card field';
    frame.style.border = '0';
    frame.style.width = '100%';
    frame.style.height = '100%';
    box.append(frame);
  });
  if (window.breakCardFields) { window.breakCardFields = false; return Promise.reject(new Error('HOSTED_FIELDS_TIMEOUT')); }
  var gone = false;
  return Promise.resolve({
    on: function () {},
    focus: function () {},
    getState: function () {
      var fields = {};
      Object.keys(options.fields).forEach(function (name) { fields[name] = { isValid: true }; });
      return { fields: fields };
    },
    teardown: function () {
      if (gone) return Promise.reject(new Error('METHOD_CALLED_AFTER_TEARDOWN'));
      gone = true;
      boxes.forEach(function (box) { box.replaceChildren(); });
      return Promise.resolve();
    },
    tokenize: function () {
      return fetch('/simulators/braintree/tokenize', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ number: '4111111111111111', expirationMonth: '12', expirationYear: '2030', cvv: '123' }),
      }).then(function (answer) { return answer.json(); });
    },
  });
} } });`;

export interface GatewayScripts {
  /** Scripts that were asked for, by their names. */
  asked: string[];
  /** While true no script arrives. */
  blocked: boolean;
}

/** Puts the stand-in in the place of the scripts that the page asks for. */
async function standIn(page: Page): Promise<GatewayScripts> {
  const scripts: GatewayScripts = { asked: [], blocked: false };
  for (const [name, body] of [
    ['client', client],
    ['hosted-fields', hostedFields],
  ] as const)
    await page.route(`**/${built(name)}`, async (route) => {
      scripts.asked.push(name);
      if (scripts.blocked) await route.abort('blockedbyclient');
      else await route.fulfill({ contentType: 'text/javascript', body });
    });
  return scripts;
}

/** Makes the page believe in the real gateway, whose scripts are the stand-in's. */
export async function serveGatewayScripts(page: Page): Promise<GatewayScripts> {
  await page.route('**/api/config', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), payments: { provider: 'braintree' } } });
  });
  await page.route('**/api/payment/client', (route) => route.fulfill({ json: { clientToken: 'token' } }));
  return standIn(page);
}

/** In production the page asks for the scripts itself; only what they would ask the gateway goes to `gateway`. */
export async function standInForGateway(page: Page, gateway: string): Promise<void> {
  await page.route('**/simulators/braintree/tokenize', async (route) => {
    const answer = await route.fetch({ url: `${gateway}/tokenize` });
    await route.fulfill({ response: answer });
  });
  await standIn(page);
}
