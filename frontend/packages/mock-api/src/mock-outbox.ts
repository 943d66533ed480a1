import type { DeskMessage, OutboxEntry } from '@portage/api';
import { http, HttpResponse } from 'msw';

import { problem } from './mock-account.ts';

/** Messages that were sent, and one that was given up. */
export type OutboxRows = OutboxEntry[];

export function freshOutbox(): OutboxRows {
  const sent: OutboxEntry = {
    id: 'message-1',
    messageType: 'bookingConfirmation',
    channel: 'email',
    language: 'en',
    recipient: 'ana@example.test',
    recipientName: 'Ana Roy',
    standing: 'sent',
    bookingId: 'booking-1',
    booking: 'CA7F2K',
    isTrial: false,
    canRepeat: true,
    createdAt: '2027-02-01T15:00:05Z',
    sentAt: '2027-02-01T15:00:06Z',
    attempts: 1,
    lastError: null,
    providerId: '250 queued as 4F2',
    subject: 'Your booking CA7F2K is confirmed',
    segments: null,
    trouble: null,
  };
  const lost: OutboxEntry = {
    ...sent,
    id: 'message-2',
    messageType: 'welcome',
    recipient: 'nobody@example.test',
    standing: 'given_up',
    bookingId: null,
    booking: null,
    canRepeat: false,
    sentAt: null,
    attempts: 3,
    lastError: '550 no such user',
    providerId: null,
    subject: null,
  };
  const stopped: OutboxEntry = {
    ...lost,
    id: 'message-3',
    messageType: 'moveReminder',
    channel: 'sms',
    recipient: '+15145550199',
    standing: 'withheld',
    lastError: null,
    trouble: 'stopped',
  };
  const text: OutboxEntry = {
    ...sent,
    id: 'message-4',
    messageType: 'deliveryScheduled',
    channel: 'sms',
    recipient: '+15145550198',
    standing: 'delivered',
    canRepeat: false,
    providerId: 'SM0123456789abcdef0123456789abcdef',
    subject: null,
    segments: 2,
  };
  return [sent, lost, stopped, text];
}

/** What was sent about a booking: a letter, and a text that did not arrive. */
export const bookingMessages: DeskMessage[] = [
  {
    id: 'mail-1',
    messageType: 'bookingConfirmation',
    channel: 'email',
    language: 'en',
    recipient: 'ana@example.test',
    state: 'sent',
    createdAt: '2027-02-01T15:00:05Z',
    sentAt: '2027-02-01T15:00:06Z',
    attempts: 1,
    lastError: null,
    providerId: '250 queued as 4F2',
    subject: 'Your move is booked',
    text: 'Hello',
    segments: null,
    trouble: null,
  },
  {
    id: 'text-1',
    messageType: 'moveReminder',
    channel: 'sms',
    language: 'en',
    recipient: '+15145550199',
    state: 'failed',
    createdAt: '2027-02-01T15:00:07Z',
    sentAt: '2027-02-01T15:00:08Z',
    attempts: 1,
    lastError: null,
    providerId: 'SM0123456789abcdef0123456789abcdef',
    subject: null,
    text: 'Reminder: your move is soon.',
    segments: 2,
    trouble: 'not_mobile',
  },
];

/** The calls of the list of all messages. */
export function outboxHandlers(rows: OutboxRows, note: (request: Request) => Promise<void>) {
  const find = (id: unknown) => rows.find((one) => one.id === id);
  const whole = (one: OutboxEntry) => ({
    ...one,
    text: one.sentAt === null ? null : 'Hello Ana',
    html: one.subject === null ? null : '<p>Hello Ana</p>',
  });
  const missing = () => problem(404, 'not_found', 'Not found');
  return [
    http.get('*/api/messages', async ({ request }) => {
      await note(request);
      const asked = new URL(request.url).searchParams;
      const [standing, channel] = [asked.get('standing'), asked.get('channel')];
      const data = rows.filter(
        (one) => (standing === null || one.standing === standing) && (channel === null || one.channel === channel),
      );
      return HttpResponse.json({ data, total: data.length, page: 1, perPage: 50 });
    }),
    http.get('*/api/messages/:id', ({ params }) => {
      const found = find(params['id']);
      return found ? HttpResponse.json(whole(found)) : missing();
    }),
    http.post('*/api/messages/:id/retry', async ({ request, params }) => {
      await note(request);
      const found = find(params['id']);
      if (!found) return missing();
      found.standing = 'retrying';
      return HttpResponse.json(whole(found));
    }),
    http.post('*/api/messages/:id/again', async ({ request, params }) => {
      await note(request);
      const { to } = (await request.clone().json()) as { to: string | null };
      return HttpResponse.json({ recipient: to ?? find(params['id'])?.recipient ?? '', queued: true });
    }),
  ];
}
