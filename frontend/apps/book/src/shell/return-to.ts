import { createContext, useContext } from 'react';

/** Where signing in leads back to; the root knows whether a booking is in the making. */
export const ReturnTo = createContext('/profile');

export function useReturnTo(): string {
  return useContext(ReturnTo);
}
