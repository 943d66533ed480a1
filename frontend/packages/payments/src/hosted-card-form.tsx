import { Button } from '@mantine/core';
import { api, asProblem, unwrap } from '@portage/api';
import { ErrorSummary, LoadingState, Notice, type SummaryItem } from '@portage/kit';
import type { HostedFields } from 'braintree-web/hosted-fields';
import { type ReactNode, type Ref, useEffect, useEffectEvent, useImperativeHandle, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { loadBraintree } from './braintree-script.ts';
import classes from './card-form.module.css';
import { type CardHandle, CardRefused } from './card-handle.ts';

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

type Boxes = Record<Field, HTMLElement>;

async function ownToken(): Promise<string> {
  return (await unwrap(api.POST('/payment/client', {}))).clientToken;
}

async function mount(boxes: Boxes, clientToken: () => Promise<string>): Promise<HostedFields> {
  const [authorization, { client, hostedFields }] = await Promise.all([clientToken(), loadBraintree()]);
  return hostedFields.create({
    client: await client.create({ authorization }),
    styles: fieldStyles(),
    fields: {
      cardholderName: { container: boxes.cardholderName },
      number: { container: boxes.number, placeholder: '•••• •••• •••• ••••' },
      expirationDate: { container: boxes.expirationDate, placeholder: 'MM/YY' },
      cvv: { container: boxes.cvv },
    },
  });
}

/** Takes the frames down; whatever is left of them goes with their boxes. */
function takeDown(instance: HostedFields): void {
  instance.teardown().catch((error: unknown) => console.debug('card fields were not taken down', error));
}

/**
 * The gateway's own fields: each is a frame of theirs, so that no card number passes through this page. They are never
 * taken down on a refusal. When they could not be made, the next round starts from nothing: new boxes, a new token, and
 * new script elements for what did not arrive.
 */
export function HostedCardForm({
  ref,
  help,
  clientToken = ownToken,
  onLines,
}: {
  ref: Ref<CardHandle>;
  help: ReactNode;
  clientToken?: (() => Promise<string>) | undefined;
  onLines?: ((lines: SummaryItem[]) => void) | undefined;
}) {
  const { t } = useTranslation(['payments', 'common']);
  const boxes = useRef<Partial<Record<Field, HTMLElement | null>>>({});
  const [round, setRound] = useState(0);
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading');
  const making = useRef<Promise<HostedFields> | null>(null);
  const made = useRef<HostedFields | null>(null);
  const [refused, setRefused] = useState<Field[]>([]);
  const [attempt, setAttempt] = useState(0);
  const [focused, setFocused] = useState<Field | null>(null);
  const trouble = useRef<HTMLDivElement>(null);
  // asked once a round: another function is no reason to make the fields again
  const newToken = useRef(clientToken);
  useEffect(() => {
    newToken.current = clientToken;
  });

  useEffect(() => {
    let gone = false;
    const work = mount(Object.fromEntries(fields.map((field) => [field, boxes.current[field]])) as Boxes, () =>
      newToken.current(),
    );
    making.current = work;
    work.then(
      (instance) => {
        if (gone) {
          takeDown(instance);
          return;
        }
        made.current = instance;
        instance.on('focus', (event) => setFocused(event.emittedBy as Field));
        instance.on('blur', () => setFocused(null));
        instance.on('validityChange', (event) => {
          const field = event.emittedBy as Field;
          if (event.fields[event.emittedBy].isValid) setRefused((now) => now.filter((one) => one !== field));
        });
        setState('ready');
      },
      (error: unknown) => {
        console.debug('card fields could not be made', error);
        if (!gone) setState('failed');
      },
    );
    return () => {
      gone = true;
      if (made.current) takeDown(made.current);
      made.current = null;
    };
  }, [round]);

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
  const linesOf = (wrong: readonly Field[]): SummaryItem[] => wrong.map((field) => ({ text: errors[field] }));
  const tell = useEffectEvent(() => onLines?.(linesOf(refused)));
  useEffect(() => {
    tell();
  }, [refused]);

  /** The fields, also when they are still on their way. */
  const instanceNow = async (): Promise<HostedFields> => {
    try {
      return made.current ?? (await (making.current ?? Promise.reject(new Error('not begun'))));
    } catch {
      trouble.current?.focus();
      throw new CardRefused();
    }
  };
  const refuse = (wrong: readonly Field[]) => {
    setRefused([...wrong]);
    if (wrong.length > 0) setAttempt((now) => now + 1);
  };
  const wrongIn = (instance: HostedFields) => {
    const { fields: held } = instance.getState();
    return fields.filter((field) => !held[field]?.isValid);
  };

  useImperativeHandle(ref, () => ({
    async check() {
      const wrong = wrongIn(await instanceNow());
      refuse(wrong);
      return linesOf(wrong);
    },
    async tokenise() {
      const instance = await instanceNow();
      const wrong = wrongIn(instance);
      refuse(wrong);
      if (wrong.length > 0) throw new CardRefused(linesOf(wrong));
      try {
        return (await instance.tokenize()).nonce;
      } catch (error) {
        const code = (error as { code?: string }).code ?? '';
        if (code === 'HOSTED_FIELDS_TOKENIZATION_NETWORK_ERROR') throw asProblem(error);
        const unknown: Field[] = ['number', 'expirationDate', 'cvv'];
        refuse(unknown);
        throw new CardRefused(linesOf(unknown));
      }
    },
  }));

  return (
    <div className={classes['root']}>
      {attempt > 0 && !onLines ? <ErrorSummary items={linesOf(refused)} attempt={attempt} /> : null}
      {state === 'loading' ? <LoadingState rows={3} height={44} /> : null}
      {state === 'failed' ? (
        <div ref={trouble} tabIndex={-1} className={classes['trouble']}>
          <Notice
            tone="error"
            live
            title={t('card.unavailable')}
            action={
              <div className={classes['ways']}>
                <Button
                  onClick={() => {
                    setState('loading');
                    setRound((now) => now + 1);
                  }}
                >
                  {t('common:action.retry')}
                </Button>
                {help}
              </div>
            }
          >
            {t('card.unavailableHelp')}
          </Notice>
        </div>
      ) : null}
      {/* another round has boxes of its own: a box that has held a frame is not taken again */}
      <div key={round} className={classes['hosted']} hidden={state !== 'ready'}>
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
