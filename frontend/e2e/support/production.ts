import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { expect, type Page } from '@playwright/test';

import { authorityOf } from './certificates.ts';
import { freePort, startServer } from './server.ts';

const world = resolve(import.meta.dirname, '../../../scripts/production/world.mjs');

/** A company in production: the real program without a demonstration, on an empty database. */
export interface Company {
  /** Where people find it, by https. */
  url: string;
  /** The card gateway, by https. */
  gateway: string;
  /** Mails to somebody that the relay was given, newest last, readable. */
  mailsTo(address: string): string[];
  stop(): Promise<void>;
}

function readable(mail: string): string {
  const bytes = mail
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

async function gone(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((done) => {
    child.once('exit', done);
  });
  child.kill('SIGTERM');
  await ended;
}

/**
 * Starts a company whose settings are what the environment says, and the world outside of it, in processes of their own:
 * gateway and maps by https, a relay by TLS that asks for a password, and the proxy before the company.
 */
export async function startCompany(settings: Record<string, string>): Promise<Company> {
  const folder = mkdtempSync(join(tmpdir(), 'portage-company-'));
  mkdirSync(join(folder, 'mails'));
  const authority = await authorityOf('localhost');
  for (const [name, content] of [
    ['ca.pem', authority.authority],
    ['localhost.pem', authority.certificate],
    ['localhost.key', authority.key],
  ] as const)
    writeFileSync(join(folder, name), content);

  const simulated = await startServer();
  const [gateway, relay, door, site] = [await freePort(), await freePort(), await freePort(), await freePort()];
  const outside = spawn(
    process.execPath,
    [world, folder, new URL(simulated.url).port, gateway, relay, door, site].map(String),
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const url = `https://localhost:${door}`;
  const company = await startServer(
    undefined,
    {
      PORTAGE_MODE: 'production',
      PORTAGE_PUBLIC_URL: url,
      PORTAGE_BEHIND_PROXY: 'true',
      PORTAGE_DRAIN_SECONDS: '1',
      PORTAGE_PAYMENTS_URL: `https://localhost:${gateway}/graphql`,
      PORTAGE_PAYMENTS_PUBLIC_KEY: 'public',
      PORTAGE_PAYMENTS_PRIVATE_KEY: 'private',
      PORTAGE_PAYMENTS_MERCHANT_ACCOUNT: 'move_cad',
      PORTAGE_MAPS_URL: `https://localhost:${gateway}`,
      PORTAGE_MAPS_TOKEN: 'pk.move',
      PORTAGE_SMTP_URL: `smtps://move%40relay.example:p%40ss%20word@localhost:${relay}`,
      PORTAGE_MAIL_FROM: 'moves@move.example',
      SSL_CERT_FILE: join(folder, 'ca.pem'),
      ...settings,
    },
    site,
  );
  return {
    url,
    gateway: `https://localhost:${gateway}`,
    mailsTo: (address) =>
      readdirSync(join(folder, 'mails'))
        .filter((name) => name.endsWith('.eml'))
        .toSorted()
        .map((name) => readFileSync(join(folder, 'mails', name), 'latin1'))
        .filter((mail) => /^To:.*$/im.exec(mail)?.[0].includes(address))
        .map(readable),
    stop: async () => {
      await company.stop();
      await gone(outside);
      await simulated.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Opens the link in the mail that asks a new person whether the address is theirs. */
export async function confirmAddress(page: Page, company: Company, email: string): Promise<void> {
  const link = () =>
    company
      .mailsTo(email)
      .map((mail) => /https:\/\/[^\s"<>]+\/identity\/verify\?[^\s"<>]+/.exec(mail)?.[0])
      .find(Boolean);
  await expect.poll(link, { timeout: 30_000 }).toBeTruthy();
  await page.goto(link() ?? '');
}
