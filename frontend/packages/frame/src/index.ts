import './texts.ts';

export { App } from './app.tsx';
export { configQuery, loadConfig, useConfig } from './config.ts';
export { handOverIdentity } from './identity.ts';
export { LanguageMenu } from './language-menu.tsx';
export { ConfirmDialog, preloadDialogs } from './confirm-dialog.tsx';
export { leaveGuard } from './leave-guard.ts';
export { leaveFor } from './leave.ts';
export { LinkButton } from './link-button.tsx';
export { loadTexts } from './load-texts.ts';
export { Logo } from './logo.tsx';
export { followRouter, isPartMissing, loadNewVersion } from './new-version.ts';
export { profileQuery, rememberCard } from './profile-query.ts';
export { queryClient } from './query-client.ts';
export { RouteError } from './route-error.tsx';
export { SchemeButton } from './scheme-button.tsx';
export { SkipLink } from './skip-link.tsx';
export { whenIdle } from './when-idle.ts';
