import type { paths as documented } from './schema.d.ts';

/** Every documented call under `/api`, by its path without that prefix (the client's base). */
export type paths = {
  [Path in keyof documented as Path extends `/api${infer Rest}` ? Rest : never]: documented[Path];
};
