import { api, ifMatch, type TemplateWords, unwrap } from '@portage/api';
import type { Language } from '@portage/i18n';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';

/** Of everything that shows templates. */
export const templatesKey = ['desk', 'templates'] as const;
const meta = { personal: true };

/** Which template. */
export interface Which {
  messageType: string;
  language: Language;
}

export const listQuery = queryOptions({
  queryKey: [...templatesKey, 'list'],
  queryFn: ({ signal }) => unwrap(api.GET('/templates', { signal })),
  meta,
});

export function templateQuery(which: Which) {
  return queryOptions({
    queryKey: [...templatesKey, which, 'now'],
    queryFn: () => unwrap(api.GET('/templates/{messageType}/{language}', { params: { path: which } })),
    meta,
  });
}

export function versionsQuery(which: Which) {
  return queryOptions({
    queryKey: [...templatesKey, which, 'versions'],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/templates/{messageType}/{language}/versions', { params: { path: which }, signal })),
    meta,
  });
}

export function versionQuery(which: Which, number: number) {
  return queryOptions({
    queryKey: [...templatesKey, which, 'version', number],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/templates/{messageType}/{language}/version', { params: { path: which, query: { number } }, signal }),
      ),
    // what was saved never changes
    staleTime: Infinity,
    meta,
  });
}

/** What is looked at: words as they are typed, of a booking or of a sample. */
export interface Asked {
  subject: string;
  text: string;
  html: string;
  bookingId: string | null;
}

export function previewQuery(which: Which, asked: Asked) {
  return queryOptions({
    queryKey: [...templatesKey, which, 'preview', asked],
    queryFn: ({ signal }) =>
      unwrap(api.POST('/templates/{messageType}/{language}/preview', { params: { path: which }, body: asked, signal })),
    placeholderData: keepPreviousData,
    retry: false,
    meta,
  });
}

/** The first bookings that these words find. */
export function bookingsQuery(value: string) {
  return queryOptions({
    queryKey: [...templatesKey, 'bookings', value],
    queryFn: ({ signal }) => unwrap(api.GET('/search', { params: { query: { value } }, signal })),
    enabled: value !== '',
    meta,
  });
}

export function saveTemplate(which: Which, version: number, words: TemplateWords, force: boolean) {
  return unwrap(
    api.PUT('/templates/{messageType}/{language}', {
      params: { path: which, header: ifMatch(version) },
      body: { ...words, force },
    }),
  );
}

export function restoreTemplate(which: Which, version: number) {
  return unwrap(
    api.DELETE('/templates/{messageType}/{language}', { params: { path: which, header: ifMatch(version) } }),
  );
}

export function tryTemplate(which: Which, asked: Asked) {
  return unwrap(api.POST('/templates/{messageType}/{language}/test', { params: { path: which }, body: asked }));
}
