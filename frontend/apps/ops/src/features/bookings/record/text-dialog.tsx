import { NativeSelect, TextInput } from '@mantine/core';
import { api, asProblem, type DeskBooking, type TextRejection, unwrap } from '@portage/api';
import { Dialog, ErrorState, Notice } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { showToast } from '@portage/kit/desk/toasts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { useTypeName } from '../../../shell/messages/type-name.ts';
import { textPreviewQuery } from './queries.ts';
import classes from './record.module.css';
import { usePress } from './use-press.ts';

const deliveries: readonly string[] = ['itemDelivery', 'curbside', 'whiteGlove'];
const ofDelivery = [
  'deliveryScheduled',
  'deliveryOnTheWay',
  'deliveryArriving',
  'deliveryCompleted',
  'deliveryFailed',
  'paymentFailed',
] as const;
const ofMove = ['moveReminder', 'paymentFailed'] as const;
/** Texts that say who comes: nobody but staff knows that now. */
const namesMate: readonly string[] = ['deliveryOnTheWay', 'deliveryArriving'];

/** Texts of a delivery that is over. */
const ended: readonly string[] = ['deliveryCompleted', 'deliveryFailed'];

/** The texts that are true of a booking now: nobody is reminded of a move that was cancelled. */
export function textsOf(booking: DeskBooking): string[] {
  const isToCome = booking.status === 'pending' || booking.status === 'assigned';
  const kinds: readonly string[] = deliveries.includes(booking.moveType) ? ofDelivery : ofMove;
  return kinds.filter((kind) => (kind === 'paymentFailed' ? booking.paymentProblem : isToCome || ended.includes(kind)));
}

interface TextDialogProps {
  booking: DeskBooking;
  onClose: () => void;
}

/** One of the company's texts to the customer, with what it will say. Night and a STOP hold for it as for any other. */
export function TextDialog({ booking, onClose }: TextDialogProps) {
  const { t } = useTranslation(['record', 'common', 'shell']);
  const nameOf = useTypeName();
  const kinds = textsOf(booking);
  const [kind, setKind] = useState(kinds[0] ?? '');
  const [mate, setMate] = useState(booking.crew?.[0]?.name ?? '');
  const [refused, setRefused] = useState<TextRejection | null>(null);
  const preview = useQuery(textPreviewQuery(booking.id, kind, booking.language));
  const asksMate = namesMate.includes(kind);
  const { press, renew } = usePress(
    async (key) => {
      const { rejected } = await unwrap(
        api.POST('/sms/send', {
          params: { header: { 'Idempotency-Key': key } },
          body: {
            data: [
              {
                message_type: kind,
                bookingId: booking.id,
                ...(asksMate ? { delivery: { mate_name: mate.trim() } } : {}),
              },
            ],
          },
        }),
      );
      return rejected[0]?.code ?? null;
    },
    (why) => {
      if (why) {
        setRefused(why as TextRejection);
        return;
      }
      showToast({ text: t('text.done') });
      onClose();
    },
  );
  const change = () => {
    setRefused(null);
    renew();
  };
  return (
    <Dialog
      opened
      title={t('text.title', { name: booking.customerName })}
      onClose={onClose}
      actions={
        <>
          <DeskButton onClick={onClose}>{t('common:action.cancel')}</DeskButton>
          <DeskButton
            variant="primary"
            disabled={asksMate && mate.trim() === ''}
            busy={press.isPending}
            onClick={() => {
              // what was refused is asked for anew; what nobody answered for, once more
              if (refused) change();
              press.mutate();
            }}
          >
            {t('text.run')}
          </DeskButton>
        </>
      }
    >
      <div className={classes['form']}>
        <NativeSelect
          label={t('text.kind')}
          value={kind}
          onChange={(event) => {
            setKind(event.currentTarget.value);
            change();
          }}
          data={kinds.map((value) => ({ value, label: nameOf(value) }))}
        />
        {asksMate ? (
          <TextInput
            label={t('text.mate')}
            required
            withAsterisk={false}
            description={t('shell:field.needed')}
            value={mate}
            maxLength={120}
            autoComplete="off"
            onChange={(event) => {
              setMate(event.currentTarget.value);
              change();
            }}
          />
        ) : null}
        {preview.data ? (
          <figure className={classes['saying']}>
            <figcaption>{preview.data.isSample ? t('text.sample') : t('text.says')}</figcaption>
            <blockquote lang={booking.language}>{preview.data.text}</blockquote>
          </figure>
        ) : null}
        {preview.isError ? <ErrorState failure={asProblem(preview.error)} title={t('text.unread')} /> : null}
        <p className="pg-help">{t('text.byDay')}</p>
        {refused ? (
          <Notice tone="error" live title={t('text.failed')}>
            {t(`text.why.${refused}`)}
          </Notice>
        ) : null}
        {press.isError ? <ErrorState led failure={asProblem(press.error)} title={t('text.failed')} /> : null}
      </div>
    </Dialog>
  );
}
