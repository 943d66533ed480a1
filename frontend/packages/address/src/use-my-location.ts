import { api, asProblem, type GeoResult, unwrap } from '@portage/api';
import { currentLanguage } from '@portage/i18n';
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';

/** Why the position could not be used; each has its own sentence. */
export type LocationTrouble = 'provinceNotServed' | 'noCoordinates';

export class LocationError extends Error {
  readonly trouble: LocationTrouble;
  constructor(trouble: LocationTrouble) {
    super(trouble);
    this.trouble = trouble;
  }
}

function position(): Promise<GeolocationPosition> {
  return new Promise((resolve, reject) => {
    if (!('geolocation' in navigator)) {
      reject(new LocationError('noCoordinates'));
      return;
    }
    navigator.geolocation.getCurrentPosition(resolve, () => reject(new LocationError('noCoordinates')), {
      timeout: 10_000,
      maximumAge: 5 * 60_000,
    });
  });
}

async function findMe(): Promise<GeoResult> {
  const { coords } = await position();
  const lat = Math.round(coords.latitude * 1e5) / 1e5;
  const lon = Math.round(coords.longitude * 1e5) / 1e5;
  try {
    // the point of the address that was found, not the telephone's: the price begins where the address is
    return await unwrap(api.GET('/geo/reverse', { params: { query: { lat, lon, lang: currentLanguage() } } }));
  } catch (error) {
    if (asProblem(error).status === 422) throw new LocationError('provinceNotServed');
    throw error;
  }
}

/**
 * The person's position, read after they pressed the button. Where the browser was allowed earlier it is read on load,
 * as the specification has it; nobody is asked on load.
 */
export function useMyLocation(onFound: (result: GeoResult) => void, readOnLoad: boolean) {
  const locate = useMutation({ mutationFn: findMe, onSuccess: onFound });
  const { mutate } = locate;
  useEffect(() => {
    if (!readOnLoad || !navigator.permissions) return;
    let gone = false;
    navigator.permissions.query({ name: 'geolocation' }).then(
      (status) => {
        if (!gone && status.state === 'granted') mutate();
      },
      () => {}, // a browser without this query never granted anything we know of
    );
    return () => {
      gone = true;
    };
    // once, when the page opens
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  return {
    locate: () => mutate(),
    locating: locate.isPending,
    trouble:
      locate.error instanceof LocationError ? locate.error.trouble : locate.error ? ('noCoordinates' as const) : null,
  };
}
