import { beforeEach, describe, expect, it, vi } from 'vitest';

import type { PublicConfig } from '@portage/api';

import { Chat, type ChatWidget, createChat } from './chat.ts';
import { chatwoot } from './chatwoot.ts';

vi.mock('./chatwoot.ts', () => ({ chatwoot: vi.fn() }));

function fake(overrides: Partial<ChatWidget> = {}) {
  const log: string[] = [];
  const widget: ChatWidget = {
    load: vi.fn(() => {
      log.push('load');
      return Promise.resolve();
    }),
    identify: vi.fn(() => void log.push('identify')),
    update: vi.fn(() => void log.push('update')),
    open: vi.fn(() => void log.push('open')),
    reset: vi.fn(() => void log.push('reset')),
    ...overrides,
  };
  return { widget, log };
}

const booking = { bookingType: 'residential', moveDate: '2027-02-17', price: 447.25 };
const user = { id: 'u-1', email: 'ana@example.test' };

beforeEach(() => {
  localStorage.clear();
  vi.spyOn(console, 'debug').mockImplementation(() => {});
});

describe('the configured vendor', () => {
  it('is given the token of its own inbox', async () => {
    const chat = { provider: 'chatwoot', baseUrl: 'https://chat.example', websiteToken: 'tok' };
    await createChat({ chat } as PublicConfig);
    expect(chatwoot).toHaveBeenCalledWith({ baseUrl: 'https://chat.example', websiteToken: 'tok' });
  });
});

describe('consent', () => {
  it('loads nothing and tells nothing before it was given', async () => {
    const { widget, log } = fake();
    await new Chat(widget).booked('en', user, booking);
    expect(log).toEqual([]);
  });

  it('once given by opening the chat, a booking identifies, then updates, once', async () => {
    const { widget, log } = fake();
    const chat = new Chat(widget);
    expect(await chat.open('fr')).toBe(true);
    await chat.booked('fr', user, booking);
    await chat.booked('fr', user, booking);
    expect(log).toEqual(['load', 'open', 'identify', 'update']);
    expect(widget.update).toHaveBeenCalledWith({ hasBooked: true, ...booking });
  });
});

describe('trouble', () => {
  it('stays inside: a widget that throws does not reach the booking', async () => {
    const { widget } = fake({
      update: () => {
        throw new Error('blocked');
      },
    });
    const chat = new Chat(widget);
    await chat.open('en');
    await expect(chat.booked('en', user, booking)).resolves.toBeUndefined();
  });

  it('says that nothing opened, so that e-mail and telephone are offered', async () => {
    const { widget } = fake({ load: () => Promise.reject(new Error('blocked')) });
    expect(await new Chat(widget).open('en')).toBe(false);
    expect(await new Chat(null).open('en')).toBe(false);
  });
});

it('forgets the thread at sign-out, if it was ever loaded', async () => {
  const { widget, log } = fake();
  const chat = new Chat(widget);
  chat.reset();
  expect(log).toEqual([]);
  await chat.open('en');
  chat.reset();
  expect(log.at(-1)).toBe('reset');
});
