import { TextInput } from '@mantine/core';
import { api, asProblem, type CustomerOfBooking, type DeskBooking, newIdempotencyKey, unwrap } from '@portage/api';
import { FormShell, useFormShell } from '@portage/forms';
import { LinkButton, useConfig } from '@portage/frame';
import { formatMoney, formatName, useLanguage } from '@portage/i18n';
import { CheckboxField, ErrorState, LoadingState, Notice, PageHeading } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { CardEntry, CardProblem, useCardName, useCardWithin } from '@portage/payments';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';

import { customerQuery } from '../../shell/customer-query.ts';
import { PeopleList } from '../../shell/people-list.tsx';
import { useUnsaved } from '../../shell/unsaved.ts';
import { type SoughtBy, useKnownPeople } from '../../shell/use-known-people.ts';
import classes from './cards.module.css';

/** A card is kept for the customer of a booking; which one stands in the address. */
function CardPage() {
  const { t } = useTranslation(['cards', 'shell']);
  const { booking } = useSearch({ from: '/desk/card' });
  const navigate = useNavigate({ from: '/card' });
  // what takes the place of the pressed button takes the focus; on the way in it stays where the frame puts it
  const [turned, setTurned] = useState(false);
  const open = (id: string | undefined) => {
    setTurned(true);
    void navigate({ search: id === undefined ? {} : { booking: id } });
  };
  return (
    <div className={classes['page']}>
      <PageHeading title={t('shell:area.card')} lead={t('lead')} />
      {booking === undefined ? (
        <Find focused={turned} onFound={(row) => open(row.id)} />
      ) : (
        <OfCustomer key={booking} booking={booking} focused={turned} onOther={() => open(undefined)} />
      )}
    </div>
  );
}

/** A number has no letters; an address has its sign; everything else is a name, or a code. */
function soughtBy(typed: string): SoughtBy {
  if (typed.includes('@')) return 'email';
  return /\d/.test(typed) && !/\p{L}/u.test(typed) ? 'phone' : 'name';
}

function Find({ focused, onFound }: { focused: boolean; onFound: (row: DeskBooking) => void }) {
  const { t } = useTranslation('cards');
  const [typed, setTyped] = useState('');
  const { people, isDone, failed } = useKnownPeople(soughtBy(typed), typed);
  const [only] = people.length === 1 ? people : [];
  const field = useRef<HTMLInputElement | null>(null);
  useEffect(() => {
    if (focused) field.current?.focus();
  }, [focused]);
  return (
    <section className={classes['find']}>
      <TextInput
        ref={field}
        label={t('find.label')}
        description={t('find.help')}
        type="search"
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && only) onFound(only);
        }}
      />
      <div role="status">
        {failed ? (
          <p>{t('find.failed')}</p>
        ) : isDone && people.length === 0 ? (
          <p>{t('find.none')}</p>
        ) : (
          <PeopleList people={people} label={t('find.found')} onChoose={onFound} />
        )}
      </div>
    </section>
  );
}

interface OfCustomerProps {
  booking: string;
  /** The name takes the focus once it is there. */
  focused: boolean;
  onOther: () => void;
}

function OfCustomer({ booking, focused, onOther }: OfCustomerProps) {
  const { t } = useTranslation(['cards', 'payments']);
  const language = useLanguage();
  const cardName = useCardName();
  const queries = useQueryClient();
  const [kept, setKept] = useState<string | null>(null);
  const found = useQuery(customerQuery(booking));
  const name = useRef<HTMLHeadingElement | null>(null);
  useEffect(() => {
    if (focused) name.current?.focus();
  }, [focused, found.isSuccess]);
  if (found.isPending) return <LoadingState rows={4} height={44} />;
  if (found.isError)
    return (
      <>
        <ErrorState failure={asProblem(found.error)} title={t('gone')} onRetry={() => void found.refetch()} />
        <DeskButton variant="quiet" onClick={onOther}>
          {t('find.other')}
        </DeskButton>
      </>
    );
  const { customer, owes } = found.data;
  return (
    <>
      <section className={classes['who']} aria-label={t('find.label')}>
        <h2 ref={name} tabIndex={-1}>
          {formatName(customer.name)}
        </h2>
        <p>{customer.email}</p>
        <p>{customer.phone}</p>
        {Number(owes) > 0 ? <p className="pg-muted">{t('owes', { amount: formatMoney(owes, language) })}</p> : null}
        <div className={classes['ways']}>
          <DeskButton variant="quiet" onClick={onOther}>
            {t('find.other')}
          </DeskButton>
          <LinkButton to="/bookings/$id" params={{ id: booking }} variant="subtle" size="sm">
            {t('toBooking')}
          </LinkButton>
        </div>
      </section>
      {kept === null ? (
        <CardForm
          booking={booking}
          customer={customer}
          onKept={(card) => {
            setKept(t('payments:card.ending', { brand: cardName(card.brand), last4: card.last4 }));
            // what the record shows of money and of the card is another now
            void queries.invalidateQueries({ queryKey: ['desk', 'booking', booking] });
          }}
        />
      ) : (
        <Notice tone="success" live led title={kept}>
          <p>{t('done.new', { name: formatName(customer.name) })}</p>
          <p>{t('done.retried')}</p>
        </Notice>
      )}
    </>
  );
}

/** The fields of the card are the gateway's: it checks them itself. */
const schema = z.object({
  agreed: z.boolean().check(z.refine((agreed) => agreed, { error: 'cards:agreed.needed' })),
});

interface CardFormProps {
  booking: string;
  customer: CustomerOfBooking['customer'];
  onKept: (card: { brand: string; last4: string }) => void;
}

function CardForm({ booking, customer, onKept }: CardFormProps) {
  const { t } = useTranslation(['cards', 'payments']);
  const config = useConfig();
  const { within, tokenise, entry } = useCardWithin();
  const shell = useFormShell({
    schema,
    labels: { agreed: t('agreed') },
    defaultValues: { agreed: false },
    check: 'onSubmit',
    within,
    send: async () => {
      const paymentNonce = await tokenise();
      // a nonce works once: every try has a key of its own, and a card stored twice is charged once all the same
      const params = { path: { id: booking }, header: { 'Idempotency-Key': newIdempotencyKey() } };
      return unwrap(api.POST('/bookings/{id}/card', { params, body: { paymentNonce } }));
    },
    onTaken: ({ card }) => onKept(card),
  });
  const { control, formState } = shell.form;
  useUnsaved(formState.isDirty && !shell.taken);
  return (
    <section aria-labelledby="card-title" className={classes['card']}>
      <h2 id="card-title">{t('title')}</h2>
      <p>{customer.hasCard ? t('has') : t('hasNone')}</p>
      <p className="pg-help">{t('field.lead')}</p>
      <FormShell
        shell={shell}
        size="md"
        submitLabel={t('save')}
        renderRefusal={(problem) => (
          <Notice tone="error" live title={t('refused')}>
            <CardProblem problem={problem} />
          </Notice>
        )}
      >
        <CardEntry {...entry} provider={config?.payments.provider} help={<p>{t('help')}</p>} />
        <CheckboxField control={control} name="agreed" label={t('agreed')} />
      </FormShell>
    </section>
  );
}

export const Route = createLazyRoute('/desk/card')({ component: CardPage });
