import { http, HttpResponse } from 'msw';

import { problem } from './mock-account.ts';

type Values = Record<string, unknown>;

/** A group of settings with everything that was saved of it, oldest first. */
export interface KeptGroup {
  defaults: Values;
  /** Fields whose default comes from the environment. */
  fromEnvironment: string[];
  versions: { version: number; changedAt: string; changedBy: string | null; saved: Values }[];
}

/** What a company sets itself up with before it opens. */
export interface Setup {
  settings: Record<string, KeptGroup>;
  steps: { code: string; done: boolean }[];
}

const retention = { afterFree: '0.2', afterLock: '1', mode: 'policy', reviewRequired: false };

const company = {
  name: 'Portage',
  address: '1 Place Ville Marie, Montréal QC H3B 2C4',
  supportEmail: 'support@portage.test',
  supportPhone: '514-555-0100',
  gstNumber: '',
  qstNumber: '',
  neq: '',
  logo: '',
  replyTo: {},
};

const policy = {
  deposit: '0.2',
  freeWindow: 24,
  lockWindow: 48,
  changeFee: '0.2',
  changeFeeMode: 'auto',
  depositRetry: [0, 6, 24, 48],
  balanceRetry: [0, 2, 6, 12, 24],
  otherRetry: [0, 24, 72, 168],
  autoRelease: true,
  tipDelay: 24,
  minGapBetweenCharges: 0,
  retention,
  provinces: {
    QC: { retention: { ...retention, reviewRequired: true }, trustAccountAfterDays: 60 },
    ON: { maxOverrun: '0.1' },
    AB: { maxOverrun: '0.1', maxOverrunAmount: '100.00' },
  },
};

const scheduling = {
  opens: '08:00',
  closes: '18:00',
  stepMinutes: 30,
  lateStartUntil: '16:00',
  latestEnd: '20:00',
  latestEndLongDistance: '22:00',
  windowMinutes: 30,
  minLeadMinutes: 1080,
  nextDayCutoff: '18:00',
  horizonDays: 365,
};

const kept = (defaults: Values, fromEnvironment: string[] = []): KeptGroup => ({
  defaults,
  fromEnvironment,
  versions: [],
});

/** Nothing saved yet, and every step done: a test that is about them says otherwise. */
export function freshSetup(): Setup {
  return {
    settings: {
      company: kept(company, ['name', 'address', 'supportEmail', 'supportPhone']),
      policy: kept(policy),
      scheduling: kept(scheduling),
    },
    steps: ['company', 'prices', 'calendar', 'people', 'testBooking'].map((code) => ({ code, done: true })),
  };
}

function recordOf(group: string, { defaults, fromEnvironment, versions }: KeptGroup) {
  const last = versions.at(-1);
  const saved = last?.saved ?? {};
  const source = (field: string) =>
    field in saved ? 'saved' : fromEnvironment.includes(field) ? 'environment' : 'default';
  return {
    group,
    version: last?.version ?? 0,
    values: { ...defaults, ...saved },
    saved,
    defaults,
    sources: Object.fromEntries(Object.keys(defaults).map((field) => [field, source(field)])),
    changedAt: last?.changedAt ?? null,
    changedBy: last?.changedBy ?? null,
  };
}

/** Saves as the server does: what is saved already adds no version. */
export function saveSettings(kept: KeptGroup, saved: Values, changedBy: string | null = 'Ana Roy'): void {
  const last = kept.versions.at(-1);
  if (JSON.stringify(last?.saved ?? {}) === JSON.stringify(saved)) return;
  const version = (last?.version ?? 0) + 1;
  kept.versions.push({ version, changedAt: '2027-02-03T15:00:00Z', changedBy, saved });
}

/** The calls of settings and first steps. */
export function setupHandlers(setup: Setup, note: (request: Request) => Promise<void>) {
  const find = (group: unknown) => setup.settings[String(group)];
  const missing = () => problem(404, 'not_found', 'Not found');
  const steps = () => HttpResponse.json({ steps: setup.steps, done: setup.steps.every(({ done }) => done) });
  return [
    http.get('*/api/settings/:group', ({ params }) => {
      const found = find(params['group']);
      return found ? HttpResponse.json(recordOf(String(params['group']), found)) : missing();
    }),
    http.get('*/api/settings/:group/versions', ({ params }) => {
      const found = find(params['group']);
      return found ? HttpResponse.json({ data: found.versions.toReversed() }) : missing();
    }),
    http.put('*/api/settings/:group', async ({ request, params }) => {
      await note(request);
      const found = find(params['group']);
      if (!found) return missing();
      if (request.headers.get('If-Match') !== `"${found.versions.at(-1)?.version ?? 0}"`)
        return problem(412, 'version_conflict', 'Changed meanwhile.');
      const { values } = (await request.json()) as { values: Values };
      saveSettings(found, values);
      return HttpResponse.json(recordOf(String(params['group']), found));
    }),
    http.get('*/api/first-steps', steps),
    http.post('*/api/first-steps/prices', async ({ request }) => {
      await note(request);
      setup.steps = setup.steps.map((step) => (step.code === 'prices' ? { ...step, done: true } : step));
      return steps();
    }),
  ];
}
