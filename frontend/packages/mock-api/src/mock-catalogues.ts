import type {
  DiscountCode,
  DiscountTerms,
  DiscountUse,
  Mate,
  MateForm,
  Partner,
  PartnerForm,
  Truck,
  TruckForm,
} from '@portage/api';
import { http, HttpResponse } from 'msw';

import { problem } from './mock-account.ts';

/** What a company sets itself up with. */
export interface Catalogues {
  discounts: DiscountCode[];
  /** Who used a code, by the key of the code. */
  uses: Map<string, DiscountUse[]>;
  mates: Mate[];
  partners: Partner[];
  trucks: Truck[];
}

const at = '2027-01-01T00:00:00Z';

export function someDiscount(change: Partial<DiscountCode> = {}): DiscountCode {
  return {
    id: 'discount-1',
    code: 'SPRING10',
    kind: 'percent',
    value: '10.00',
    maxAmount: '50.00',
    validFrom: '2027-03-01',
    validUntil: '2027-05-31',
    bookableFrom: null,
    bookableUntil: null,
    provinces: ['QC'],
    kinds: [],
    maxUses: 100,
    maxUsesPerCustomer: 1,
    firstBookingOnly: false,
    disabled: false,
    uses: 3,
    state: 'active',
    version: 1,
    createdAt: at,
    ...change,
  };
}

export function someMate(change: Partial<Mate> = {}): Mate {
  return {
    id: 'mate-42',
    mateID: 'M-0042',
    name: 'Nadia Roy',
    address: null,
    phone: '514-555-0142',
    email: 'nadia@example.test',
    neq: null,
    tps: null,
    tvq: null,
    state: 'active',
    skills: ['piano'],
    languages: ['en', 'fr'],
    hubs: ['montreal'],
    documents: [],
    hasExpiredDocument: false,
    payRate: '24.50',
    version: 1,
    createdAt: at,
    updatedAt: at,
    ...change,
  };
}

export function somePartner(change: Partial<Partner> = {}): Partner {
  return {
    id: 'partner-7',
    partnerID: 'P-0007',
    name: 'Meubles Outremont',
    addresses: [],
    contacts: [{ name: 'Paul Gagnon', email: 'paul@outremont.test', phone: '514-555-0170' }],
    rateName: null,
    netDays: 30,
    language: 'fr',
    state: 'active',
    version: 1,
    createdAt: at,
    updatedAt: at,
    ...change,
  };
}

export function someTruck(change: Partial<Truck> = {}): Truck {
  return {
    id: 'truck-1',
    name: 'Castor',
    size: '20ft',
    hub: 'montreal',
    plate: 'L123456',
    inspectedUntil: null,
    insuredUntil: null,
    expired: false,
    state: 'active',
    version: 1,
    createdAt: at,
    ...change,
  };
}

export function freshCatalogues(): Catalogues {
  return {
    discounts: [
      someDiscount(),
      someDiscount({ id: 'discount-2', code: 'PARTNER25', kind: 'fixed', value: '25.00', maxAmount: null, uses: 0 }),
    ],
    uses: new Map(),
    mates: [someMate(), someMate({ id: 'mate-43', mateID: 'M-0043', name: 'Ali Haddad', state: 'paused' })],
    partners: [somePartner()],
    trucks: [someTruck(), someTruck({ id: 'truck-2', name: 'Orignal', size: '26ft', hub: 'toronto' })],
  };
}

interface Kept {
  id: string;
  version: number;
}

interface CatalogueOf<R extends Kept, Body> {
  path: string;
  rows: () => R[];
  keep: (rows: R[]) => void;
  blank: (id: string) => R;
  write: (body: Body) => Partial<R>;
  /** Why it is not added. */
  refuse?: (body: Body) => Response | undefined;
}

/** The calls of a list of records: one, add, change; the list itself is a call of its own. */
function recordHandlers<R extends Kept, Body>(of: CatalogueOf<R, Body>, note: (request: Request) => Promise<void>) {
  const find = (id: unknown) => of.rows().find((one) => one.id === id);
  const missing = () => problem(404, 'not_found', 'Not found');
  return [
    http.get(`*/api/${of.path}/:id`, ({ params }) => {
      const found = find(params['id']);
      return found ? HttpResponse.json(found) : missing();
    }),
    http.post(`*/api/${of.path}`, async ({ request }) => {
      await note(request);
      const body = (await request.json()) as Body;
      const refused = of.refuse?.(body);
      if (refused) return refused;
      const made = { ...of.blank(`${of.path}-new`), ...of.write(body) };
      of.keep([made, ...of.rows()]);
      return HttpResponse.json(made, { status: 201 });
    }),
    http.put(`*/api/${of.path}/:id`, async ({ request, params }) => {
      await note(request);
      const old = find(params['id']);
      if (!old) return missing();
      if (request.headers.get('If-Match') !== `"${old.version}"`)
        return problem(412, 'version_conflict', 'Changed meanwhile.');
      const made = { ...old, ...of.write((await request.json()) as Body), version: old.version + 1 };
      of.keep(of.rows().map((one) => (one.id === old.id ? made : one)));
      return HttpResponse.json(made);
    }),
  ];
}

type Page = (rows: readonly object[], url: URL) => Response;

/** The calls of discounts, mates, partners and trucks. */
export function catalogueHandlers(kept: Catalogues, note: (request: Request) => Promise<void>, page: Page) {
  const list =
    <R extends { state: string }>(rows: () => R[], words: (row: R) => string) =>
    async ({ request }: { request: Request }) => {
      await note(request);
      const url = new URL(request.url);
      const value = (url.searchParams.get('value') ?? '').toLowerCase();
      const state = url.searchParams.get('state');
      const found = rows().filter(
        (row) => words(row).toLowerCase().includes(value) && (state === null || row.state === state),
      );
      return page(found, url);
    };
  const discounts = list(
    () => kept.discounts,
    (row) => row.code,
  );
  return [
    http.get('*/api/discounts', discounts),
    http.get('*/api/discounts/search', discounts),
    http.get('*/api/discounts/:id/uses', ({ request, params }) =>
      page(kept.uses.get(String(params['id'])) ?? [], new URL(request.url)),
    ),
    http.delete('*/api/discounts/:id', async ({ request, params }) => {
      await note(request);
      const id = String(params['id']);
      const used = (kept.uses.get(id) ?? []).length > 0;
      kept.discounts = used
        ? kept.discounts.map((one) => (one.id === id ? { ...one, disabled: true, state: 'disabled' } : one))
        : kept.discounts.filter((one) => one.id !== id);
      return new HttpResponse(null, { status: 204 });
    }),
    ...recordHandlers<DiscountCode, DiscountTerms>(
      {
        path: 'discounts',
        rows: () => kept.discounts,
        keep: (rows) => {
          kept.discounts = rows;
        },
        blank: (id) => someDiscount({ id, uses: 0, state: 'planned' }),
        write: (body) => ({ ...body }) as Partial<DiscountCode>,
        refuse: ({ code }) =>
          kept.discounts.some((one) => one.code === code?.toUpperCase())
            ? problem(409, 'discount_code_taken', 'Another discount has this code already.')
            : undefined,
      },
      note,
    ),
    http.get(
      '*/api/mate',
      list(
        () => kept.mates,
        (row) => `${row.name} ${row.mateID}`,
      ),
    ),
    ...recordHandlers<Mate, MateForm>(
      {
        path: 'mate',
        rows: () => kept.mates,
        keep: (rows) => {
          kept.mates = rows;
        },
        blank: (id) => someMate({ id, mateID: 'M-0099' }),
        write: ({ documents, ...body }) =>
          ({ ...body, documents: (documents ?? []).map((one) => ({ ...one, expired: false })) }) as Partial<Mate>,
      },
      note,
    ),
    http.get(
      '*/api/partner',
      list(
        () => kept.partners,
        (row) => `${row.name} ${row.partnerID}`,
      ),
    ),
    ...recordHandlers<Partner, PartnerForm>(
      {
        path: 'partner',
        rows: () => kept.partners,
        keep: (rows) => {
          kept.partners = rows;
        },
        blank: (id) => somePartner({ id, partnerID: 'P-0099' }),
        write: (body) => ({ ...body }) as Partial<Partner>,
      },
      note,
    ),
    http.get('*/api/trucks', () => HttpResponse.json({ data: kept.trucks })),
    ...recordHandlers<Truck, TruckForm>(
      {
        path: 'trucks',
        rows: () => kept.trucks,
        keep: (rows) => {
          kept.trucks = rows;
        },
        blank: (id) => someTruck({ id }),
        write: (body) => ({ ...body }) as Partial<Truck>,
        refuse: ({ name, hub }) =>
          kept.trucks.some((one) => one.name === name && one.hub === hub)
            ? problem(409, 'truck_name_taken', 'Another truck of this hub is called so.')
            : undefined,
      },
      note,
    ),
  ];
}
