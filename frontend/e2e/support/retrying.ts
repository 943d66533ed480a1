/**
 * For requests that a test makes itself. Playwright keeps an idle connection for longer than the server does, and may send on
 * one that is just being closed: a browser would send again, Playwright has to be told.
 */
export const retrying = { maxRetries: 3 } as const;
