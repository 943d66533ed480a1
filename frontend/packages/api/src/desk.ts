import { api, unwrap } from './client.ts';
import type { components } from './schema.d.ts';

/** Short names for the documented shapes of the back office's calls. */
type Schemas = components['schemas'];

export type PaymentState = Schemas['PaymentState'];
export const paymentStates: PaymentState[] = [
  'none',
  'deposit_paid',
  'paid',
  'problem',
  'refunded',
  'partially_refunded',
];

export type AllowedStatus = Schemas['AllowedStatus'];
/** A booking as staff see it, in a list or on its own. */
export type DeskBooking = Schemas['StaffBooking'];
/** Who a booking is for, when staff make it. */
export type Caller = Required<Schemas['ContactRequest']> & { language: Schemas['Language'] };
/** What books a move for somebody who calls. */
export type PhoneOrder = Schemas['CreateRequest'] & { customer: Caller; payment: Schemas['PaidBy'] };
/** Whose booking it is, with their moves. */
export type CustomerOfBooking = Schemas['BookingCustomer'];
export type DeskPage = Schemas['StaffBookingPage'];
export type DeskPayment = Schemas['PaymentRecord'];
export type FailedCharge = Schemas['FailedCharge'];
export type DeskDispute = Schemas['DisputeRecord'];
/** What a customer was asked to agree to, with the exact words. */
export type DeskConsent = Schemas['ConsentRecord'];
export type DeskCredit = Schemas['CreditRecord'];
export type OvertimeCause = Schemas['OvertimeCause'];
export const overtimeCauses = [
  'more_items',
  'access',
  'elevator',
  'not_ready',
  'extra_work',
  'other',
] as const satisfies readonly OvertimeCause[];
export type HandMethod = Schemas['HandMethod'];
/** How money comes that no card is charged for. */
export const handMethods = ['cash', 'etransfer', 'cheque'] as const satisfies readonly HandMethod[];
/** A request for a quote in the list, and with its draft. */
export type QuoteRequestEntry = Schemas['QuoteRequestEntry'];
export type QuoteRequestRecord = Schemas['QuoteRequestRecord'];
export type QuoteRequestState = Schemas['QuoteRequestState'];
export const quoteRequestStates = [
  'new',
  'answering',
  'booked',
  'closed',
] as const satisfies readonly QuoteRequestState[];
export type OutboxEntry = Schemas['OutboxEntry'];
export type OutboxMessage = Schemas['OutboxMessage'];
export type MessageStanding = Schemas['MessageStanding'];
export const messageStandings = [
  'waiting',
  'retrying',
  'given_up',
  'sent',
  'delivered',
  'undelivered',
  'withheld',
  'dropped',
] as const satisfies readonly MessageStanding[];
export type MessageChannel = Schemas['Channel'];
export const messageChannels = ['email', 'sms'] as const satisfies readonly MessageChannel[];
export type SmsTrouble = Schemas['SmsTrouble'];
export type TextRejection = Schemas['TextRejectionReason'];
export type TemplateRow = Schemas['TemplateRow'];
export type TemplateRecord = Schemas['TemplateRecord'];
export type TemplateWords = Schemas['TemplateWords'];
export type TemplatePreview = Schemas['TemplatePreview'];
export type TemplateVersion = Schemas['TemplateVersion'];
export type DeskMessage = Schemas['MessageRecord'];
export type DeskNote = Schemas['NoteRecord'];
/** Hours and photos of a crew. */
export type CrewReport = Schemas['CrewReport'];
export type DeskEvent = Schemas['HistoryEvent'];
/** A change of a booking by staff. */
export type StaffEdit = Schemas['StaffEditRequest'];
export type DeskPreview = Schemas['EditPreviewAnswer'];
export type Fault = Schemas['Fault'];
/** What happens with the money when a booking is cancelled now. */
export type DeskCancellation = Schemas['StaffCancellationAnswer'];
export type BulkResult = Schemas['BulkResult'];
/** A kept list; those that are read with their counts have them, too. */
export type DeskView = Schemas['ViewRecord'];
export type DeskViews = Schemas['ViewsAnswer'];
/** How a list of bookings is ordered. */
export type BookingOrder = Schemas['BookingOrder'];
export type OpsMember = Schemas['MemberRecord'];
export type AuditEntry = Schemas['AuditEntry'];
export type QueueJob = Schemas['JobEntry'];

/** A comparison of payment service, ledger and histories, with what it found. */
export type Comparison = Schemas['ComparisonRecord'];
/** A comparison that was not made. */
export type ComparisonFailure = Schemas['ComparisonFailure'];
export type Difference = Schemas['DifferenceRow'];
/** What came and went on a day. */
export type DayReport = Schemas['DayAnswer'];
export type TrustRow = Schemas['TrustRow'];
/** A month of the books, closed or not. */
export type BookMonth = Schemas['BookMonthRow'];
export type AccountingContent = Schemas['AccountingContent'];
/** What is owed, by age. */
export type AgedBalances = Schemas['AgedAnswer'];
export type AgedDebtor = Schemas['AgedDebtor'];

/** A discount code as staff keep it. */
export type DiscountCode = Schemas['DiscountRecord'];
export type DiscountTerms = Schemas['DiscountTermsRequest'];
export type DiscountState = Schemas['DiscountState'];
/** A booking that used a code. */
export type DiscountUse = Schemas['DiscountUse'];
/** An address in a catalogue: whole. */
export type WholeAddress = Schemas['AddressRecord'];
export type Mate = Schemas['MateRecord'];
export type MateForm = Schemas['MateRequest'];
export type MateState = Schemas['MateState'];
export const mateStates: MateState[] = ['active', 'invited', 'paused', 'archived'];
export type Partner = Schemas['PartnerRecord'];
export type PartnerForm = Schemas['PartnerRequest'];
export type PartnerState = Schemas['PartnerState'];
export const partnerStates: PartnerState[] = ['active', 'suspended', 'archived'];
export type Truck = Schemas['TruckRecord'];
export type TruckForm = Schemas['TruckRequest'];
export type TruckState = Schemas['TruckState'];
export const truckStates: TruckState[] = ['active', 'paused', 'archived'];
export type TruckSize = Schemas['TruckSize'];
export const truckSizes: TruckSize[] = ['10ft', '20ft', '26ft'];

/** What became of a file with rows of a catalogue, or would. */
export type CatalogueImport = Schemas['CatalogueImport'];
/** A version of a rate card, as lists have it. */
export type RateVersion = Schemas['RateVersion'];
/** A version with its figures. */
export type RateCard = Schemas['RateCardRecord'];
/** What other figures would make of the newest bookings. */
export type RatePreview = Schemas['RatePreview'];
export type RepricedBooking = Schemas['RepricedBooking'];
export type RepricedExample = Schemas['RepricedExample'];

/** Filters of the lists of bookings, by the names of the contract. */
export type DeskFilters = Record<string, unknown>;

/** Header that lets a change through only when nobody was first. */
export function ifMatch(version: number): { 'If-Match': string } {
  return { 'If-Match': `"${version}"` };
}

/** Bookings by name, telephone number, address, code: the best match first. */
export function findBookings(value: string, perPage = 8): Promise<DeskPage> {
  return unwrap(api.GET('/search', { params: { query: { value: value.slice(0, 200), page: 1, per_page: perPage } } }));
}
