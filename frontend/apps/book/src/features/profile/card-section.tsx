import { Button } from '@mantine/core';
import { rememberCard } from '@portage/frame';
import { asProblem, type OwnProfile } from '@portage/api';
import { Notice } from '@portage/kit';
import { type CardHandle, CardProblem, CardRefused, storeCard, useCardName } from '@portage/payments';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { CardForm } from '../../shell/card-form.tsx';
import classes from './profile.module.css';

/** The card that is charged, and the form for another one. Charges that were declined are tried again with it at once. */
export function CardSection({ profile }: { profile: OwnProfile }) {
  const { t } = useTranslation(['profile', 'common', 'payments']);
  const cardName = useCardName();
  const [adding, setAdding] = useState(false);
  const handle = useRef<CardHandle | null>(null);
  const { card } = profile.wallet;
  const save = useMutation({
    mutationFn: async () => rememberCard(await storeCard(profile, (await handle.current?.tokenise()) ?? '')),
    onSuccess: () => setAdding(false),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!save.isPending) save.mutate();
  };
  const problem = save.isError && !(save.error instanceof CardRefused) ? asProblem(save.error) : null;
  return (
    <section aria-labelledby="settings-card" className={classes['section']}>
      <h2 id="settings-card">{t('payments:card.title')}</h2>
      {save.isSuccess && !adding ? (
        <Notice tone="success" live>
          {t('profile:card.saved')}
        </Notice>
      ) : null}
      <p>
        {card ? (
          <>
            {t('payments:card.ending', { brand: cardName(card.brand), last4: card.last4 })}
            <span className="pg-muted"> · {t('payments:card.expires', { expiry: card.expiry })}</span>
          </>
        ) : (
          t('profile:card.none')
        )}
      </p>
      {adding ? (
        <form onSubmit={submit} noValidate className={classes['form']}>
          <CardForm ref={handle} />
          {problem ? (
            <Notice
              tone="error"
              live
              title={problem.status === 429 ? t('payments:card.tooMany') : t('payments:card.refused')}
            >
              <CardProblem problem={problem} bankWords />
            </Notice>
          ) : null}
          <div className={classes['actions']}>
            <Button type="submit" loading={save.isPending}>
              {t('profile:card.save')}
            </Button>
            <Button
              variant="default"
              onClick={() => {
                save.reset();
                setAdding(false);
              }}
            >
              {t('common:action.cancel')}
            </Button>
          </div>
        </form>
      ) : (
        <div>
          <Button
            variant="default"
            onClick={() => {
              save.reset();
              setAdding(true);
            }}
          >
            {card ? t('payments:card.another') : t('profile:card.add')}
          </Button>
        </div>
      )}
    </section>
  );
}
