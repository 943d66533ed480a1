import { asProblem, type RateCard } from '@portage/api';
import { montrealZone } from '@portage/domain';
import { ErrorState, ErrorSummary, Notice, PageHeading } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { showToast } from '@portage/kit/desk/toasts';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { keep, readKept } from '../../../shell/kept.ts';
import { useUnsaved } from '../../../shell/unsaved.ts';
import { draftOf, finish } from '../card/draft.ts';
import { figuresOf } from '../card/figures.ts';
import { wallIn } from '../card/instant.ts';
import { merge } from '../card/merge.ts';
import { type Card, isWithin, sameJson } from '../card/paths.ts';
import { useVersionName } from '../columns.tsx';
import { ratesKey } from '../queries.ts';
import classes from '../rates.module.css';
import { BeginFields } from './begin-fields.tsx';
import { type Begin, beginOf } from './begin.ts';
import { CardParts } from './card-parts.tsx';
import { Conflict } from './conflict.tsx';
import { CardContext, type CardEditor } from './context.ts';
import { Effect } from './effect.tsx';
import { type KeptCard, keptCard, keptName } from './kept-card.ts';
import { beginField, effectField, type Mistakes, useMistakes } from './use-mistakes.ts';
import { useAddVersion } from './use-save.ts';

/** A change of what is planned begins when that would have; any other at once. */
function beginsWith(rate: RateCard): Begin {
  if (rate.state === 'planned') return { at: 'later', ...wallIn(montrealZone, rate.effectiveFrom) };
  return { at: 'once', day: '', time: '00:00' };
}

/** The figures of a version in fields; saved they are the next version. Nothing is ever written over. */
export function Editor({ first, owner }: { first: RateCard; owner: string }) {
  const { t } = useTranslation(['rates', 'common']);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const version = useVersionName()(first);
  const { ofFaults, ofBegin, ofProblem, lines } = useMistakes();
  const [begun] = useState(() => keptCard(readKept(keptName(first.id), owner)));
  const [wasKept, setWasKept] = useState(begun !== null);
  const [base, setBase] = useState<Card>(() => begun?.base ?? (first.card as Card));
  const [target, setTarget] = useState({ id: begun?.id ?? first.id, latest: begun?.latest ?? first.latestVersion });
  const [draft, setDraft] = useState(() => begun?.draft ?? draftOf(first.card as Card));
  const [begin, setBegin] = useState(() => begun?.begin ?? beginsWith(first));
  const [mistakes, setMistakes] = useState<Mistakes>({});
  const [attempt, setAttempt] = useState(0);
  /** Figures whose effect was shown, and those whose effect is not wanted. */
  const [seen, setSeen] = useState<string | null>(null);
  const [waived, setWaived] = useState<string | null>(null);
  const [saved, setSaved] = useState(false);

  const done = finish(draft, figuresOf(draft.card));
  const figures = JSON.stringify(done.card);
  const dirty =
    Object.keys(done.wrong).length > 0 ||
    !sameJson(done.card, base) ||
    JSON.stringify(begin) !== JSON.stringify(beginsWith(first));
  useUnsaved(dirty && !saved);
  useEffect(() => {
    const kept: KeptCard = { ...target, base, draft, begin };
    keep(keptName(first.id), owner, dirty && !saved ? kept : null);
  }, [first.id, owner, target, base, draft, begin, dirty, saved]);

  const { save, theirs, setTheirs } = useAddVersion(first, async (added, oldStays) => {
    setSaved(true);
    showToast({
      text: t(oldStays ? 'saved.oldStays' : 'saved.done', { version: added.version, old: first.version }),
      ...(oldStays ? { seconds: 20 } : {}),
    });
    await queries.invalidateQueries({ queryKey: ratesKey });
  });
  useEffect(() => {
    // after the guard has heard that nothing is unsaved any more
    if (saved) void navigate({ to: '/rates', replace: true });
  }, [saved, navigate]);

  /** Takes back what was said against some places. */
  const forgive = (...paths: string[]) =>
    setMistakes((now) =>
      Object.fromEntries(
        Object.entries(now).filter(([place]) => !paths.some((path) => isWithin(place, path) || isWithin(path, place))),
      ),
    );
  const refuse = (found: Mistakes): boolean => {
    setMistakes(found);
    if (Object.keys(found).length === 0) return false;
    setAttempt((now) => now + 1);
    return true;
  };
  const refusedBy = (failure: unknown) => refuse(ofProblem(asProblem(failure), done.card));
  const submit = () => {
    if (save.isPending || saved || theirs) return;
    const start = beginOf(begin);
    const found = { ...ofFaults(done.wrong), ...('fault' in start ? ofBegin(start.fault) : {}) };
    if (Object.keys(found).length === 0 && seen !== figures && waived !== figures)
      found[effectField] = t('effect.first');
    if (refuse(found) || 'fault' in start) return;
    save.mutate({ target, card: done.card, from: start.from }, { onError: (failure) => void refusedBy(failure) });
  };
  const takeOver = (mine: boolean) => {
    if (!theirs) return;
    const now = theirs.card as Card;
    // what cannot be read yet stays as it was typed
    const typed = Object.fromEntries(Object.entries(draft.typed).filter(([path]) => path in done.wrong));
    setDraft(mine ? { card: merge(base, done.card, now) as Card, typed } : draftOf(now));
    setBase(now);
    setTarget({ id: theirs.id, latest: theirs.latestVersion });
    setSeen(null);
    setWaived(null);
    setTheirs(null);
    save.reset();
  };
  const startOver = () => {
    setBase(first.card as Card);
    setTarget({ id: first.id, latest: first.latestVersion });
    setDraft(draftOf(first.card as Card));
    setBegin(beginsWith(first));
    setMistakes({});
    setTheirs(null);
    setWasKept(false);
    save.reset();
  };
  const editor: CardEditor = {
    draft,
    card: done.card,
    base,
    errors: mistakes,
    change: (path, make) => {
      setDraft(make);
      forgive(path, effectField);
      if (save.isError && !theirs) save.reset();
    },
  };
  const unplaced = save.isError && !theirs && Object.keys(mistakes).length === 0 ? asProblem(save.error) : null;
  return (
    <CardContext value={editor}>
      <div className={classes['page']}>
        <PageHeading
          title={t(`edit.${first.state}`)}
          lead={t(`lead.${first.state}`, { version })}
          invalid={Object.keys(mistakes).length > 0}
        />
        {wasKept ? (
          <Notice
            action={<DeskButton onClick={startOver}>{t('startOver')}</DeskButton>}
            onDismiss={() => setWasKept(false)}
          >
            {t('kept')}
          </Notice>
        ) : null}
        <form
          noValidate
          className={classes['form']}
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <ErrorSummary items={lines(mistakes, done.card)} attempt={attempt} />
          {theirs ? (
            <Conflict theirs={theirs} base={base} onKeep={() => takeOver(true)} onDrop={() => takeOver(false)} />
          ) : null}
          <CardParts />
          <BeginFields
            rate={first}
            begin={begin}
            error={mistakes[beginField]}
            onBegin={(next) => {
              setBegin(next);
              forgive(beginField);
            }}
          />
          <Effect
            id={target.id}
            card={done.card}
            figures={figures}
            seen={seen}
            waived={waived === figures}
            onSeen={(of) => {
              setSeen(of);
              forgive(effectField);
            }}
            onWaive={(on) => {
              setWaived(on ? figures : null);
              forgive(effectField);
            }}
            check={() => !refuse(ofFaults(done.wrong))}
            onRefused={refusedBy}
            error={mistakes[effectField]}
          />
          {unplaced ? <ErrorState led failure={unplaced} title={t('save.failed')} /> : null}
          <div className={classes['foot']}>
            <DeskButton submit variant="primary" busy={save.isPending}>
              {t('save.button')}
            </DeskButton>
            <Link to="/rates">{t('back')}</Link>
          </div>
        </form>
      </div>
    </CardContext>
  );
}
