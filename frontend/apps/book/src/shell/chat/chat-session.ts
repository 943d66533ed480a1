import { loadConfig } from '@portage/frame';
import { currentLanguage } from '@portage/i18n';

import { beforeSignOut } from '../session.ts';
import { Chat, type ChatAttributes, type ChatUser, createChat } from './chat.ts';

let chat: Promise<Chat> | null = null;

function theChat(): Promise<Chat> {
  chat ??= loadConfig()
    .then(createChat)
    .catch(() => new Chat(null));
  return chat;
}

// the next person on a shared computer must not see the thread
beforeSignOut.add(() => {
  void chat?.then((one) => one.reset());
});

/** True when the widget opened. */
export async function openChat(prefill?: string): Promise<boolean> {
  return (await theChat()).open(currentLanguage(), prefill);
}

/** Call after a booking succeeded. Never throws and never delays: nothing of the booking depends on it. */
export function chatAfterBooking(booking: Omit<ChatAttributes, 'hasBooked'>, user: ChatUser | null = null): void {
  theChat()
    .then((one) => one.booked(currentLanguage(), user, booking))
    .catch((error: unknown) => console.debug('chat update failed', error));
}
