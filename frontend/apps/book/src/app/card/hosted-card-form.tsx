import { api, asProblem, unwrap } from '@portage/api';
import { ErrorState, ErrorSummary, LoadingState, type SummaryItem } from '@portage/kit';
import { useMutation } from '@tanstack/react-query';
import type { HostedFields } from 'braintree-web/hosted-fields';
import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { type CardHandle, CardRefused } from './card-handle.ts';
import classes from './card-form.module.css';

const fields = ['cardholderName', 'number', 'expirationDate', 'cvv'] as const;
type Field = (typeof fields)[number];

/** Colours of our own inputs, which the frames cannot inherit. */
function fieldStyles(): Record<string, Record<string, string>> {
  const style = getComputedStyle(document.documentElement);
  const role = (name: string) => style.getPropertyValue(name).trim();
  return {
    input: { 'font-size': '16px', 'font-family': 'system-ui, sans-serif', color: role('--pg-ink') },
    'input::placeholder': { color: role('--pg-hint') },
    'input.invalid': { color: role('--pg-error') },
  };
}

async function mount(containers: Record<Field, HTMLElement>): Promise<HostedFields> {
  const [{ clientToken }, { default: client }, { default: hostedFields }] = await Promise.all([
    unwrap(api.POST('/payment/client', {})),
    import('braintree-web/client'),
    import('braintree-web/hosted-fields'),
  ]);
  return hostedFields.create({
    client: await client.create({ authorization: clientToken }),
    styles: fieldStyles(),
    fields: {
      cardholderName: { container: containers.cardholderName },
      number: { container: containers.number, placeholder: '•••• •••• •••• ••••' },
      expirationDate: { container: containers.expirationDate, placeholder: 'MM/YY' },
      cvv: { container: containers.cvv },
    },
  });
}

/**
 * The gateway's own fields: each is a frame of theirs, so that no card number passes through this page. They are never
 * taken down on a refusal; a token is fetched anew when they could not be made.
 */
export function HostedCardForm({ ref }: { ref: Ref<CardHandle> }) {
  const { t } = useTranslation('payment');
  const boxes = useRef<Partial<Record<Field, HTMLElement | null>>>({});
  const made = useRef<HostedFields | null>(null);
  const [refused, setRefused] = useState<Field[]>([]);
  const [attempt, setAttempt] = useState(0);
  const [focused, setFocused] = useState<Field | null>(null);

  const setUp = useMutation({
    mutationFn: async () => {
      const containers = Object.fromEntries(fields.map((field) => [field, boxes.current[field]])) as Record<
        Field,
        HTMLElement
      >;
      const instance = await mount(containers);
      instance.on('focus', (event) => setFocused(event.emittedBy as Field));
      instance.on('blur', () => setFocused(null));
      instance.on('validityChange', (event) => {
        const field = event.emittedBy as Field;
        if (event.fields[event.emittedBy].isValid) setRefused((now) => now.filter((one) => one !== field));
      });
      return instance;
    },
  });
  const { mutate } = setUp;
  useEffect(() => {
    let gone = false;
    mutate(undefined, {
      onSuccess: (instance) => {
        if (gone) void instance.teardown();
        else made.current = instance;
      },
    });
    return () => {
      gone = true;
      void made.current?.teardown();
      made.current = null;
    };
  }, [mutate]);

  useImperativeHandle(ref, () => ({
    async tokenise() {
      const instance = made.current;
      if (!instance) throw new CardRefused();
      const state = instance.getState();
      const wrong = fields.filter((field) => !state.fields[field]?.isValid);
      setRefused(wrong);
      if (wrong.length > 0) {
        setAttempt((now) => now + 1);
        throw new CardRefused();
      }
      try {
        return (await instance.tokenize()).nonce;
      } catch (error) {
        const code = (error as { code?: string }).code ?? '';
        if (code === 'HOSTED_FIELDS_TOKENIZATION_NETWORK_ERROR') throw asProblem(error);
        setRefused(['number', 'expirationDate', 'cvv']);
        setAttempt((now) => now + 1);
        throw new CardRefused();
      }
    },
  }));

  const labels: Record<Field, string> = {
    cardholderName: t('card.name'),
    number: t('card.number'),
    expirationDate: t('card.expiry'),
    cvv: t('card.cvc'),
  };
  const errors: Record<Field, string> = {
    cardholderName: t('card.nameMissing'),
    number: t('card.numberInvalid'),
    expirationDate: t('card.expiryInvalid'),
    cvv: t('card.cvcInvalid'),
  };
  const summary: SummaryItem[] = refused.map((field) => ({ text: errors[field] }));
  return (
    <div className={classes['root']}>
      {attempt > 0 ? <ErrorSummary items={summary} attempt={attempt} /> : null}
      {setUp.isPending ? <LoadingState rows={3} height={44} /> : null}
      {setUp.isError ? (
        <ErrorState failure={asProblem(setUp.error)} title={t('card.unavailable')} onRetry={() => mutate()} />
      ) : null}
      <div className={classes['hosted']} hidden={!setUp.isSuccess}>
        {fields.map((field) => (
          <div key={field} data-field={field}>
            {/* the label moves the focus into the frame, which no `for` can do */}
            <button type="button" className={classes['label']} onClick={() => made.current?.focus(field)}>
              {labels[field]}
            </button>
            <div
              className={classes['frame']}
              data-focused={focused === field || undefined}
              data-invalid={refused.includes(field) || undefined}
              ref={(element) => {
                boxes.current[field] = element;
              }}
            />
            {refused.includes(field) ? <p className="pg-error">{errors[field]}</p> : null}
          </div>
        ))}
      </div>
    </div>
  );
}
