import type { ChatWidget } from './chat.ts';

interface Sdk {
  hasLoaded?: boolean;
  setUser(id: string, user: Record<string, string>): void;
  setCustomAttributes(attributes: Record<string, string | number | boolean>): void;
  setLocale(locale: string): void;
  toggle(state: 'open' | 'close'): void;
  reset(): void;
}

declare global {
  interface Window {
    chatwootSettings?: Record<string, unknown>;
    chatwootSDK?: { run(options: { websiteToken: string; baseUrl: string }): void };
    $chatwoot?: Sdk;
  }
}

const timeout = 8000;

/** Chatwoot, self-hosted or not. Calls before its ready event would be lost, so `load` waits for it. */
export function chatwoot({ baseUrl, websiteToken }: { baseUrl: string; websiteToken: string }): ChatWidget {
  return {
    load: (language) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error('timeout')), timeout);
        const ready = () => {
          clearTimeout(timer);
          resolve();
        };
        window.chatwootSettings = {
          position: 'right',
          locale: language === 'zh' ? 'zh_CN' : language,
          hideMessageBubble: true,
        };
        addEventListener('chatwoot:ready', ready, { once: true });
        addEventListener('chatwoot:error', () => reject(new Error('chatwoot:error')), { once: true });
        const script = document.createElement('script');
        script.src = `${baseUrl.replace(/\/$/, '')}/packs/js/sdk.js`;
        script.async = true;
        script.addEventListener('error', () => reject(new Error('blocked')));
        script.addEventListener('load', () => {
          window.chatwootSDK?.run({ websiteToken, baseUrl });
          if (window.$chatwoot?.hasLoaded) ready();
        });
        document.head.append(script);
      }),
    identify: (user) => {
      // it refuses a user without any of name, e-mail or picture
      if (user && (user.email || user.name)) {
        window.$chatwoot?.setUser(user.id, {
          ...(user.email ? { email: user.email } : {}),
          ...(user.name ? { name: user.name } : {}),
        });
      }
    },
    update: (attributes) =>
      window.$chatwoot?.setCustomAttributes({
        has_booked: attributes.hasBooked,
        booking_type: attributes.bookingType,
        move_date: attributes.moveDate,
        price: attributes.price,
      }),
    open: () => window.$chatwoot?.toggle('open'),
    reset: () => window.$chatwoot?.reset(),
  };
}
