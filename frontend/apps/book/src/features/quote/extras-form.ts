import { tipCents } from '@portage/domain';
import * as z from 'zod/mini';

import { type Draft, type Survey, surveys, surveysToSpecify } from '../../booking/draft/draft.ts';

/** The server takes no larger tip. */
const largestTip = 5000_00;

/** What the quote page asks besides the price: tip, comments, and how the person heard of us. */
export const extrasSchema = z
  .object({
    tipType: z.enum(['amount', 'percent']),
    tipValue: z.string(),
    comments: z.string().check(z.maxLength(2000, 'quote:comments.long')),
    survey: z.nullable(z.enum(surveys as [Survey])),
    surveySpecify: z.string().check(z.maxLength(200, 'quote:survey.long')),
  })
  .check(
    z.refine((values) => values.tipType !== 'amount' || tipCents('amount', values.tipValue, '0.00') !== null, {
      error: 'domain:tip.invalid',
      path: ['tipValue'],
    }),
    z.refine((values) => values.tipType !== 'percent' || tipCents('percent', values.tipValue, '0.00') !== null, {
      error: 'domain:tip.invalidPercent',
      path: ['tipValue'],
    }),
    z.refine(
      (values) =>
        values.tipType === 'percent' || (tipCents(values.tipType, values.tipValue, '0.00') ?? 0) <= largestTip,
      { error: 'quote:tip.tooMuch', path: ['tipValue'] },
    ),
    z.refine(
      (values) =>
        values.survey === null || !surveysToSpecify.includes(values.survey) || values.surveySpecify.trim() !== '',
      {
        error: 'quote:survey.specify',
        path: ['surveySpecify'],
      },
    ),
  );

export type ExtrasValues = z.infer<typeof extrasSchema>;

export function extrasFromDraft(draft: Draft): ExtrasValues {
  return {
    tipType: draft.tipType,
    tipValue: draft.tipValue,
    comments: draft.comments,
    survey: draft.survey,
    surveySpecify: draft.surveySpecify,
  };
}
