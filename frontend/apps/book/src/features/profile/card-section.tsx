import { Button } from '@mantine/core';
import type { OwnProfile } from '@portage/api';
import { FormShell, useFormShell } from '@portage/forms';
import { rememberCard } from '@portage/frame';
import { leadToWhatComes, Notice } from '@portage/kit';
import { type CardHandle, CardProblem, storeCard, useCardName } from '@portage/payments';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';

import { CardForm } from '../../shell/card-form.tsx';
import classes from './profile.module.css';

/** The card that is charged, and the form for another one. Charges that were declined are tried again with it at once. */
export function CardSection({ profile }: { profile: OwnProfile }) {
  const { t } = useTranslation(['profile', 'common', 'payments']);
  const cardName = useCardName();
  const [adding, setAdding] = useState(false);
  const [saved, setSaved] = useState(false);
  const { card } = profile.wallet;
  const title = useRef<HTMLHeadingElement>(null);
  return (
    <section aria-labelledby="settings-card" className={classes['section']}>
      <h2 id="settings-card" ref={title} tabIndex={-1}>
        {t('payments:card.title')}
      </h2>
      {saved && !adding ? (
        <Notice tone="success" live led>
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
        <OtherCard
          profile={profile}
          onDone={(done) => {
            setSaved(done);
            setAdding(false);
          }}
        />
      ) : (
        <div>
          <Button
            variant="default"
            onClick={() => {
              setSaved(false);
              setAdding(true);
              // the button is gone, and the fields are in the gateway's frames: the heading takes the focus
              title.current?.focus();
            }}
          >
            {card ? t('payments:card.another') : t('profile:card.add')}
          </Button>
        </div>
      )}
    </section>
  );
}

/** The fields are the gateway's: it checks them itself when it is asked for a nonce. */
const schema = z.object({});

function OtherCard({ profile, onDone }: { profile: OwnProfile; onDone: (saved: boolean) => void }) {
  const { t } = useTranslation(['profile', 'common', 'payments']);
  const handle = useRef<CardHandle | null>(null);
  const shell = useFormShell({
    schema,
    defaultValues: {},
    labels: {},
    send: async () => rememberCard(await storeCard(profile, (await handle.current?.tokenise()) ?? '')),
    onTaken: () => onDone(true),
  });
  return (
    <FormShell
      shell={shell}
      size="md"
      submitLabel={t('profile:card.save')}
      renderRefusal={(problem) => (
        <Notice
          tone="error"
          live
          title={problem.status === 429 ? t('payments:card.tooMany') : t('payments:card.refused')}
        >
          <CardProblem problem={problem} />
        </Notice>
      )}
      actions={
        <Button
          variant="default"
          onClick={(event) => {
            leadToWhatComes(event.currentTarget);
            onDone(false);
          }}
        >
          {t('common:action.cancel')}
        </Button>
      }
    >
      <CardForm ref={handle} />
    </FormShell>
  );
}
