import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type Address, api, asProblem, type GeoResult, unwrap } from '@portage/api';
import { currentLanguage } from '@portage/i18n';
import { ErrorState } from '@portage/kit';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { type ByHand, isComplete, isPostalCode, type Place, postalCodeFits, toAddress, toArea } from './address.ts';
import classes from './manual-address.module.css';

const provinces = ['QC', 'ON', 'BC', 'AB', 'MB', 'NB', 'NL', 'NS', 'NT', 'NU', 'PE', 'SK', 'YT'];

async function search(q: string): Promise<GeoResult | undefined> {
  const { data } = await unwrap(api.GET('/geo/search', { params: { query: { q, lang: currentLanguage() } } }));
  return data[0];
}

/**
 * Puts a typed address on the map. When the street is unknown the postal code or the town stands in for distance and
 * service area, and the place is marked as rough: the words stay as the person wrote them.
 */
async function locate(address: Address): Promise<Place | null> {
  const exact = await search(address.fullAddress);
  if (exact && isComplete(toAddress(exact))) {
    return { address: { ...toAddress(exact) }, coords: { lat: exact.lat, lon: exact.lon }, area: toArea(exact) };
  }
  const rough =
    (await search(`${address.postalCode} ${address.city}`)) ?? (await search(`${address.city}, ${address.province}`));
  if (!rough) return null;
  return { address, coords: { lat: rough.lat, lon: rough.lon }, area: toArea(rough, false) };
}

interface ManualAddressProps {
  id: string;
  /** What was typed so far, kept by the form so that nothing of it is lost. */
  values: ByHand;
  onChange: (values: ByHand) => void;
  /** The form was refused because of this address. */
  error: boolean;
  onDone: (place: Place) => void;
  onCancel: () => void;
}

/** The address field by field, for those the search does not know. */
export function ManualAddress({ id, values, onChange, error, onDone, onCancel }: ManualAddressProps) {
  const { t } = useTranslation(['address', 'common']);
  const [checked, setChecked] = useState(false);
  const set = (name: keyof ByHand) => (event: { currentTarget: { value: string } }) =>
    onChange({ ...values, [name]: event.currentTarget.value });
  const postal = values.postalCode
    .trim()
    .toUpperCase()
    .replace(/^(\w{3})\s?(\w{3})$/, '$1 $2');
  const address: Address = {
    country: 'Canada',
    province: values.province,
    postalCode: postal,
    city: values.city.trim(),
    street: values.street.trim(),
    unit: '',
    fullAddress: `${values.street.trim()}, ${values.city.trim()}, ${values.province} ${postal}, Canada`,
  };
  const place = useMutation({ mutationFn: locate, onSuccess: (found) => found && onDone(found) });

  const streetBad = checked && !(/^\d/.test(address.street) && /\p{L}/u.test(address.street));
  const cityBad = checked && address.city === '';
  const postalBad = checked && !(isPostalCode(postal) && postalCodeFits(postal, values.province));
  const submit = () => {
    setChecked(true);
    if (isComplete(address)) place.mutate(address);
    else document.getElementById(streetBad || !/^\d/.test(address.street) ? id : `${id}-postal`)?.focus();
  };

  return (
    <fieldset className={classes['root']}>
      <legend className={classes['legend']}>{t('manual.title')}</legend>
      <TextInput
        id={id}
        label={t('manual.street')}
        description={t('manual.streetHelp')}
        autoComplete="street-address"
        value={values.street}
        onChange={set('street')}
        error={streetBad ? t('manual.streetError') : undefined}
      />
      <div className={classes['pair']}>
        <TextInput
          label={t('manual.city')}
          autoComplete="address-level2"
          value={values.city}
          onChange={set('city')}
          error={cityBad ? t('common:form.required', { p1: t('manual.city') }) : undefined}
        />
        <NativeSelect
          label={t('manual.province')}
          autoComplete="address-level1"
          data={provinces}
          value={values.province}
          onChange={set('province')}
        />
      </div>
      <TextInput
        id={`${id}-postal`}
        label={t('manual.postalCode')}
        description={t('manual.postalCodeHelp')}
        autoComplete="postal-code"
        autoCapitalize="characters"
        value={values.postalCode}
        onChange={set('postalCode')}
        error={postalBad ? t('common:form.invalid', { p1: t('manual.postalCode') }) : undefined}
        maw={280}
      />
      {(checked && !isComplete(address)) || error ? <p className="pg-error">{t('address.incomplete')}</p> : null}
      {place.isError ? <ErrorState failure={asProblem(place.error)} onRetry={submit} /> : null}
      {place.isSuccess && place.data === null ? <p className="pg-error">{t('search.none')}</p> : null}
      <div className={classes['actions']}>
        <Button onClick={submit} loading={place.isPending}>
          {t('manual.use')}
        </Button>
        <Button variant="subtle" color="spruce" onClick={onCancel}>
          {t('manual.close')}
        </Button>
      </div>
    </fieldset>
  );
}
