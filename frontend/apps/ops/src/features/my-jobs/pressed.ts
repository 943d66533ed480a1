/** What a mate says of a job. */
export const acts = ['accept', 'decline', 'start', 'finish'] as const;
export type Act = (typeof acts)[number];

/** What a photo is of. */
export const stages = ['before', 'after'] as const;
export type Stage = (typeof stages)[number];

/** What one press is of. */
export type Said =
  | { kind: 'act'; act: Act }
  | { kind: 'note'; text: string }
  /** No file is left of a photo that the server refused: it would only take room. */
  | { kind: 'photo'; stage: Stage; file: Blob | null };

/** What a mate pressed, until the server knows it, or until they have read why it does not take it. */
export type Pressed = Said & {
  /** Made at the press and sent with every try, so that the server takes it once. */
  key: string;
  /** Its place in the order of the presses. */
  n: number;
  job: string;
  /** The number people say, for what is told of it. */
  number: string;
  /** The instant of the press, or of the photo. */
  at: string;
  /** The same by this device's own clock, epoch milliseconds; presses of a former version have none. */
  device?: number;
  /** Whose press it is: another person who signs in here does not send it. */
  who: string;
  /** Why the server did not take it; null while it waits. */
  refused: string | null;
  /** The server did not take it because the job is not theirs any more; presses that were refused before this was kept have none. */
  notTheirs?: boolean;
};
