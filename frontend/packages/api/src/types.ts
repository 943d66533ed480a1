import type { components } from './schema.d.ts';

/**
 * Short names for the documented shapes the apps use, and the closed lists that the screens walk through. Money is a
 * decimal string in dollars, an instant is RFC 3339 in UTC, a duration is whole minutes.
 */
type Schemas = components['schemas'];

export type MoveKind = Schemas['MoveKind'];
export const moveKinds: MoveKind[] = [
  'residential',
  'storage',
  'justMates',
  'longDistance',
  'commercial',
  'itemDelivery',
  'curbside',
  'whiteGlove',
];

export type Accessibility = Schemas['Accessibility'];
export const accessibilities: Accessibility[] = ['easy', 'moderate', 'difficult'];

export type Province = Schemas['Province'];
export const provinces: Province[] = ['QC', 'ON', 'BC', 'AB', 'MB', 'NB', 'NL', 'NS', 'NT', 'NU', 'PE', 'SK', 'YT'];

/** The province a text names, or null: requests take nothing else. */
export function provinceOf(text: string): Province | null {
  return provinces.find((province) => province === text) ?? null;
}

export type BookingStatus = Schemas['BookingStatus'];
export type FurnitureCategory =
  | 'bedroom-bathroom'
  | 'bin-container-box'
  | 'kitchen-dining-room'
  | 'large-appliances'
  | 'living-room'
  | 'outdoor-sports';

export type Coordinates = Schemas['Point'];

/** An address of the draft: what is not known yet is empty. */
export interface Address {
  country: string;
  province: string;
  postalCode: string;
  city: string;
  street: string;
  unit: string;
  fullAddress: string;
}

export type SelectedFurniture = Schemas['FurnitureChoice'];
export type ExtraService = Schemas['ExtraService'];
export const extraServices: ExtraService[] = ['packing', 'unpacking', 'disposal', 'storage', 'tvMounting'];
export type EstimateRequest = Schemas['EstimateRequestBody'];
export type LineType = Schemas['LineType'];
export type PriceLine = Schemas['PriceLine'];
export type TaxComponent = Schemas['TaxPart'];
export type EstimateWarning = Schemas['CrewWarning'];
export type Estimate = Schemas['EstimateAnswer'];
export type PriceHint = Schemas['PriceHint'];
export type DayPrices = Schemas['PricesAnswer'];
export type DayPrice = Schemas['DayPrice'];
export type CrewPrice = Schemas['CrewPrice'];
export type Crews = Schemas['CrewsAnswer'];
export type Discount = Schemas['DiscountAnswer'];
export type PaymentPlan = Schemas['PlanAnswer'];
export type PolicyFigures = Schemas['PolicyFigures'];
export type PolicyTerm = Schemas['PolicyTerm'];
export type CancellationWindow = Schemas['CancellationWindow'];
export type Slot = Schemas['AvailableSlot'];
export type AvailabilityDay = Schemas['AvailableDay'];
export type Availability = Schemas['AvailabilityAnswer'];
export type HoldRequest = Schemas['HoldRequest'];
export type Hold = Schemas['HoldAnswer'];
export type GeoResult = Schemas['FoundAddress'];
export type GeoRoute = Schemas['RouteAnswer'];
export type Furniture = Schemas['FurnitureItem'];
export type FurniturePreset = Schemas['PresetInventory'];
export type RoomCounts = Schemas['RoomCounts'];
export type RoomInventory = Schemas['RoomInventory'];
export type FurnitureCatalogue = Schemas['FurnitureAnswer'];
export type PublicConfig = Schemas['PublicSettings'];
export type BookingDraftBody = Schemas['BookingDraft'];
export type BookedLocation = Schemas['BookedLocation'];
export type Booking = Schemas['BookingRecord'];
/** How a booking is paid: by the stored card on its dates, by a link that is mailed, by invoice, or on the day. */
export type PaymentMethod = Schemas['PaidBy'];
export const paymentMethods: PaymentMethod[] = ['card', 'link', 'invoice', 'onSite'];
/** What a payment link shows to whoever holds it. */
export type LinkPayment = Schemas['PayPage'];
/** What a link for another card is about. */
export type CardLink = Schemas['CardLinkPage'];
/** A quote that was mailed. */
export type MailedQuote = Schemas['MailedQuote'];
/** What a guest asks a person for, where a move cannot be booked online. */
export type QuoteRequestBody = Schemas['QuoteRequestBody'];
export type BookingObstacle = Schemas['BookingObstacle'];
export type CallAt = Schemas['CallAt'];
export const callTimes = ['anytime', 'morning', 'afternoon', 'evening'] as const satisfies readonly CallAt[];
/** What the link of a mailed quote leads to. */
export type QuoteOfLink = Schemas['SavedQuotePage'];
export type ConsentOfLink = Schemas['ConsentPage'];
export type UnsubscribeOfLink = Schemas['UnsubscribePage'];
export type EditPreview = Schemas['EditPreviewAnswer'];
export type CancellationPreview = Schemas['CancellationAnswer'];
export type TipRecord = Schemas['TipRecord'];
export type Statement = Schemas['StatementAnswer'];
export type InvoiceRecord = Schemas['InvoiceRecord'];
export type InvoiceDocument = Schemas['InvoiceDocument'];
export type InvoiceRow = Schemas['InvoiceRow'];
export type InvoiceBooking = Schemas['InvoiceBooking'];
export type InvoiceTax = Schemas['InvoiceTax'];
export type UninvoicedMoves = Schemas['UninvoicedMoves'];
export type BookedPayment = Schemas['BookedPayment'];
export type StoredCard = Schemas['CardAnswer'];
export type StoredCustomer = Schemas['CustomerAnswer'];
export type OwnProfile = Schemas['ProfileAnswer'];
export type ProfileUpdate = Schemas['ProfileUpdate'];

export const paymentKinds = [
  'deposit',
  'balance',
  'full',
  'difference',
  'tip',
  'overtime',
  'cancellation_fee',
  'refund',
] as const;
export type PaymentKind = (typeof paymentKinds)[number];

export interface Page<T> {
  data: T[];
  total: number;
  page: number;
  perPage: number;
}
