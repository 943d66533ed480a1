import type { AuditEntry } from '@portage/api';
import { useTranslation } from 'react-i18next';

/** What the program writes into the trail. */
const actions = [
  'absence.add',
  'absence.remove',
  'accounting.export',
  'account.claim',
  'account.create',
  'account.desk',
  'account.disable',
  'account.enable',
  'account.follow',
  'account.merge',
  'account.provision',
  'aged.export',
  'booking.cancel',
  'booking.card_link',
  'booking.confirmation',
  'booking.create',
  'booking.credit',
  'booking.crew',
  'booking.dispute',
  'booking.edit',
  'booking.export',
  'booking.hand_over',
  'booking.link',
  'booking.note',
  'booking.overtime',
  'booking.pay',
  'booking.receive',
  'booking.retry_charge',
  'booking.status',
  'booking.undo_payment',
  'booking.void_charge',
  'booking.write_off',
  'calendar.day',
  'calendar.follow_week',
  'calendar.load',
  'calendar.week',
  'card.store',
  'catalogue.export',
  'catalogue.import',
  'comparison.start',
  'crew.accept',
  'crew.decline',
  'crew.finish',
  'crew.start',
  'difference.repair',
  'discount.add',
  'discount.promised',
  'discount.remove',
  'discount.update',
  'email.ask',
  'email.change',
  'email.resend',
  'email.verify',
  'feed.make',
  'feed.revoke',
  'first_steps.prices',
  'grant.revoke',
  'installation.adopt',
  'invoice.credit_note',
  'invoice.discard',
  'invoice.draft',
  'invoice.edit',
  'invoice.export',
  'invoice.follow',
  'invoice.issue',
  'invoice.receive',
  'invoice.send',
  'invoice.void',
  'job.drop',
  'job.retry',
  'journal.export',
  'logo.add',
  'machine_client.create',
  'mate.add',
  'mate.update',
  'member.add',
  'member.remove',
  'member.update',
  'month.close',
  'month.reopen',
  'partner.add',
  'partner.update',
  'password.change',
  'password.forgot',
  'password.reset',
  'photo.create',
  'photo.delete',
  'photo.purge',
  'profile.update',
  'quote.save',
  'quote_request.ask',
  'quote_request.update',
  'rate.begin',
  'rate.load',
  'rate.remove',
  'session.begin',
  'session.end',
  'session.token_reused',
  'settings.change',
  'tip.update',
  'truck.add',
  'truck.update',
  'trust.export',
  'view.add',
  'view.remove',
  'view.update',
] as const;
const subjects = [
  'absence',
  'account',
  'accounting',
  'aged',
  'booking',
  'calendar',
  'card',
  'catalogue',
  'comparison',
  'crew',
  'difference',
  'discount',
  'feed',
  'first_steps',
  'grant',
  'installation',
  'invoice',
  'job',
  'journal',
  'machine_client',
  'mate',
  'member',
  'month',
  'partner',
  'photo',
  'profile',
  'quote',
  'quote_request',
  'rate',
  'session',
  'settings',
  'tip',
  'truck',
  'trust',
  'view',
] as const;

/** What is told by its own name and is about an account. */
const ofAccounts = new Set(['email', 'password']);

/** The number of a booking, also of one that is gone where the entry has kept what it was. */
function shortIdOf({ subjectNumber, before, after }: AuditEntry): string | null {
  if (subjectNumber) return subjectNumber;
  for (const side of [after, before] as unknown[])
    if (typeof side === 'object' && side !== null && 'shortId' in side && typeof side.shortId === 'string')
      return side.shortId;
  return null;
}

/** What was done to what, in words; what a newer server adds stands as it wrote it. */
export function useAuditWords() {
  const { t } = useTranslation('audit');
  return {
    /** Kinds of records, to choose from. */
    subjects: subjects.map((value) => ({ value, label: t(`subject.${value}`) })),
    action: ({ action }: AuditEntry) => {
      const known = actions.find((one) => one === action);
      return known ? t(`action.${known}`) : action;
    },
    subject: (entry: AuditEntry) => {
      const { subjectKind } = entry;
      const known = subjects.find((one) => one === (ofAccounts.has(subjectKind) ? 'account' : subjectKind));
      const kind = known ? t(`subject.${known}`) : subjectKind;
      const code = shortIdOf(entry);
      return code ? `${kind} ${code}` : kind;
    },
  };
}
