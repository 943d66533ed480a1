import { expect, type Page, test } from '@playwright/test';

import { openMenu } from '../support/menu.ts';
import { startProvider, type TestProvider } from '../support/provider.ts';
import { freePort, startServer, type TestServer } from '../support/server.ts';
import { text } from '../support/texts.ts';

const audience = 'https://api.movers.example';
const people = {
  ana: { name: 'Ana Roy', email: 'ana@example.test', email_verified: true },
  boss: { name: 'Bo Tremblay', email: 'admin@portage.test', email_verified: true },
  forger: { name: 'Eve', email: 'ops@portage.test', email_verified: false },
  nameless: { name: '', email: '', email_verified: false },
};

// the provider's certificate is known to the server, not to the browser
test.use({ ignoreHTTPSErrors: true });

let provider: TestProvider;
let site: TestServer;

test.beforeAll(async () => {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  provider = await startProvider({ site: url, audience, people });
  site = await startServer(
    undefined,
    {
      PORTAGE_OIDC_ISSUER: provider.issuer,
      PORTAGE_OIDC_AUDIENCE: audience,
      PORTAGE_OIDC_CLIENT_ID: 'movers-web',
      SSL_CERT_FILE: provider.certificate,
    },
    port,
  );
});
test.afterAll(async () => {
  await site.stop();
  await provider.stop();
});

/** Through the provider's own pages: login with any password, then consent. */
async function signInAs(page: Page, login: keyof typeof people, from = '/profile'): Promise<void> {
  await page.goto(`${site.url}${from}`);
  const button = page.getByRole('main').getByRole('button', { name: 'Sign in' });
  await button.or(page.getByPlaceholder('Enter any login')).first().waitFor();
  if (await button.isVisible()) await button.click();
  await page.getByPlaceholder('Enter any login').fill(login);
  await page.getByPlaceholder('and password').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.waitForURL(`${site.url}/**`);
}

test('people sign in at the provider, stay through a reload, and leave', async ({ page }) => {
  await signInAs(page, 'ana');
  await expect(page.getByText('ana@example.test').first()).toBeVisible();
  await expect(page.getByText('Ana').first()).toBeVisible();
  await page.reload();
  await expect(page.getByText('ana@example.test').first()).toBeVisible();
  // what the provider signs with is changed in an emergency: nobody notices
  await provider.rotateKeys();
  await page.reload();
  await expect(page.getByText('ana@example.test').first()).toBeVisible();
  // on a phone it is in the header's menu
  await openMenu(page, 'en');
  await page.getByRole('button', { name: 'Sign out' }).first().click();
  await page.getByRole('button', { name: 'Yes, sign me out' }).click();
  await page.waitForURL(`${site.url}/`);
  await page.goto(`${site.url}/profile`);
  await expect(page.getByRole('heading', { name: 'You will need to login' })).toBeVisible();
});

test('the pages for passwords lead to the provider', async ({ page }) => {
  for (const path of ['/signin', '/signup']) {
    await page.goto(`${site.url}${path}`);
    await page.waitForURL(`${provider.issuer}/**`);
  }
  for (const path of ['/forgotpassword', '/resetpassword?token=x']) {
    await page.goto(`${site.url}${path}`);
    await expect(page.getByRole('main')).toContainText('localhost');
    await expect(page.getByRole('main').getByRole('textbox')).toHaveCount(0);
  }
});

test('a role counts for an address the provider vouches for', async ({ browser }) => {
  const role = async (login: keyof typeof people) => {
    const page = await browser.newPage({ ignoreHTTPSErrors: true });
    const profile = page.waitForResponse((answer) => answer.url().endsWith('/api/profiles/') && answer.ok());
    await signInAs(page, login);
    const told = (await (await profile).json()) as { role: string };
    await page.close();
    return told.role;
  };
  for (const login of ['boss', 'forger'] as const) {
    const { email } = people[login];
    const told = site.run('ops', 'add', '--email', email, '--first-name', 'A', '--last-name', 'B', '--admin');
    expect(told).toContain(`once ${provider.issuer} vouches for it`);
  }
  expect(await role('ana')).toBe('customer');
  expect(await role('boss')).toBe('admin');
  expect(await role('forger')).toBe('customer');
});

test('who has no address is told so in words', async ({ page }) => {
  await signInAs(page, 'nameless');
  await expect(page.getByText('did not tell us your e-mail address').first()).toBeVisible();
});

test('a provider that is down is told in words, and the page works again when it is back', async ({ page }) => {
  await signInAs(page, 'ana');
  await expect(page.getByText('ana@example.test').first()).toBeVisible();
  await provider.goDown();
  // keys that were fetched stay good: those who are signed in notice nothing
  await page.getByRole('link', { name: 'Bookings' }).first().click();
  await expect(
    page.getByRole('heading', { level: 1, name: text('en', 'shell:page.bookings'), exact: true }),
  ).toBeVisible();
  await expect(page.getByText(text('en', 'bookings:booking.none'))).toBeVisible();
  await expect(page.getByText('Failed to load')).toHaveCount(0);
  const other = await page.context().newPage();
  await other.goto(`${site.url}/signin`);
  await expect(other.getByRole('dialog')).toBeVisible();
  await provider.comeBack();
  await other.getByRole('dialog').getByRole('button', { name: 'Try again' }).click();
  await other.waitForURL((url) => url.origin === provider.issuer || url.pathname === '/profile');
});
