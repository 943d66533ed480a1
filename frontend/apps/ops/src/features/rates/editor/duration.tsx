import type { MoveKind } from '@portage/api';
import { CheckBox, DeskButton } from '@portage/kit/desk/button';
import { useTranslation } from 'react-i18next';

import { Group } from '../../../shell/catalogue/record-form.tsx';
import { addEntry, removeEntry, removePart, setPart } from '../card/draft.ts';
import { durationOf } from '../card/figures.ts';
import { getAt, removeAt, setAt, textOf } from '../card/paths.ts';
import { fieldIdOf } from '../card/places.ts';
import classes from '../rates.module.css';
import { AddTyped } from './add-entry.tsx';
import { useCard } from './context.ts';
import { FigureField, FigureFields } from './figure-field.tsx';

const crew = 'duration.crew_efficiency_bp';
const items = 'duration.min_heads_by_item';
const support = 'duration.support_only_items';

/** How belongings and access turn into minutes. */
export function Duration() {
  const { t } = useTranslation(['rates', 'domain']);
  const { draft, card, change } = useCard();
  const figures = durationOf(draft.card);
  const lastHeads = Math.max(0, ...figures.heads.map(({ of }) => Number(of)));
  const supported = figures.support.map(({ path }) => textOf(getAt(card, path)));
  return (
    <>
      <p className="pg-help">{t('duration.help')}</p>
      <Group title={t('group.times')}>
        <FigureFields figures={figures.plain} />
      </Group>
      <Group title={t('group.access')}>
        <FigureFields figures={figures.access} />
      </Group>
      <Group title={t('group.crew')}>
        <p className={`pg-help ${classes['wide']}`}>{t('crew.help')}</p>
        <FigureFields figures={figures.heads} />
        <div className={`${classes['wide']} ${classes['buttons']}`}>
          <DeskButton
            onClick={() =>
              change(crew, (now) =>
                setPart(now, `${crew}.${lastHeads + 1}`, getAt(card, `${crew}.${lastHeads}`) ?? 10_000),
              )
            }
          >
            {t('crew.add')}
          </DeskButton>
          {lastHeads > 1 ? (
            <DeskButton variant="quiet" onClick={() => change(crew, (now) => removePart(now, `${crew}.${lastHeads}`))}>
              {t('crew.remove')}
            </DeskButton>
          ) : null}
        </div>
      </Group>
      <Group title={t('group.items')}>
        {figures.items.map((figure) => (
          <div key={figure.path} className={classes['minimum']}>
            <FigureField figure={figure} />
            <DeskButton
              variant="quiet"
              aria-label={t('entry.removeNamed', { name: figure.of })}
              onClick={() => change(figure.path, (now) => removePart(now, figure.path))}
            >
              {t('entry.remove')}
            </DeskButton>
          </div>
        ))}
        <AddTyped
          label={t('items.key')}
          addLabel={t('items.add')}
          taken={figures.items.map(({ of = '' }) => of)}
          onAdd={(key) => change(items, (now) => setPart(now, `${items}.${key}`, 3))}
        />
      </Group>
      <Group title={t('group.support')}>
        {figures.support.map((figure, index) => (
          <div key={figure.path} className={classes['minimum']}>
            <FigureField figure={figure} />
            <DeskButton
              variant="quiet"
              aria-label={t('entry.removeNamed', { name: supported[index] })}
              onClick={() => change(support, (now) => removeEntry(now, support, index))}
            >
              {t('entry.remove')}
            </DeskButton>
          </div>
        ))}
        <AddTyped
          label={t('support.key')}
          addLabel={t('support.add')}
          taken={supported}
          onAdd={(key) => change(support, (now) => addEntry(now, support, key))}
        />
      </Group>
      {figures.kinds.map(({ moveKind, figures: ofKind }) => (
        <Group key={moveKind} title={t(`domain:moveKind.${moveKind}`)}>
          <FigureFields figures={ofKind} />
          <Flag kind={moveKind} flag="assembly" />
          <Flag kind={moveKind} flag="curbside" />
        </Group>
      ))}
    </>
  );
}

/** What holds for a kind of move, or does not. */
function Flag({ kind, flag }: { kind: MoveKind; flag: 'assembly' | 'curbside' }) {
  const { t } = useTranslation('rates');
  const { draft, errors, change } = useCard();
  const path = `duration.kinds.${kind}.${flag}`;
  return (
    <div id={fieldIdOf(path)} tabIndex={-1} className={classes['flag']}>
      <CheckBox
        label={t(`flag.${flag}`)}
        labelShown
        checked={getAt(draft.card, path) === true}
        onChange={(on) =>
          change(path, (now) => ({
            ...now,
            // what is not left at the curb is not in the card
            card: on || flag === 'assembly' ? setAt(now.card, path, on) : removeAt(now.card, path),
          }))
        }
      />
      {errors[path] ? <p className="pg-error">{errors[path]}</p> : null}
    </div>
  );
}
