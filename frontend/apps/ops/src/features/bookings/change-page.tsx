import { api, asProblem, type DeskBooking, type DeskPreview, ifMatch, type StaffEdit, unwrap } from '@portage/api';
import { formatName } from '@portage/i18n';
import { announce, ErrorState, ErrorSummary, PageHeading, useLeadTo } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { Failed } from '@portage/kit/desk/states';
import { showToast } from '@portage/kit/desk/toasts';
import { skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute, Link, useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { LoadingPage } from '../../shell/loading-page.tsx';
import { useUnsaved } from '../../shell/unsaved.ts';
import { Conflict } from './change/conflict.tsx';
import { type ChangeErrors, type ChangeField, errorsOf, fieldId } from './change/errors.ts';
import { Fields } from './change/fields.tsx';
import { bodyOf, type ChangeForm, formOf, noFee, rebased, unfinishedSides } from './change/form.ts';
import { Preview } from './change/preview.tsx';
import { Deleted, Lost } from './change/save-trouble.tsx';
import classes from './parts/form.module.css';
import { mayChange } from './parts/may-change.ts';
import { useMoney } from './parts/use-money.ts';
import { useSettled } from '../../shell/use-settled.ts';
import { Gone } from './record/gone.tsx';
import { bookingQuery } from './record/queries.ts';

/** What Save sends, with the figures that were on screen when it was pressed. */
interface Sent {
  change: StaffEdit;
  agreed: Pick<DeskPreview, 'newTotal' | 'changeFee'>;
  /** It was sent before, and nobody knows whether it arrived. */
  lost: boolean;
}

/** The form of a change. It keeps the record it began with: what others do meanwhile shows when it is saved. */
function ChangeBooking({ first }: { first: DeskBooking }) {
  const { t } = useTranslation(['change', 'common', 'address', 'order']);
  const money = useMoney();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [booking, setBooking] = useState(first);
  const base = formOf(booking);
  const [form, setForm] = useState(base);
  const [fee, setFee] = useState(noFee);
  const [theirs, setTheirs] = useState<DeskBooking | null>(null);
  /** How often Save has met another price than the one on screen; 0 once it was looked at. */
  const [repriced, setRepriced] = useState(0);
  const again = useLeadTo<HTMLParagraphElement>(repriced);
  const [saved, setSaved] = useState(false);
  const [gone, setGone] = useState(false);
  /** What Save has found wrong before anything was sent, and how often. */
  const [found, setFound] = useState<ChangeErrors>({});
  const [attempt, setAttempt] = useState(0);
  /** Save was pressed before it could save, and nothing was changed since. */
  const [early, setEarly] = useState(false);
  const body = bodyOf(form, base, fee);
  const unfinished = unfinishedSides(form, base);
  useUnsaved((body !== null || unfinished.length > 0) && !saved);
  const settled = useSettled(body);
  const settling = JSON.stringify(settled) !== JSON.stringify(body);
  const previewOf = (change: StaffEdit) =>
    unwrap(api.POST('/bookings/{id}/preview', { params: { path: { id: booking.id } }, body: change }));
  const preview = useQuery({
    queryKey: ['desk', 'booking', booking.id, 'preview', booking.version, settled],
    queryFn: settled ? () => previewOf(settled) : skipToken,
    retry: false,
    staleTime: 0,
    meta: { personal: true },
  });

  const readAgain = () => queries.fetchQuery({ ...bookingQuery(booking.id), staleTime: 0 });
  const save = useMutation({
    mutationFn: async ({ change, agreed, lost }: Sent) => {
      if (lost) {
        // the change may have arrived, and only its answer was lost
        const fresh = await readAgain();
        if (fresh.version !== booking.version) {
          if (change.amount === undefined && bodyOf(form, formOf(fresh), noFee) === null) return fresh;
          setTheirs(fresh);
          return null;
        }
      }
      const now = await previewOf(change);
      if (now.newTotal !== agreed.newTotal || now.changeFee !== agreed.changeFee) {
        // figures that moved because of a colleague are told as the colleague's change
        const fresh = await readAgain();
        if (fresh.version !== booking.version) {
          setTheirs(fresh);
          return null;
        }
        setRepriced((times) => times + 1);
        await preview.refetch();
        return null;
      }
      return unwrap(
        api.PUT('/bookings/{id}', {
          params: { path: { id: booking.id }, header: ifMatch(booking.version) },
          body: change,
        }),
      );
    },
    onSuccess: async (after, { lost }) => {
      if (!after) return;
      setSaved(true);
      showToast({ text: t(lost ? 'save.doneAgain' : 'save.done', { code: booking.shortId }) });
      await queries.invalidateQueries({ queryKey: ['desk'] });
    },
    onError: async (error) => {
      const refused = asProblem(error);
      if (refused.status === 412) setTheirs(await readAgain());
      else if (Object.keys(errorsOf(refused)).length > 0) setAttempt((times) => times + 1);
    },
  });
  useEffect(() => {
    // after the guard has heard that nothing is unsaved any more
    if (saved) void navigate({ to: '/bookings/$id', params: { id: booking.id }, replace: true });
  }, [saved, navigate, booking.id]);

  const isLost = save.isError && !theirs && asProblem(save.error).status === 0;
  // not a code for a discount that nobody knows, which has a word of its own
  const isGone = [save, preview].some(({ isError, error }) => isError && asProblem(error).code === 'not_found');
  // it does not come back: what is typed from then on moves nothing
  if (isGone && !gone) setGone(true);
  const saveAgain = () => {
    if (save.variables) save.mutate({ ...save.variables, lost: true });
  };

  const edit = (change: () => void) => {
    change();
    setRepriced(0);
    setFound({});
    setEarly(false);
    if (save.isError && !theirs) save.reset();
  };
  const takeOver = (keep: boolean) => {
    if (!theirs) return;
    const now = formOf(theirs);
    setForm(keep ? rebased(form, base, now) : now);
    if (!keep) setFee(noFee);
    setBooking(theirs);
    setTheirs(null);
    save.reset();
  };
  const onForm = (change: Partial<ChangeForm>) => edit(() => setForm((now) => ({ ...now, ...change })));
  /** What cannot be sent as it stands, said at its field. */
  const check = (): ChangeErrors => ({
    ...Object.fromEntries(unfinished.map((side) => [side, t('address:address.incomplete')])),
    ...(form.items.some(({ quantity }) => quantity > 0) ? {} : { items: t('order:what.none') }),
  });
  const priced = body !== null && !settling && preview.isSuccess && !preview.isFetching;
  // a price by hand is for everything that was agreed
  const byHand = fee.amount.trim() !== '';
  const lines = byHand ? null : body === null ? booking.lines : priced ? preview.data.booking.lines : null;
  // an address that is not taken yet has no price: Save says so instead of leaving it out
  const ready = !theirs && !gone && (priced || unfinished.length > 0);
  const waitsFor = ready
    ? null
    : gone
      ? t('gone.title')
      : theirs
        ? t('conflict.title')
        : body === null
          ? t('preview.none')
          : preview.isError && !settling
            ? t('wait.refused')
            : t('wait.price');
  const submit = () => {
    if (save.isPending) return;
    if (waitsFor !== null) {
      setEarly(true);
      announce(waitsFor);
      return;
    }
    const wrong = check();
    setFound(wrong);
    if (Object.keys(wrong).length > 0) setAttempt((times) => times + 1);
    else if (body !== null && priced) save.mutate({ change: body, agreed: preview.data, lost: isLost });
  };
  const refusedSave = errorsOf(save.isError && !theirs ? asProblem(save.error) : null);
  const errors: ChangeErrors = {
    ...errorsOf(preview.isError ? asProblem(preview.error) : null),
    ...refusedSave,
    ...found,
  };
  const summary = Object.entries({ ...refusedSave, ...found }).map(([field, words]) => ({
    fieldId: fieldId(field as ChangeField),
    text: words,
  }));
  return (
    <div className={classes['page']}>
      <PageHeading
        title={t('title', { code: booking.shortId })}
        lead={t('lead', { name: formatName(booking.customerName) })}
        invalid={summary.length > 0}
      />
      <form
        noValidate
        className={classes['layout']}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <div className={classes['form']}>
          <ErrorSummary items={summary} attempt={attempt} />
          {theirs ? (
            <Conflict
              form={form}
              base={base}
              theirs={formOf(theirs)}
              onKeep={() => takeOver(true)}
              onDrop={() => takeOver(false)}
            />
          ) : null}
          <Fields
            form={form}
            base={base}
            lines={lines}
            errors={errors}
            onForm={onForm}
            onItems={(change) => edit(() => setForm((now) => ({ ...now, items: change(now.items) })))}
            fee={fee}
            onFee={(change) => edit(() => setFee((now) => ({ ...now, ...change })))}
          />
          {repriced ? (
            <p ref={again} tabIndex={-1} role="alert" className="pg-error">
              {t('preview.again')}
            </p>
          ) : null}
          {gone ? (
            <Deleted led={save.isError} />
          ) : isLost && save.variables ? (
            <Lost byItself={!save.variables.lost} failure={asProblem(save.error)} onAgain={saveAgain} />
          ) : save.isError && !theirs && summary.length === 0 ? (
            <ErrorState led failure={asProblem(save.error)} title={t('save.failed')} />
          ) : null}
          <div className={classes['foot']}>
            {/* never locked: the focus would jump past it, and out of it */}
            <DeskButton submit variant="primary" aria-disabled={!ready || undefined} busy={save.isPending}>
              {t('common:action.save')}
            </DeskButton>
            <Link to="/bookings/$id" params={{ id: booking.id }}>
              {t('back')}
            </Link>
            {early && waitsFor !== null ? <span className="pg-muted">{waitsFor}</span> : null}
            {/* the figures stand far below on a narrow screen; they are announced there */}
            {priced ? (
              <span aria-hidden className={classes['short']}>
                {t('preview.short', {
                  total: money(preview.data.newTotal),
                  difference: `${Number(preview.data.difference) > 0 ? '+' : ''}${money(preview.data.difference)}`,
                })}
              </span>
            ) : null}
          </div>
        </div>
        <Preview
          same={body === null}
          settling={settling || preview.isFetching}
          code={form.discountCode.trim()}
          gone={gone}
          preview={preview}
          before={booking}
        />
      </form>
    </div>
  );
}

/** In the place of the form for a booking of which the server takes no change. */
function Fixed({ booking: { id, status } }: { booking: DeskBooking }) {
  const { t } = useTranslation(['record', 'bookings', 'change']);
  return (
    <>
      <PageHeading title={t('fixed.title')} lead={t('fixed.text', { status: t(`bookings:status.${status}`) })} />
      <Link to="/bookings/$id" params={{ id }}>
        {t('change:back')}
      </Link>
    </>
  );
}

function ChangePage() {
  const { t } = useTranslation('record');
  const { id } = useParams({ from: '/desk/bookings/$id/change' });
  const booking = useQuery({ ...bookingQuery(id), staleTime: 0 });
  // what the form began with stays when the answer is dropped with a session that has ended
  const [first, setFirst] = useState<DeskBooking | null>(null);
  if (booking.data && !booking.isFetching && first?.id !== id) setFirst(booking.data);
  if (first?.id === id) return mayChange(first) ? <ChangeBooking key={id} first={first} /> : <Fixed booking={first} />;
  if (!booking.isError) return <LoadingPage title={t('loading')} />;
  if (asProblem(booking.error).status === 404) return <Gone />;
  return (
    <>
      <PageHeading title={t('failed')} />
      <Link to="/bookings">{t('back')}</Link>
      <Failed failure={asProblem(booking.error)} onRetry={() => void booking.refetch()} />
    </>
  );
}

export const Route = createLazyRoute('/desk/bookings/$id/change')({ component: ChangePage });
