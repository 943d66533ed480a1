import { useMediaQuery } from '@mantine/hooks';

/** A window of one hand's width: price and Continue stand in a bar at the lower edge there, within reach of the thumb. */
export function useNarrow(): boolean {
  return useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
}
