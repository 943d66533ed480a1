import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import type { PriceLine, SelectedFurniture } from '@portage/api';
import { type PlaceCategory, placeCategories } from '@portage/domain';
import { formatItems, useLanguage } from '@portage/i18n';
import { leadBeside } from '@portage/kit';
import { CheckBox, DeskButton } from '@portage/kit/desk/button';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';

import classes from '../parts/form.module.css';
import { Group, useFieldName, useMoveFields } from '../parts/move-fields.tsx';
import type { MoveEnd, Side } from '../parts/move-ends.ts';
import { type ChangeErrors, fieldId } from './errors.ts';
import type { ChangeForm, FeeForm } from './form.ts';
import { useChangeName } from './names.ts';
import { Place } from './place.tsx';
import { What } from './what.tsx';

interface FieldsProps {
  form: ChangeForm;
  /** The record as it is saved. */
  base: ChangeForm;
  /** The lines of the price of what stands in the form, once they are known. */
  lines: readonly PriceLine[] | null;
  errors: ChangeErrors;
  onForm: (change: Partial<ChangeForm>) => void;
  onItems: (change: (items: SelectedFurniture[]) => SelectedFurniture[]) => void;
  fee: FeeForm;
  onFee: (change: Partial<FeeForm>) => void;
}

/** What an end is asked again when it moves: whatever belongs to the house and has a value in any case. */
const doors = { floor: 'Floor', elevators: 'HasElevator', parking: 'HasParking', access: 'Accessibility' } as const;
type Door = keyof typeof doors;
const doorNames = Object.keys(doors) as Door[];
const keyOf = (side: Side, door: Door) => `${side}${doors[door]}` as const;

/** The fields of a change, in the order in which a caller says them. */
export function Fields({ form, base, lines, errors, onForm, onItems, fee, onFee }: FieldsProps) {
  const { t } = useTranslation(['change', 'domain', 'bookings']);
  /** Fields that somebody has said something for, also when it is what stood there before. */
  const [said, setSaid] = useState<ReadonlySet<string>>(new Set());
  const say = (change: Partial<ChangeForm>) => {
    setSaid((now) => new Set([...now, ...Object.keys(change)]));
    onForm(change);
  };
  const { text, flag, access } = useMoveFields({ form, onForm: say, errorOf: (key) => errors[key], idOf: fieldId });
  const name = useFieldName();
  const end = (side: Side) => {
    const keys = doorNames.map((door): string => keyOf(side, door));
    return (
      <End
        side={side}
        form={form}
        base={base}
        errors={errors}
        onForm={onForm}
        unsaid={doorNames.filter((door) => !said.has(keyOf(side, door)))}
        onSame={() => setSaid((now) => new Set([...now, ...keys]))}
        onElsewhere={() => setSaid((now) => new Set([...now].filter((key) => !keys.includes(key))))}
      >
        {access(side)}
      </End>
    );
  };
  return (
    <>
      <Group title={t('group.when')}>
        {text('date', 'date')}
        {text('time', 'time', { step: 1800 })}
      </Group>
      <Group title={t('group.crew')}>
        {text('mateCount', 'number', { min: 1, max: 20 })}
        <div className={classes['flags']}>
          {flag('rideAlong')}
          {flag('clientAsMate')}
          {flag('justMates')}
        </div>
      </Group>
      {end('pickup')}
      {end('dropoff')}
      <What form={form} lines={lines} errors={errors} onForm={onForm} onItems={onItems} />
      <Group title={t('group.words')}>
        <div className={classes['wide']}>
          <Textarea
            id={fieldId('comments')}
            label={name('comments')}
            value={form.comments}
            error={errors.comments}
            autosize
            minRows={2}
            maxRows={8}
            maxLength={2000}
            onChange={(event) => onForm({ comments: event.currentTarget.value })}
          />
        </div>
        {text('discountCode')}
      </Group>
      <Group title={t('group.fee')}>
        <TextInput
          id={fieldId('amount')}
          label={t('field.amount')}
          description={t('field.amountHelp')}
          inputMode="decimal"
          value={fee.amount}
          error={errors.amount}
          onChange={(event) => onFee({ amount: event.currentTarget.value })}
        />
        <div className={classes['flags']}>
          <CheckBox
            label={t('field.customersWish')}
            labelShown
            checked={fee.customersWish}
            onChange={(on) => onFee({ customersWish: on, ...(on ? {} : { waiveFee: false }) })}
          />
          <p className="pg-help">{t('field.customersWishHelp')}</p>
          <CheckBox
            label={t('field.waiveFee')}
            labelShown
            checked={fee.waiveFee}
            onChange={(on) => onFee({ waiveFee: on })}
          />
        </div>
      </Group>
    </>
  );
}

interface EndProps extends Pick<FieldsProps, 'form' | 'base' | 'errors' | 'onForm'> {
  side: Side;
  /** What nobody has said anything for, since the address is another one. */
  unsaid: readonly Door[];
  /** It is the same at the new address. */
  onSame: () => void;
  /** Once more another address: what was said is of the one before. */
  onElsewhere: () => void;
  /** The fields of its doors. */
  children: ReactNode;
}

/** One end: where it is, what kind of place, and how one gets in. */
function End({ side, form, base, errors, onForm, unsaid, onSame, onElsewhere, children }: EndProps) {
  const { t } = useTranslation(['change', 'domain']);
  const language = useLanguage();
  const name = useChangeName();
  const category = `${side}Category` as const;
  const elsewhere = (end: MoveEnd) => end.place?.address.fullAddress !== form[side].place?.address.fullAddress;
  const moved = base[side].place?.address.fullAddress !== form[side].place?.address.fullAddress;
  return (
    <Group title={t(`group.${side}`)}>
      <div className={classes['wide']}>
        <Place
          id={fieldId(side)}
          end={form[side]}
          before={base[side]}
          error={errors[side]}
          onEnd={(end) => {
            // what was typed before the first other address was meant for it
            if (moved && form[side].place !== null && elsewhere(end)) onElsewhere();
            onForm({
              [side]: end,
              // an apartment and its doorbell belong to their house
              ...(elsewhere(end) ? { [`${side}AptUnit`]: '', [`${side}Details`]: '' } : {}),
            });
          }}
        />
        {moved && unsaid.length > 0 ? (
          <div className={classes['taken']}>
            <p className="pg-help">
              {t('end.askAgain', {
                fields: formatItems(
                  unsaid.map((door) => t(`end.${door}`)),
                  language,
                ),
              })}
            </p>
            <DeskButton
              variant="quiet"
              onClick={(event) => {
                leadBeside(event.currentTarget);
                onSame();
              }}
            >
              {t('end.same')}
            </DeskButton>
          </div>
        ) : null}
      </div>
      <NativeSelect
        id={fieldId(category)}
        label={name(category)}
        value={form[category]}
        error={errors[category]}
        onChange={(event) => onForm({ [category]: event.currentTarget.value as PlaceCategory })}
        data={[
          // what was said once can be another kind, but not unsaid
          ...(base[category] === '' ? [{ value: '', label: t('end.noCategory') }] : []),
          ...placeCategories.map((value) => ({ value, label: t(`domain:category.${value}`) })),
        ]}
      />
      {children}
    </Group>
  );
}
