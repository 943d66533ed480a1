import '../texts.ts';

export { Toasts } from './toasts.tsx';
export { closeToast, createToasts, showToast, toasts, type Toast, type ToastEnd } from './toast-store.ts';
