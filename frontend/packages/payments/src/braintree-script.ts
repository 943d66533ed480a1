import type { Client } from 'braintree-web/client';
import clientUrl from 'braintree-web/dist/browser/client.js?url';
import hostedFieldsUrl from 'braintree-web/dist/browser/hosted-fields.js?url';
import type { HostedFields } from 'braintree-web/hosted-fields';

interface Braintree {
  client?: { create(options: { authorization: string }): Promise<Client> };
  hostedFields?: { create(options: Record<string, unknown>): Promise<HostedFields> };
}

declare global {
  interface Window {
    braintree?: Braintree;
  }
}

/** Milliseconds a script may take: what comes later comes too late for somebody who waits for a form. */
const patience = 20_000;

const loaded = new Map<string, Promise<void>>();

/**
 * Adds a script of the gateway once. The gateway's library is a script element and no `import()`: an element that failed
 * is thrown away and a new one asks again, while browsers remember a failed module for as long as the page lives.
 */
function loadScript(url: string, arrived: () => boolean): Promise<void> {
  const known = loaded.get(url);
  if (known && arrived()) return known;
  const script = document.createElement('script');
  const loading = new Promise<void>((resolve, reject) => {
    const fail = () => {
      clearTimeout(timer);
      script.remove();
      loaded.delete(url);
      reject(new Error(`the gateway's script did not load: ${url}`));
    };
    const timer = setTimeout(fail, patience);
    script.addEventListener('error', fail);
    script.addEventListener('load', () => {
      if (!arrived()) {
        fail();
        return;
      }
      clearTimeout(timer);
      resolve();
    });
  });
  loaded.set(url, loading);
  script.src = url;
  script.async = true;
  document.head.append(script);
  return loading;
}

/** The two parts of the gateway's library that the card form uses, from our own server. */
export async function loadBraintree(): Promise<Required<Braintree>> {
  await Promise.all([
    loadScript(clientUrl, () => window.braintree?.client !== undefined),
    loadScript(hostedFieldsUrl, () => window.braintree?.hostedFields !== undefined),
  ]);
  const { client, hostedFields } = window.braintree ?? {};
  if (!client || !hostedFields) throw new Error("the gateway's scripts are incomplete");
  return { client, hostedFields };
}
