import { http, HttpResponse } from 'msw';

/** What a booking's customer was written: a letter, and a text that did not arrive. */
export const messagesOfBooking = http.get('*/api/bookings/:id/messages', () =>
  HttpResponse.json({
    data: [
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
    ],
  }),
);
