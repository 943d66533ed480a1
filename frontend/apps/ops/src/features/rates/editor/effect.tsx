import { NativeSelect } from '@mantine/core';
import { type ApiProblem, asProblem, type RatePreview } from '@portage/api';
import { centsOf } from '@portage/domain';
import { catalogueQuery } from '@portage/furniture';
import { formatMoney, formatNumber, useLanguage } from '@portage/i18n';
import { Money, useLeadTo } from '@portage/kit';
import { CheckBox, DeskButton } from '@portage/kit/desk/button';
import { Failed, Skeleton } from '@portage/kit/desk/states';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import type { Card } from '../card/paths.ts';
import { readEffect } from '../queries.ts';
import classes from '../rates.module.css';
import { EffectTable, signed } from './effect-table.tsx';
import { ExampleMoves } from './example-moves.tsx';
import { ExampleTable } from './example-table.tsx';
import { type Example, firstExamples, moveOf } from './examples.ts';
import { Fold } from './fold.tsx';

/** Id of what shows the effect. */
export const effectId = 'rate-effect';
/** Bookings that can be asked for, the usual number first. */
const counts = [200, 50, 1000];

interface EffectProps {
  id: string;
  card: Card;
  /** The figures as one text: what was shown is of exactly these, or of others. */
  figures: string;
  /** Figures whose effect was looked at, or is not wanted. */
  seen: string | null;
  waived: boolean;
  onSeen: (figures: string) => void;
  onWaive: (on: boolean) => void;
  /** Whether the figures can be read; it says so where they cannot. */
  check: () => boolean;
  onRefused: (problem: ApiProblem) => boolean;
  error: string | undefined;
}

/** What the figures would make of the last bookings. Looking changes nothing. */
export function Effect(props: EffectProps) {
  const { id, card, figures, seen, waived, onSeen, onWaive, check, onRefused, error } = props;
  const { t } = useTranslation('rates');
  const language = useLanguage();
  const [n, setN] = useState(200);
  const [said, setSaid] = useState(false);
  /** An example could not be read when the effect was asked for. */
  const [faulty, setFaulty] = useState(false);
  const [typed, setExamples] = useState(firstExamples);
  const catalogue = useQuery(catalogueQuery).data;
  // of homes that the program knows
  const examples = typed.filter(({ home }) => catalogue?.presets.some((preset) => preset.id === home));
  const moves = catalogue ? examples.map((one) => moveOf(one, catalogue)) : [];
  const effect = useMutation({
    mutationFn: (asked: Asked) =>
      readEffect(
        id,
        asked.card,
        asked.n,
        moves.filter((move) => move !== null),
      ),
    onSuccess: (_, asked) => onSeen(asked.figures),
    onError: (failure) => setSaid(onRefused(asProblem(failure))),
  });
  const shown =
    effect.variables?.figures === figures &&
    effect.variables.n === n &&
    JSON.stringify(effect.variables.examples) === JSON.stringify(examples);
  const problem = error ?? (faulty && moves.includes(null) ? t('example.wrong') : null);
  const led = useLeadTo<HTMLDivElement>(effect.data);
  const look = () => {
    if (effect.isPending || !check()) return;
    setFaulty(moves.includes(null));
    if (moves.includes(null)) return;
    setSaid(false);
    effect.mutate({ card, figures, n, examples });
  };
  return (
    <section aria-labelledby="rate-effect-name" className={classes['part']}>
      <h2 id="rate-effect-name" className={classes['partName']}>
        {t('effect.title')}
      </h2>
      <p className="pg-help">{t('effect.help')}</p>
      <div className={classes['add']}>
        <NativeSelect
          label={t('effect.count')}
          value={String(n)}
          data={counts.map((count) => ({
            value: String(count),
            label: t('effect.last', { n: formatNumber(count, language) }),
          }))}
          onChange={(event) => setN(Number(event.currentTarget.value))}
        />
        <DeskButton id={effectId} busy={effect.isPending} onClick={look} aria-describedby="rate-effect-error">
          {t('effect.look')}
        </DeskButton>
      </div>
      {catalogue && catalogue.presets.length > 0 ? (
        <Fold title={t('example.title')} level={3} paths={[]}>
          {() => <ExampleMoves examples={examples} catalogue={catalogue} onExamples={setExamples} />}
        </Fold>
      ) : null}
      {/* announced when it comes, so it is there before; without words it has no mark either */}
      <p id="rate-effect-error" className={problem ? 'pg-error' : undefined} aria-live="polite">
        {problem}
      </p>
      {effect.isPending ? (
        <Skeleton label={t('effect.loading')} kind="figures" />
      ) : effect.isError && !said ? (
        <Failed title={t('effect.failed')} failure={asProblem(effect.error)} onRetry={look} />
      ) : effect.data ? (
        <div ref={led} tabIndex={-1} className={classes['effect']} data-old={!shown || undefined}>
          {shown ? null : <p className={classes['words']}>{t('effect.old')}</p>}
          <Figures effect={effect.data} />
          {effect.data.examples.length > 0 ? (
            <ExampleTable examples={effect.variables.examples} rows={effect.data.examples} catalogue={catalogue} />
          ) : null}
        </div>
      ) : null}
      {seen === figures ? null : <CheckBox label={t('effect.waive')} labelShown checked={waived} onChange={onWaive} />}
    </section>
  );
}

/** What was asked about. */
interface Asked {
  card: Card;
  figures: string;
  n: number;
  examples: readonly Example[];
}

/** Sums, the worst case and each booking. */
function Figures({ effect }: { effect: RatePreview }) {
  const { t } = useTranslation('rates');
  const language = useLanguage();
  const difference = signed(effect.difference, language);
  const { worst } = effect;
  const code = worst && effect.data.find((one) => one.bookingId === worst.bookingId)?.shortId;
  return (
    <>
      <dl className={classes['sums']}>
        <div>
          <dt>{t('effect.oldSum')}</dt>
          <dd>
            <Money value={effect.oldSum} />
          </dd>
        </div>
        <div>
          <dt>{t('effect.newSum')}</dt>
          <dd>
            <Money value={effect.newSum} />
          </dd>
        </div>
        <div data-key="difference">
          <dt>{t('effect.difference')}</dt>
          <dd className="pg-num">{difference}</dd>
        </div>
        <div>
          <dt>{t('effect.priced')}</dt>
          <dd className="pg-num">{formatNumber(effect.count, language)}</dd>
        </div>
        <div>
          <dt>{t('effect.unpriced')}</dt>
          <dd className="pg-num">{formatNumber(effect.failed, language)}</dd>
        </div>
        {worst && code && centsOf(worst.difference) !== 0 ? (
          <div>
            <dt>{t('effect.worst')}</dt>
            <dd>
              <Link to="/bookings/$id" params={{ id: worst.bookingId }} target="_blank">
                {t('effect.worstOf', { code, difference: signed(worst.difference, language) })}
              </Link>
            </dd>
          </div>
        ) : null}
      </dl>
      {effect.count === 0 ? (
        <p className="pg-muted">{t('effect.nobody')}</p>
      ) : centsOf(effect.difference) === 0 && effect.data.every((one) => centsOf(one.difference) === 0) ? (
        <p className="pg-muted">{t('effect.same', { total: formatMoney(effect.newSum, language) })}</p>
      ) : (
        <EffectTable rows={effect.data} />
      )}
    </>
  );
}
