import './texts.ts';

export { CallbackPage } from './callback-page.tsx';
export { type IdClaims, OidcError, relayFrameCallback } from './oidc.ts';
export { createSession, type Session, type SessionOptions, type SessionState } from './session.ts';
export { SessionNotice } from './session-notice.tsx';
export { SignTroubleDialog } from './sign-trouble-dialog.tsx';
