export { braintreeStandIn, type StandIn } from './braintree-stand-in.ts';
export { type Account, accountHandlers, freshAccount, problem, someBooking } from './mock-account.ts';
export { mockApi, mockConfig, mockEstimate, takenSlots } from './mock-api.ts';
export { furniture, presets, rooms } from './mock-furniture.ts';
export { type Desk, deskBooking, deskHandlers, freshDesk } from './mock-desk.ts';
export { freshLink, linkHandlers, type LinkWorld } from './mock-pay.ts';
export { type Catalogues, freshCatalogues, someDiscount, someMate, somePartner, someTruck } from './mock-catalogues.ts';
export { freshRates, type Rates, someFigures, someRate } from './mock-rates.ts';
export { freshSetup, saveSettings, type Setup } from './mock-settings.ts';
