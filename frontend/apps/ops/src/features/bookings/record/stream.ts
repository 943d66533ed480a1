import type { DeskEvent, DeskMessage, DeskNote } from '@portage/api';

export const streams = ['status', 'edit', 'money', 'message', 'note'] as const;
export type Stream = (typeof streams)[number];

/** One thing of the timeline, from whichever call it comes. */
export type Moment = { key: string; at: string } & (
  | { stream: 'status' | 'edit' | 'money'; event: DeskEvent }
  | { stream: 'message'; message: DeskMessage }
  | { stream: 'note'; note: DeskNote }
);

const streamOf = { status: 'status', edit: 'edit', charge: 'money', byHand: 'money', credit: 'money' } as const;

/**
 * One stream out of three calls, the newest first. Messages come from their own call, which has their words; those of the
 * history are left out.
 */
export function momentsOf(
  events: readonly DeskEvent[],
  messages: readonly DeskMessage[],
  notes: readonly DeskNote[],
): Moment[] {
  const moments: Moment[] = [
    ...events.flatMap((event, index): Moment[] => {
      const stream = streamOf[event.kind as keyof typeof streamOf] as
        | (typeof streamOf)[keyof typeof streamOf]
        | undefined;
      return stream ? [{ key: `event-${index}`, at: event.at, stream, event }] : [];
    }),
    ...messages.map((message): Moment => ({ key: message.id, at: message.createdAt, stream: 'message', message })),
    ...notes.map((note): Moment => ({ key: note.id, at: note.createdAt, stream: 'note', note })),
  ];
  return moments.sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
}

/** A value as people can read it: texts and numbers as they are. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Of two lists of items what is not the same in both: another number, or in one of them only. */
export function changedPieces(before: unknown, after: unknown): [unknown, unknown] {
  if (!Array.isArray(before) || !Array.isArray(after)) return [before, after];
  const kept = (list: unknown[]) => new Set(list.map((one) => JSON.stringify(one)));
  const [old, now] = [kept(before), kept(after)];
  const changed = [before, after].map((list, at) =>
    list.filter((one) => !(at === 0 ? now : old).has(JSON.stringify(one))),
  );
  return [changed[0], changed[1]];
}

/** What an edit changed, field by field. */
export function changesOf(event: DeskEvent): { field: string; before: unknown; after: unknown }[] {
  return Object.entries(event.what).flatMap(([field, change]) => {
    if (typeof change !== 'object' || change === null || !('after' in change)) return [];
    const { before, after } = change as { before?: unknown; after?: unknown };
    return [{ field, before, after }];
  });
}
