/** One field of a record, as it was and as it became; a side that the entry has not kept is undefined. */
export interface Changed {
  field: string;
  before: unknown;
  after: unknown;
}

/** What says nothing to a person: the record itself stands beside it, and a number counts its versions. */
const unsaid = new Set(['id', 'version', 'createdAt', 'updatedAt', 'shortId', 'mateId', 'partnerId']);

function fieldsOf(side: unknown): Record<string, unknown> {
  if (side === null || side === undefined) return {};
  return typeof side === 'object' && !Array.isArray(side) ? { ...side } : { value: side };
}

const isEmpty = (value: unknown) => value === null || value === undefined || value === '';

/** The fields that differ; of a record that was made or removed all that hold something. */
export function changedFields({ before, after }: { before?: unknown; after?: unknown }): Changed[] {
  const [was, is] = [fieldsOf(before), fieldsOf(after)];
  // ids of mates beside their names; older entries have the ids alone
  if ('crew' in is || 'crew' in was) [was, is].forEach((side) => delete side['mates']);
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap((field) => {
    const [one, other] = [was[field], is[field]];
    const same = JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
    return unsaid.has(field) || same || (isEmpty(one) && isEmpty(other)) ? [] : [{ field, before: one, after: other }];
  });
}
