import { type MoveKind, moveKinds } from '@portage/api';
import { CheckBox } from '@portage/kit/desk/button';
import { useTranslation } from 'react-i18next';

import { Group } from '../../../shell/catalogue/record-form.tsx';
import { setPart } from '../card/draft.ts';
import { bySize, rateFigures } from '../card/figures.ts';
import { getAt, type Json } from '../card/paths.ts';
import classes from '../rates.module.css';
import { useCard } from './context.ts';
import { FigureFields } from './figure-field.tsx';

/** The rates of a place, everywhere or in one province. */
export function RateFields({ place }: { place: string }) {
  const { t } = useTranslation('rates');
  const { draft } = useCard();
  const figures = rateFigures(draft.card, place);
  return (
    <>
      {place === 'default' ? null : <p className="pg-help">{t('province.help')}</p>}
      <Group title={t('group.hourly')}>
        <FigureFields figures={figures.hourly} />
      </Group>
      <Group title={t('group.truck')}>
        <FigureFields figures={figures.truck} />
      </Group>
      <Group title={t('group.way')}>
        <FigureFields figures={figures.way} />
      </Group>
      <Group title={t('group.overtime')}>
        <FigureFields figures={figures.overtime} />
      </Group>
      <Group title={t('group.minimum')}>
        {moveKinds.map((kind) => (
          <Minimum key={kind} place={place} kind={kind} />
        ))}
      </Group>
      <Group title={t('group.services')}>
        <p className={`pg-help ${classes['wide']}`}>
          {t(place === 'default' ? 'services.help' : 'services.provinceHelp')}
        </p>
        <FigureFields figures={figures.services} />
      </Group>
    </>
  );
}

/** The least time of a kind of move: one figure, or one for each size. */
function Minimum({ place, kind }: { place: string; kind: MoveKind }) {
  const { t } = useTranslation(['rates', 'domain']);
  const { draft, card, change } = useCard();
  const path = `rates.${place}.minimum_billed_min.${kind}`;
  const sized = bySize(draft.card, path);
  const figures = rateFigures(draft.card, place).minimum.filter(({ moveKind }) => moveKind === kind);
  const set = (on: boolean) => {
    const now = getAt(card, path) ?? getAt(card, `rates.default.minimum_billed_min.${kind}`) ?? 0;
    const value: Json = on ? (Array.isArray(now) ? now : [now, now, now]) : Array.isArray(now) ? (now[0] ?? 0) : now;
    change(path, (before) => setPart(before, path, value));
  };
  return (
    <div className={classes['minimum']} role="group" aria-label={t(`domain:moveKind.${kind}`)}>
      <FigureFields figures={figures} />
      <CheckBox label={t('minimum.bySize')} labelShown checked={sized} onChange={set} />
    </div>
  );
}
