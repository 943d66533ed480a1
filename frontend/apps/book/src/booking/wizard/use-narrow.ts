import { useMediaQuery } from '@mantine/hooks';

/** A window of one hand's width: price and Continue stand in a bar at the lower edge there, within reach of the thumb. */
export function useNarrow(): boolean {
  return useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
}

/** Room for the summary beside the page; where there is none, drawing it would only cost time. */
export function useWide(): boolean {
  return !useMediaQuery('(max-width: 63.99em)', false, { getInitialValueInEffect: false });
}
