import { Loader, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { api, type GeoResult, unwrap } from '@portage/api';
import { currentLanguage } from '@portage/i18n';
import { BusyButton } from '@portage/kit';
import { IconMapPin, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import classes from './address-search.module.css';

interface AddressSearchProps {
  id: string;
  label: string;
  /** Kept by the form, so that nothing typed is lost. */
  text: string;
  onText: (text: string) => void;
  error: string | undefined;
  /** The person just pressed Change: the field they asked for takes the focus. */
  focusOnOpen?: boolean;
  onChoose: (result: GeoResult) => void;
  onManual: () => void;
}

export const shortestQuery = 3;
/** Whoever has not typed for so long, in milliseconds, waits for an answer; before, finding nothing is no news. */
const typingPause = 1200;

/**
 * One search line with suggestions from three characters on, 250 ms after the last one typed. A combobox with a list:
 * arrows choose, Enter takes, Escape closes; the first suggestion is one Enter away, also when Enter comes before the
 * suggestions do. What was suggested for a shorter text is never taken.
 */
export function AddressSearch({
  id,
  label,
  text,
  onText,
  error,
  focusOnOpen = false,
  onChoose,
  onManual,
}: AddressSearchProps) {
  const { t } = useTranslation(['address', 'common']);
  const list = useId();
  const [opened, setOpened] = useState(false);
  const [active, setActive] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (focusOnOpen) field.current?.focus();
  }, [focusOnOpen]);
  const [settled] = useDebouncedValue(text.trim(), 250);
  const [paused] = useDebouncedValue(text.trim(), typingPause);
  const asking = settled.length >= shortestQuery;
  const search = useQuery({
    queryKey: ['/geo/search', settled, currentLanguage()],
    enabled: asking,
    queryFn: ({ signal }) =>
      unwrap(api.GET('/geo/search', { params: { query: { q: settled, lang: currentLanguage() } }, signal })),
    staleTime: 5 * 60_000,
  });
  const results = asking ? (search.data?.data ?? []) : [];
  const waiting = text.trim().length >= shortestQuery && (text.trim() !== settled || search.isFetching);
  const shown = opened && results.length > 0;
  // Enter was pressed before the suggestions of this text were there
  const hurried = useRef<string | null>(null);
  // behind what was found stands the entry by hand: the button for it lies under the list
  const byHand = results.length;
  const at = Math.min(active, byHand);
  // who is at the last one stays there, however many are found meanwhile
  const activate = (index: number) => setActive(index === byHand ? Infinity : index);

  const status = waiting
    ? t('common:app.loading')
    : !asking
      ? ''
      : search.isError
        ? t('search.failed')
        : results.length === 0
          ? t('search.none')
          : t('search.found', { count: results.length });

  // a list that opens under the lower edge would be chosen from blindly
  useEffect(() => {
    if (shown) document.getElementById(list)?.scrollIntoView({ block: 'nearest' });
  }, [shown, list, results.length]);

  const take = (result: GeoResult) => {
    setOpened(false);
    onChoose(result);
  };
  const manual = () => {
    setOpened(false);
    onManual();
  };
  const first = results[0];
  useEffect(() => {
    if (waiting) return;
    const wanted = hurried.current;
    hurried.current = null;
    if (first && wanted === settled) take(first);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `take` is new in each render
  }, [waiting, settled, first]);
  // what is found then is offered; a failed search is asked for again only by the person
  const again = () => {
    field.current?.focus();
    setOpened(true);
    void search.refetch();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && results.length > 0) {
      event.preventDefault();
      setOpened(true);
      if (shown) activate((at + step + byHand + 1) % (byHand + 1));
    } else if (event.key === 'Enter') {
      // Enter never submits the form from here: the person is choosing an address
      event.preventDefault();
      const result = results[at];
      if (shown && at === byHand) manual();
      else if (waiting) hurried.current = text.trim();
      else if (search.isError) again();
      else if (shown && result) take(result);
    } else if (event.key === 'Escape' && shown) {
      event.preventDefault();
      setOpened(false);
      hurried.current = null;
    }
  };

  return (
    <div>
      <div className={classes['box']}>
        <TextInput
          id={id}
          label={label}
          placeholder={t('search.placeholder')}
          value={text}
          error={error}
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={shown}
          aria-controls={list}
          aria-activedescendant={shown ? `${list}-${at}` : undefined}
          ref={field}
          // browsers' own address lists would cover ours
          autoComplete="off"
          spellCheck={false}
          leftSection={<IconSearch size={18} stroke={1.75} aria-hidden />}
          rightSection={waiting ? <Loader size={18} /> : null}
          onChange={(event) => {
            onText(event.currentTarget.value);
            setActive(0);
            setOpened(true);
            hurried.current = null;
          }}
          onFocus={() => setOpened(true)}
          onBlur={() => {
            setOpened(false);
            hurried.current = null;
          }}
          onKeyDown={onKeyDown}
        />
        <div id={list} role="listbox" aria-label={label} className={classes['list']} hidden={!shown}>
          {shown ? (
            <>
              {results.map((result, index) => (
                <div
                  key={`${result.lat},${result.lon},${result.fullAddress}`}
                  id={`${list}-${index}`}
                  role="option"
                  tabIndex={-1}
                  aria-selected={index === at}
                  className={classes['option']}
                  // the field keeps the focus, so that typing can go on
                  onPointerDown={(event) => event.preventDefault()}
                  onPointerMove={() => setActive(index)}
                  onClick={() => take(result)}
                  onKeyDown={(event) => event.key === 'Enter' && take(result)}
                >
                  <IconMapPin size={18} stroke={1.75} aria-hidden />
                  <span>
                    <span className={classes['street']}>{result.street || result.city}</span>
                    <span className={classes['rest']}>
                      {[result.city, result.province, result.postalCode].filter(Boolean).join(' ')}
                    </span>
                  </span>
                </div>
              ))}
              <div
                id={`${list}-${byHand}`}
                role="option"
                tabIndex={-1}
                aria-selected={byHand === at}
                className={`${classes['option']} ${classes['byHand']}`}
                onPointerDown={(event) => event.preventDefault()}
                onPointerMove={() => activate(byHand)}
                onClick={manual}
                onKeyDown={(event) => event.key === 'Enter' && manual()}
              >
                {t('manual.open')}
              </div>
            </>
          ) : null}
        </div>
      </div>
      <p
        role="status"
        className={classes['status']}
        data-seen={(asking && !waiting && results.length === 0 && (search.isError || paused === settled)) || undefined}
      >
        {status}
      </p>
      {asking && search.isError ? (
        <div className={classes['again']}>
          <BusyButton variant="default" size="sm" loading={search.isFetching} onClick={again}>
            {t('common:action.retry')}
          </BusyButton>
        </div>
      ) : null}
      <button type="button" className={classes['manual']} onClick={onManual}>
        {t('manual.open')}
      </button>
    </div>
  );
}
