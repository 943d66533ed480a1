import type { PublicConfig } from '@portage/api';
import type { Language } from '@portage/i18n';

/** What the widget may know, and only after a booking succeeded. A plain date: no time zone can shift it. */
export interface ChatAttributes {
  hasBooked: boolean;
  bookingType: string;
  /** `YYYY-MM-DD` */
  moveDate: string;
  /** Dollars. */
  price: number;
}

export interface ChatUser {
  id: string;
  email?: string;
  name?: string;
}

/** The port. Adapters are loaded on consent; a blocked or missing widget must never be in the way of a booking. */
export interface ChatWidget {
  load(language: Language): Promise<void>;
  identify(user: ChatUser | null): void;
  update(attributes: ChatAttributes): void;
  open(prefill?: string): void;
  reset(): void;
}

const consentKey = 'portage.chat.consent';

export function chatConsent(): boolean {
  try {
    return localStorage.getItem(consentKey) === 'yes';
  } catch {
    return false;
  }
}

function rememberConsent(): void {
  try {
    localStorage.setItem(consentKey, 'yes');
  } catch {
    // asked again next time
  }
}

/** Order of calls, idempotence and containment of failures, whatever the vendor. */
export class Chat {
  #widget: ChatWidget | null;
  #loading: Promise<boolean> | null = null;
  #lastPayload = '';

  constructor(widget: ChatWidget | null) {
    this.#widget = widget;
  }

  get available(): boolean {
    return this.#widget !== null;
  }

  /** Loads once; false when there is no widget or it did not arrive. */
  #ready(language: Language): Promise<boolean> {
    const widget = this.#widget;
    if (!widget) return Promise.resolve(false);
    this.#loading ??= widget.load(language).then(
      () => true,
      (error: unknown) => {
        console.debug('chat widget did not load', error);
        this.#widget = null;
        return false;
      },
    );
    return this.#loading;
  }

  /** Opens after consent was given; the answer says whether the caller must offer e-mail and telephone instead. */
  async open(language: Language, prefill?: string): Promise<boolean> {
    rememberConsent();
    if (!(await this.#ready(language))) return false;
    return this.#quietly(() => this.#widget?.open(prefill));
  }

  /** After a successful booking, once per booking, and only for people who agreed to the chat. */
  async booked(
    language: Language,
    user: ChatUser | null,
    attributes: Omit<ChatAttributes, 'hasBooked'>,
  ): Promise<void> {
    if (!chatConsent()) return;
    const payload = JSON.stringify(attributes);
    if (payload === this.#lastPayload || !(await this.#ready(language))) return;
    this.#lastPayload = payload;
    this.#quietly(() => {
      this.#widget?.identify(user);
      this.#widget?.update({ hasBooked: true, ...attributes });
    });
  }

  reset(): void {
    this.#lastPayload = '';
    if (this.#loading) this.#quietly(() => this.#widget?.reset());
  }

  #quietly(call: () => void): boolean {
    try {
      call();
      return true;
    } catch (error) {
      console.debug('chat widget call failed', error);
      return false;
    }
  }
}

/** The configured vendor's adapter; vendors without one here fall back to e-mail and telephone. */
export async function createChat(config: PublicConfig): Promise<Chat> {
  if (config.chat.provider === 'chatwoot' && config.chat.baseUrl && config.chat.websiteToken) {
    const { chatwoot } = await import('./chatwoot.ts');
    return new Chat(chatwoot({ baseUrl: config.chat.baseUrl, websiteToken: config.chat.websiteToken }));
  }
  return new Chat(null);
}
