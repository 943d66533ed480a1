import { useTranslation } from 'react-i18next';

import { useHubName } from '../../shell/hubs.ts';
import { useField } from './context.ts';
import type { Key } from './fields.ts';
import { useWords } from './labels.ts';
import { LeafInput } from './leaf-input.tsx';
import { LogoField } from './logo-field.tsx';
import { Provinces } from './provinces.tsx';
import { FieldSource, Part, Setting } from './setting.tsx';
import classes from './settings.module.css';
import type { Group } from './types.ts';

type PartKey = 'name' | 'reach' | 'numbers' | 'charges' | 'changes' | 'tries' | 'tip' | 'day' | 'promise' | 'ahead';

/** What stands together on the page of a group, in its order. */
const parts: Record<Group, readonly { key: PartKey; names: readonly Key[] }[]> = {
  company: [
    { key: 'name', names: ['name', 'address'] },
    { key: 'reach', names: ['supportEmail', 'supportPhone'] },
    { key: 'numbers', names: ['gstNumber', 'qstNumber', 'neq'] },
  ],
  policy: [
    { key: 'charges', names: ['deposit', 'freeWindow', 'lockWindow', 'minGapBetweenCharges'] },
    { key: 'changes', names: ['changeFee', 'changeFeeMode'] },
    { key: 'tries', names: ['depositRetry', 'balanceRetry', 'otherRetry', 'autoRelease'] },
    { key: 'tip', names: ['tipDelay'] },
  ],
  scheduling: [
    {
      key: 'day',
      names: ['opens', 'closes', 'stepMinutes', 'lateStartUntil', 'latestEnd', 'latestEndLongDistance'],
    },
    { key: 'promise', names: ['windowMinutes'] },
    { key: 'ahead', names: ['minLeadMinutes', 'nextDayCutoff', 'horizonDays'] },
  ],
};

/** Everything that can be set in a group. */
export function GroupFields({ group }: { group: Group }) {
  const { t } = useTranslation('settings');
  return (
    <>
      {parts[group].map(({ key, names }) => (
        <Part key={key} title={t(`part.${key}`)}>
          <div className={classes['fields']}>
            {names.map((name) => (
              <Setting key={name} name={name} />
            ))}
          </div>
        </Part>
      ))}
      {group === 'company' ? (
        <>
          <LogoField />
          <ReplyTo />
        </>
      ) : null}
      {group === 'policy' ? (
        <>
          <Retention />
          <Provinces />
        </>
      ) : null}
    </>
  );
}

/** Where answers to our e-mails go, by hub. */
function ReplyTo() {
  const words = useWords();
  const hubName = useHubName();
  const { name, key, leaves } = useField('replyTo');
  return (
    <Part title={words.label(key)} help={words.help(key)}>
      <div className={classes['fields']}>
        {leaves.map((leaf) => (
          <LeafInput key={leaf.path} leaf={leaf} label={hubName(leaf.path.split('.')[1] ?? '')} plain />
        ))}
      </div>
      <FieldSource name={name} />
    </Part>
  );
}

/** What a cancellation keeps, where a province has no rule of its own. */
function Retention() {
  const words = useWords();
  const { name, key, leaves } = useField('retention');
  return (
    <Part title={words.label(key)} help={words.help(key)}>
      <div className={classes['fields']}>
        {leaves.map((leaf) => (
          <LeafInput key={leaf.path} leaf={leaf} />
        ))}
      </div>
      <FieldSource name={name} />
    </Part>
  );
}
