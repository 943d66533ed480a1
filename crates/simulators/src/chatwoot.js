// The demo's stand-in for the script of a Chatwoot installation: the same names, the same events, the same refusals. The
// web app loads it as it loads the real one, after consent.
(() => {
  const cookie = 'cw_conversation';
  const words = {
    en: { label: 'Support chat', close: 'Close the chat' },
    fr: { label: 'Clavardage du soutien', close: 'Fermer le clavardage' },
    zh: { label: '客服聊天', close: '关闭聊天' },
  };

  function visitor() {
    const found = document.cookie.split('; ').find((pair) => pair.startsWith(`${cookie}=`));
    if (found) return found.slice(cookie.length + 1);
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    const name = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
    // Beside the stand-in's own pages the site must find it again, so it lies on the whole site.
    document.cookie = `${cookie}=${name}; path=/; max-age=86400; samesite=lax`;
    return name;
  }

  window.chatwootSDK = {
    run({ baseUrl }) {
      const settings = window.chatwootSettings || {};
      let language = String(settings.locale || 'en').slice(0, 2);
      let panel = null;
      let before = null;

      const say = () => words[language] || words.en;
      const tell = (attributes) => {
        if (!attributes || Object.keys(attributes).length === 0) throw new Error('attributes must not be empty');
        void fetch(`${baseUrl}/contact`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ visitor: visitor(), attributes }),
        }).catch(() => undefined);
      };
      const close = () => {
        if (!panel) return;
        panel.remove();
        panel = null;
        if (before && before.isConnected) before.focus();
      };
      const open = () => {
        if (panel) return;
        before = document.activeElement;
        panel = document.createElement('section');
        panel.setAttribute('role', 'dialog');
        panel.setAttribute('aria-label', say().label);
        panel.dataset.chatwoot = '';
        const side = settings.position === 'left' ? 'left' : 'right';
        Object.assign(panel.style, {
          position: 'fixed', bottom: '16px', [side]: '16px', zIndex: '2147483000', display: 'flex',
          flexDirection: 'column', width: 'min(380px, calc(100vw - 32px))', height: 'min(560px, calc(100vh - 32px))',
          background: '#faf8f4', border: '1px solid #5b665f', borderRadius: '14px', overflow: 'hidden',
          boxShadow: '0 12px 40px rgb(0 0 0 / 30%)',
        });
        const button = document.createElement('button');
        button.type = 'button';
        button.textContent = `× ${say().close}`;
        Object.assign(button.style, {
          minHeight: '44px', border: '0', background: '#1f5c4a', color: '#ffffff', font: 'inherit', fontWeight: '600',
          cursor: 'pointer',
        });
        button.addEventListener('click', close);
        const frame = document.createElement('iframe');
        frame.title = say().label;
        frame.src = `${baseUrl}/widget?visitor=${visitor()}&lang=${language}`;
        Object.assign(frame.style, { flex: '1', border: '0', width: '100%' });
        panel.append(button, frame);
        panel.addEventListener('keydown', (event) => {
          if (event.key === 'Escape') close();
        });
        document.body.append(panel);
        button.focus();
      };

      window.$chatwoot = {
        hasLoaded: false,
        setUser(id, user) {
          if (!user || !(user.name || user.email || user.avatar_url)) throw new Error('a user needs a name or an e-mail');
          tell({ ...(user.name ? { name: user.name } : {}), ...(user.email ? { email: user.email } : {}) });
        },
        setCustomAttributes: tell,
        deleteCustomAttribute: () => undefined,
        setLocale(locale) {
          language = String(locale).slice(0, 2);
        },
        toggle(state) {
          if (state === 'close' || (state !== 'open' && panel)) close();
          else open();
        },
        toggleBubbleVisibility: () => undefined,
        reset() {
          close();
          document.cookie = `${cookie}=; path=/; max-age=0; samesite=lax`;
        },
      };
      setTimeout(() => {
        window.$chatwoot.hasLoaded = true;
        window.dispatchEvent(new Event('chatwoot:ready'));
      });
    },
  };
})();
