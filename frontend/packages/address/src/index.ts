import './texts.ts';

export { AddressSearch } from './address-search.tsx';
export {
  type AreaAnswer,
  type ByHand,
  emptyByHand,
  isComplete,
  isPostalCode,
  type Place,
  postalCodeFits,
  toAddress,
  toArea,
  toPlace,
} from './address.ts';
export { ManualAddress } from './manual-address.tsx';
export { type LocationTrouble, useMyLocation } from './use-my-location.ts';
