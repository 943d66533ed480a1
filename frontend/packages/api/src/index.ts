export { api, type ClientHooks, configureClient, newIdempotencyKey, unwrap } from './client.ts';
export { deleteFile, readFile, sendBody, sendFile } from './files.ts';
export type { paths } from './paths.ts';
export type { components } from './schema.d.ts';
export { ApiProblem, asProblem, type FieldError, toProblem } from './problem.ts';
export * from './types.ts';
export { forgetServerClock, noteServerTime, serverClockOffset, serverNow, timeOfAnswer } from './server-clock.ts';
export * from './desk.ts';
export * from './settings.ts';
