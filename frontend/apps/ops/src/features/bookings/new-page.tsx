import { NativeSelect, Textarea } from '@mantine/core';
import { asProblem, type MoveKind, moveKinds, type QuoteRequestRecord } from '@portage/api';
import { FurniturePicker } from '@portage/furniture';
import { currentLanguage, formatMoney, useLanguage } from '@portage/i18n';
import { announce, ErrorState, ErrorSummary, leadBeside, Notice, PageHeading, useLeadTo } from '@portage/kit';
import { CheckBox, DeskButton } from '@portage/kit/desk/button';
import { showToast } from '@portage/kit/desk/toasts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute, Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { QueryState } from '@portage/frame';
import { keep, readKept } from '../../shell/kept.ts';
import { LoadingPage } from '../../shell/loading-page.tsx';
import { requestQuery } from '../../shell/request-query.ts';
import { useSession } from '../../shell/session.ts';
import { useUnsaved } from '../../shell/unsaved.ts';
import { End } from './new/end.tsx';
import { type Errors, fieldId, useOrderErrors } from './new/errors.ts';
import { orderFrom } from './new/from-request.ts';
import { bodyOf, emptyOrder, type OrderForm, orderOf } from './new/form.ts';
import classes from './new/new.module.css';
import { PayAndTerms } from './new/pay-and-terms.tsx';
import { useOrderPrice } from './new/price.ts';
import { Quote } from './new/quote.tsx';
import { isUnanswered, useSave } from './new/use-save.ts';
import { type Start, When } from './new/when.tsx';
import { Who } from './new/who.tsx';
import { ExtraServices } from './parts/extra-services.tsx';
import formClasses from './parts/form.module.css';
import { sides } from './parts/move-ends.ts';
import { Group, useFieldName, useMoveFields } from './parts/move-fields.tsx';
import pieces from './parts/pieces.module.css';

/** A booking for somebody on the phone: everything in sight, priced while it is said. */
function NewBooking({ owner, request }: { owner: string; request: QuoteRequestRecord | null }) {
  const { t } = useTranslation(['order', 'bookings', 'change', 'shell', 'domain', 'record']);
  const language = useLanguage();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const name = useFieldName();
  const { check, ofProblem } = useOrderErrors();
  // what is typed for one request is not another's, nor that of whoever calls meanwhile
  const keptName = request ? `order.${request.id}` : 'order';
  const [fresh] = useState(() => () => (request ? orderFrom(request) : emptyOrder(currentLanguage())));
  const [begun] = useState(() => orderOf(readKept(keptName, owner), currentLanguage()));
  const [form, setForm] = useState<OrderForm>(() => begun ?? fresh());
  const [round, setRound] = useState(0);
  const [wasKept, setWasKept] = useState(begun !== null);
  const [errors, setErrors] = useState<Errors>({});
  const [attempt, setAttempt] = useState(0);
  const [instead, setInstead] = useState<Start[]>([]);
  const [repriced, setRepriced] = useState<{ from: string; total: string } | null>(null);
  const [booked, setBooked] = useState<string | null>(null);
  /** It was to be booked before its price was there, and nothing was changed since. */
  const [early, setEarly] = useState(false);
  const price = useOrderPrice(form);
  const estimate = price.estimate.data ?? null;
  // the server's own price, once it has said that it is another one; until the estimate changes again
  const total = estimate && repriced?.from === estimate.total ? repriced.total : (estimate?.total ?? null);
  const dirty = JSON.stringify(form) !== JSON.stringify(request ? fresh() : emptyOrder(form.caller.language));
  useUnsaved(dirty && booked === null);
  useEffect(() => {
    keep(keptName, owner, dirty && booked === null ? form : null);
  }, [form, dirty, booked, owner, keptName]);

  const save = useSave(({ id, shortId, total: agreed }) => {
    setBooked(id);
    const { email } = form.caller;
    showToast({
      text: t(`saved.${form.payment}`, { code: shortId, email, amount: formatMoney(agreed, language) }),
      seconds: 15,
    });
    void queries.invalidateQueries({ queryKey: ['desk'] });
  });
  useEffect(() => {
    // after the guard has heard that nothing is unsaved any more
    if (booked) void navigate({ to: '/bookings/$id', params: { id: booked }, replace: true });
  }, [booked, navigate]);

  /** Changes something, and takes back what was said against those fields. */
  const edit = (change: (now: OrderForm) => OrderForm, ...fields: string[]) => {
    setForm(change);
    setEarly(false);
    setErrors((now) => Object.fromEntries(Object.entries(now).filter(([field]) => !fields.includes(field))));
    if (save.isError) save.reset();
  };
  const { text, flag, access } = useMoveFields({
    form: form.move,
    onForm: (change) => edit((now) => ({ ...now, move: { ...now.move, ...change } }), ...Object.keys(change)),
    errorOf: (key) =>
      errors[key] ?? (key === 'discountCode' && estimate?.discountRefused ? t('quote.code') : undefined),
    idOf: fieldId,
  });
  const onStart = (start: Start | { date: string }) => {
    setInstead([]);
    edit((now) => {
      const same = 'time' in start || start.date === now.move.date;
      const { time, startsAt } =
        'time' in start ? start : same ? { ...now.move, startsAt: now.startsAt } : { time: '', startsAt: null };
      return { ...now, startsAt, move: { ...now.move, date: start.date, time } };
    }, 'start');
  };
  const startOver = () => {
    setForm(fresh());
    setErrors({});
    setInstead([]);
    setWasKept(false);
    save.reset();
    setRound((now) => now + 1);
  };

  const ready = booked === null && !price.settling;
  const refuse = (found: Errors) => {
    setErrors(found);
    setAttempt((now) => now + 1);
  };
  const book = async () => {
    if (save.isPending) return;
    if (booked !== null) return;
    if (!ready) {
      setEarly(true);
      announce(t('change:wait.price'));
      return;
    }
    const found = check(form);
    setErrors(found);
    if (Object.keys(found).length > 0 || total === null) {
      // without a price there is nothing that the caller could have agreed to
      refuse(Object.keys(found).length > 0 ? found : { quote: t('quote.failed') });
      return;
    }
    try {
      await save.mutateAsync({ ...bodyOf(form, total), ...(request ? { quoteRequestId: request.id } : {}) });
    } catch (error) {
      const problem = asProblem(error);
      const { total: now, alternatives } = problem.members;
      if (problem.code === 'price_changed' && typeof now === 'string' && estimate) {
        setRepriced({ from: estimate.total, total: now });
        return;
      }
      if (problem.code === 'slot_gone') {
        setInstead(Array.isArray(alternatives) ? (alternatives as Start[]) : []);
        void queries.invalidateQueries({ queryKey: ['/availability'] });
      }
      refuse(ofProblem(problem));
    }
  };

  const problem = save.isError ? asProblem(save.error) : null;
  const moved = useLeadTo<HTMLParagraphElement>(problem?.code === 'price_changed' ? problem : null);
  // what stands at a field is not said a second time
  const unplaced = problem && problem.code !== 'price_changed' && Object.keys(errors).length === 0 ? problem : null;
  const summary = Object.entries(errors).map(([field, words]) => ({ fieldId: fieldId(field), text: words }));
  return (
    <div className={formClasses['page']}>
      <PageHeading title={t('shell:do.newBooking')} lead={t('lead')} invalid={summary.length > 0} />
      {request ? (
        <div className={classes['kept']}>
          <Notice
            title={t('request.title', { name: request.name })}
            action={
              <Link to="/quote-requests/$id" params={{ id: request.id }}>
                {t('request.back')}
              </Link>
            }
          >
            {t('request.text')}
          </Notice>
        </div>
      ) : null}
      {wasKept ? (
        <div className={classes['kept']}>
          <Notice
            action={
              <DeskButton
                onClick={(event) => {
                  leadBeside(event.currentTarget);
                  startOver();
                }}
              >
                {t('startOver')}
              </DeskButton>
            }
            onDismiss={() => setWasKept(false)}
          >
            {t('kept')}
          </Notice>
        </div>
      ) : null}
      <form
        key={round}
        noValidate
        className={formClasses['layout']}
        onSubmit={(event) => {
          event.preventDefault();
          void book();
        }}
      >
        <div className={formClasses['form']}>
          <ErrorSummary items={summary} attempt={attempt} />
          <Who
            caller={form.caller}
            known={form.known}
            errors={errors}
            onCaller={(change, known) =>
              edit(
                (now) => ({
                  ...now,
                  known,
                  caller: { ...now.caller, ...change },
                  payment: now.payment === 'card' && !known?.hasCard ? 'link' : now.payment,
                }),
                ...Object.keys(change),
              )
            }
          />
          <div className={classes['ends']}>
            {sides.map((side) => (
              <End
                key={side}
                side={side}
                end={form.ends[side]}
                error={errors[side]}
                onEnd={(end) => edit((now) => ({ ...now, ends: { ...now.ends, [side]: end } }), side)}
              >
                {access(side)}
              </End>
            ))}
          </div>
          <Group title={t('group.what')}>
            <NativeSelect
              label={t('change:field.kind')}
              value={form.kind}
              onChange={(event) => {
                const kind = event.currentTarget.value as MoveKind;
                edit((now) => ({ ...now, kind }));
              }}
              data={moveKinds.map((value) => ({ value, label: t(`domain:moveKind.${value}`) }))}
            />
            <div className={formClasses['line']}>
              <CheckBox
                label={t('what.assembly')}
                labelShown
                checked={form.assembly}
                onChange={(assembly) => edit((now) => ({ ...now, assembly }))}
              />
            </div>
            <div className={`${formClasses['wide']} ${pieces['picker']}`}>
              <FurniturePicker
                id={fieldId('items')}
                error={errors['items']}
                selected={form.items}
                onChange={(change) => edit((now) => ({ ...now, items: change(now.items) }), 'items')}
                rooms={form.rooms}
                onRooms={(rooms) => edit((now) => ({ ...now, rooms }))}
                ownItems={form.ownItems}
                onOwnItems={(ownItems) => edit((now) => ({ ...now, ownItems }))}
                assembly={form.assembly}
              />
            </div>
            <ExtraServices
              label={t('what.services')}
              services={form.services}
              lines={price.settling ? null : (estimate?.lines ?? null)}
              onServices={(change) => edit((now) => ({ ...now, services: change(now.services) }))}
            />
          </Group>
          <Group title={t('change:group.crew')}>
            {text('mateCount', 'number', { min: 1, max: 20 })}
            <div className={formClasses['line']}>
              {flag('rideAlong')}
              {flag('clientAsMate')}
              {flag('justMates')}
            </div>
          </Group>
          <When form={form} price={price} error={errors['start']} instead={instead} onStart={onStart} />
          <Group title={t('change:group.words')}>
            <div className={formClasses['wide']}>
              <Textarea
                id={fieldId('comments')}
                label={name('comments')}
                value={form.move.comments}
                error={errors['comments']}
                autosize
                minRows={2}
                maxRows={8}
                maxLength={2000}
                onChange={(event) => {
                  const comments = event.currentTarget.value;
                  edit((now) => ({ ...now, move: { ...now.move, comments } }), 'comments');
                }}
              />
            </div>
            {text('discountCode')}
          </Group>
          <PayAndTerms
            form={form}
            plan={price.plan.data}
            errors={errors}
            onPayment={(payment) => edit((now) => ({ ...now, payment }), 'payment')}
            onPartner={(partner) => edit((now) => ({ ...now, partner }), 'payment')}
            onAgreed={(agreed) => edit((now) => ({ ...now, agreed }), 'agreed')}
          />
          {problem?.code === 'price_changed' && total !== null ? (
            <p ref={moved} tabIndex={-1} role="alert" className="pg-error">
              {t('quote.moved', { amount: formatMoney(total, language) })}
            </p>
          ) : null}
          {unplaced ? (
            <ErrorState led failure={unplaced} title={isUnanswered(unplaced) ? t('noAnswer') : t('failed')} />
          ) : null}
          <div className={formClasses['foot']}>
            {/* never locked: the focus would jump past it, and out of it */}
            <DeskButton submit variant="primary" aria-disabled={!ready || undefined} busy={save.isPending}>
              {total === null ? t('book') : t('bookPriced', { amount: formatMoney(total, language) })}
            </DeskButton>
            <Link to="/bookings">{t('record:back')}</Link>
            {early && !ready ? <span className="pg-muted">{t('change:wait.price')}</span> : null}
          </div>
        </div>
        <Quote form={form} price={price} total={total} />
      </form>
    </div>
  );
}

function NewPage() {
  const session = useSession();
  // the form stays on screen when a session ends; whoever began it is known from then
  const now = session.status === 'signedIn' ? session.user.sub : null;
  const [owner, setOwner] = useState(now);
  if (owner === null && now !== null) setOwner(now);
  const { request } = useSearch({ from: '/desk/bookings/new' }) as { request?: unknown };
  if (owner === null) return null;
  return typeof request === 'string' ? (
    <FromRequest key={request} owner={owner} id={request} />
  ) : (
    <NewBooking owner={owner} request={null} />
  );
}

/** The same form, begun with what a guest said who could not book online. */
function FromRequest({ owner, id }: { owner: string; id: string }) {
  const { t } = useTranslation('shell');
  const query = useQuery(requestQuery(id));
  const title = t('do.newBooking');
  if (query.isPending) return <LoadingPage title={title} />;
  const withHeading = (failure: ReactNode) => (
    <>
      <PageHeading title={title} />
      {failure}
    </>
  );
  // what is typed is not taken away when the request is fetched again
  return (
    <QueryState query={query} renderFailed={withHeading}>
      {(request) => <NewBooking owner={owner} request={request} />}
    </QueryState>
  );
}

export const Route = createLazyRoute('/desk/bookings/new')({ component: NewPage });
