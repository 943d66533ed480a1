import { useQuery } from '@tanstack/react-query';

/**
 * A part of a form whose code is fetched when it is wanted. Where it does not come, the form around it stays with
 * everything that was typed, and the part can be asked for again; a lazy component would take the whole page down.
 */
export function useLate<Module>(name: string, wanted: boolean, load: () => Promise<Module>) {
  return useQuery({
    queryKey: ['code', name],
    queryFn: load,
    enabled: wanted,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
    retry: false,
  });
}
