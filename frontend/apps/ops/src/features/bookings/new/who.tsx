import { NativeSelect, TextInput } from '@mantine/core';
import { api, type Caller, type DeskBooking, unwrap } from '@portage/api';
import { formatList, useLanguage } from '@portage/i18n';
import { DeskButton } from '@portage/kit/desk/button';
import { languageOrder } from '@portage/frame';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { PeopleList } from '../../../shell/people-list.tsx';
import { type SoughtBy, useKnownPeople } from '../../../shell/use-known-people.ts';
import formClasses from '../parts/form.module.css';
import { Group } from '../parts/move-fields.tsx';
import { useMoney } from '../parts/use-money.ts';
import { type Errors, fieldId } from './errors.ts';
import type { KnownCustomer } from './form.ts';
import classes from './new.module.css';

interface WhoProps {
  caller: Caller;
  known: KnownCustomer | null;
  errors: Errors;
  onCaller: (change: Partial<Caller>, known: KnownCustomer | null) => void;
}

/** Who is calling: a number, an address or a name that we know brings everything else. */
export function Who({ caller, known, errors, onCaller }: WhoProps) {
  const { t } = useTranslation(['order', 'person', 'common', 'record']);
  const language = useLanguage();
  const money = useMoney();
  const [by, setBy] = useState<SoughtBy | null>(null);
  const typed = by === 'name' ? `${caller.firstName} ${caller.lastName}` : by ? caller[by] : '';
  const { people, alone, failed } = useKnownPeople(known === null ? by : null, typed);

  const take = useMutation({
    mutationFn: (row: DeskBooking) => unwrap(api.GET('/bookings/{id}/customer', { params: { path: { id: row.id } } })),
    onSuccess: ({ customer, owes, total }, row) => {
      setBy(null);
      onCaller(
        {
          email: customer.email,
          firstName: customer.firstName,
          lastName: customer.lastName,
          phone: customer.phone || row.customerPhone,
          language: row.language,
        },
        { hasCard: customer.hasCard, moves: total, owes },
      );
    },
  });
  // a whole number or address that belongs to one person needs no press, as long as nothing else was typed
  const untyped = caller.firstName === '' && caller.lastName === '';
  const takeAlone = useEffectEvent(() => {
    if (alone && untyped && !take.isPending) take.mutate(alone);
  });
  useEffect(() => {
    takeAlone();
  }, [alone?.id]);

  const text = (field: Exclude<keyof Caller, 'language'>, type = 'text') => (
    <TextInput
      key={field}
      id={fieldId(field)}
      label={t(`person:${field}`)}
      type={type}
      // the browser would fill in the colleague's own
      autoComplete="off"
      spellCheck={false}
      value={caller[field]}
      error={errors[field]}
      onChange={(event) => {
        setBy(field === 'phone' || field === 'email' ? field : 'name');
        // another address is another customer
        onCaller({ [field]: event.currentTarget.value }, field === 'email' ? null : known);
      }}
      onKeyDown={(event) => {
        const [only] = people;
        if (event.key !== 'Enter' || !only || by !== field) return;
        event.preventDefault();
        take.mutate(only);
      }}
    />
  );
  const names = [text('firstName'), text('lastName')];
  return (
    <Group title={t('group.who')}>
      {text('phone', 'tel')}
      {text('email', 'email')}
      {/* a Chinese name begins with the family's */}
      {language === 'zh' ? names.reverse() : names}
      <NativeSelect
        id={fieldId('language')}
        label={t('person:language')}
        value={caller.language}
        error={errors['language']}
        onChange={(event) => onCaller({ language: event.currentTarget.value as Caller['language'] }, known)}
        data={languageOrder.map((value) => ({ value, label: t(`common:lang.${value}`) }))}
      />
      <div className={formClasses['wide']} role="status">
        {known ? (
          <p className={classes['known']}>
            <span>
              {t('who.known', {
                facts: formatList(
                  [
                    t('record:moves', { count: known.moves }),
                    known.hasCard ? t('who.cardOnFile') : t('who.noCard'),
                    ...(Number(known.owes) > 0 ? [t('record:owes', { amount: money(known.owes) })] : []),
                  ],
                  language,
                ),
              })}
            </span>
            <DeskButton
              variant="quiet"
              onClick={() => onCaller({ email: '', firstName: '', lastName: '', phone: '' }, null)}
            >
              {t('who.someoneElse')}
            </DeskButton>
          </p>
        ) : failed || take.isError ? (
          <p className="pg-help">{t('who.searchFailed')}</p>
        ) : people.length > 0 ? (
          <>
            <p className={formClasses['legend']}>{t('who.found')}</p>
            <PeopleList people={people} label={t('who.found')} busy={take.isPending} onChoose={take.mutate} />
          </>
        ) : (
          <p className="pg-help">{t('who.help')}</p>
        )}
      </div>
    </Group>
  );
}
