import type { ReactNode } from 'react';

import { fuzzyMatch } from './fuzzy.ts';

export interface Command {
  id: string;
  label: string;
  /** Where it leads or what it touches, in small print. */
  hint?: string;
  /** Other words people use for it: the English name, pinyin, a code. */
  words?: readonly string[];
  icon?: ReactNode;
  /** Its own keys, to be learned by seeing them. */
  keys?: readonly string[];
  /** Why it cannot be run now; it is shown all the same. */
  disabledReason?: string;
  onRun: () => void;
}

export interface CommandGroup {
  key: string;
  label: string;
  commands: readonly Command[];
  /** The server found these for the query: they are shown as they come. */
  matched?: boolean;
}

export interface FoundCommand {
  command: Command;
  /** Places in the label to be marked. */
  places: readonly number[];
}

export interface FoundGroup {
  key: string;
  label: string;
  found: readonly FoundCommand[];
}

/** Finds the commands that match the query, the best first in each group, and the group with the best match first. Groups without a match are left out. */
export function findCommands(groups: readonly CommandGroup[], query: string): FoundGroup[] {
  const asked = query.trim() !== '';
  return groups
    .map((group) => {
      const scored = group.commands.flatMap((command) => {
        if (group.matched || !asked) return [{ command, places: [] as number[], score: 0 }];
        const own = fuzzyMatch(query, command.label);
        // a match in another word for it counts less than one in what is written there
        const other = (command.words ?? [])
          .concat(command.hint ?? [])
          .map((word) => fuzzyMatch(query, word)?.score ?? null)
          .filter((score) => score !== null)
          .reduce<number | null>((best, score) => Math.max(best ?? score, score), null);
        if (!own && other === null) return [];
        if (own && own.score >= (other ?? own.score) * 0.8) return [{ command, places: own.places, score: own.score }];
        return [{ command, places: own?.places ?? [], score: (other ?? 0) * 0.8 }];
      });
      const found = group.matched || !asked ? scored : scored.sort((a, b) => b.score - a.score);
      return { key: group.key, label: group.label, found, best: found[0]?.score ?? 0, matched: group.matched ?? false };
    })
    .filter((group) => group.found.length > 0)
    .sort((a, b) => (asked ? Number(b.matched) - Number(a.matched) || b.best - a.best : 0));
}

/** Puts the commands that were run last into a group of their own before the others; used while nothing is typed. */
export function withRecent(groups: readonly CommandGroup[], recent: readonly string[], label: string): CommandGroup[] {
  const all = groups.flatMap((group) => group.commands);
  const commands = recent.flatMap((id) => all.find((command) => command.id === id) ?? []);
  if (commands.length === 0) return [...groups];
  const rest = groups.map((group) => ({
    ...group,
    commands: group.commands.filter((command) => !recent.includes(command.id)),
  }));
  return [{ key: 'recent', label, commands }, ...rest];
}
