import { type DateRange, RangeField, RangePanel } from '@portage/kit/desk/dates';
import { useState } from 'react';

import { Example } from '../example.tsx';
import { today } from '../sample.ts';
import { useSay } from '../say.ts';
import classes from './list.module.css';

export function Dates() {
  const say = useSay();
  const [range, setRange] = useState<DateRange | null>({ from: '2027-06-28', to: '2027-07-05' });
  const [other, setOther] = useState<DateRange | null>('thisMonth');
  const [none, setNone] = useState<DateRange | null>(null);
  return (
    <>
      <Example title={say('Panel', 'Panneau', '面板')}>
        <div className={`${classes['box']} ${classes['padded']}`}>
          <RangePanel value={range} onChange={setRange} today={today} max="2027-07-25" />
        </div>
      </Example>
      <Example title={say('Fields', 'Champs', '输入框')}>
        <div className={classes['buttons']}>
          <RangeField label={say('Moves', 'Déménagements', '搬家日')} value={other} onChange={setOther} today={today} />
          <RangeField
            label={say('Absence', 'Absence', '缺勤')}
            value={none}
            onChange={setNone}
            today={today}
            error={none ? undefined : say('Choose the days.', 'Choisissez les jours.', '请选择日期。')}
          />
        </div>
      </Example>
    </>
  );
}
