import { expect, it } from 'vitest';

import { calendarFile } from './ics.ts';

const move = {
  id: '0192-aa',
  startsAt: '2027-02-17T14:00:00Z',
  minutes: 150,
  createdAt: '2027-02-01T10:30:15.123Z',
  summary: 'Déménagement, PT-ABCD',
  location: '3575 Avenue du Parc, Montréal; QC',
  description:
    'Line one\nLine two with a very long text that has to be folded because it is longer than seventy-five octets: 搬家团队将在开始时间前后三十分钟内到达',
  url: 'https://move.example/profile/bookings/0192-aa',
};

it('writes the move in UTC with its duration', () => {
  const file = calendarFile(move);
  expect(file).toContain('DTSTART:20270217T140000Z\r\n');
  expect(file).toContain('DTEND:20270217T163000Z\r\n');
  expect(file).toContain('DTSTAMP:20270201T103015Z\r\n');
  expect(file).toContain('UID:0192-aa@portage\r\n');
});

it('escapes text and folds lines at 75 octets without breaking a character', () => {
  const file = calendarFile(move);
  expect(file).toContain('SUMMARY:Déménagement\\, PT-ABCD');
  expect(file).toContain('Montréal\\; QC');
  const encoder = new TextEncoder();
  for (const line of file.split('\r\n')) expect(encoder.encode(line).length).toBeLessThanOrEqual(75);
  const unfolded = file.replaceAll('\r\n ', '');
  expect(unfolded).toContain(`DESCRIPTION:${move.description.replaceAll('\n', '\\n')}`);
  expect(file.endsWith('END:VCALENDAR\r\n')).toBe(true);
});
