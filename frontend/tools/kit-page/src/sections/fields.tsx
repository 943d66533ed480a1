import {
  CheckboxField,
  ChoiceField,
  ChoiceGroup,
  QuantityField,
  QuantityStepper,
  SelectField,
  TextAreaField,
  TextField,
} from '@portage/kit';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';

import { Example } from '../example.tsx';
import { useSay } from '../say.ts';
import classes from './fields.module.css';

interface Values {
  name: string;
  note: string;
  floor: string;
  agreed: boolean;
  parking: string;
  mates: number;
}
const names = ['name', 'note', 'floor', 'agreed', 'parking', 'mates'] as const;
const filled: Values = {
  name: 'Jean-Philippe Beauchemin-Larocque',
  note: '',
  floor: '3',
  agreed: true,
  parking: 'near',
  mates: 2,
};
const empty: Values = { name: '', note: '', floor: '', agreed: false, parking: '', mates: 0 };

function Form({
  values,
  refused = false,
  disabled = false,
}: {
  values: Values;
  refused?: boolean;
  disabled?: boolean;
}) {
  const say = useSay();
  const { control, setError } = useForm<Values>({ defaultValues: values });
  const required = say('Say this, please.', 'Veuillez répondre à cette question.', '请填写此项。');
  useEffect(() => {
    if (refused) for (const name of names) setError(name, { message: required });
  }, [refused, required, setError]);
  return (
    <div className={classes['form']}>
      <TextField
        control={control}
        name="name"
        id={`${String(refused)}-name`}
        label={say('Full name', 'Nom complet', '姓名')}
        disabled={disabled}
      />
      <TextAreaField
        control={control}
        name="note"
        id={`${String(refused)}-note`}
        label={say('Comments for the crew', 'Commentaires pour l’équipe', '给搬运人员的备注')}
        optional
        description={say(
          'A narrow staircase, a dog, a code at the door.',
          'Un escalier étroit, un chien, un code à l’entrée.',
          '楼梯窄、有狗、门口有密码等。',
        )}
        disabled={disabled}
      />
      <SelectField
        control={control}
        name="floor"
        id={`${String(refused)}-floor`}
        label={say('Floor', 'Étage', '楼层')}
        disabled={disabled}
        data={['', '1', '2', '3'].map((value) => ({ value, label: value || say('Choose', 'Choisir', '请选择') }))}
      />
      <CheckboxField
        control={control}
        name="agreed"
        label={say('I have read the rules of my move', 'J’ai lu les règles de mon déménagement', '我已阅读搬家须知')}
        description={say('They have dates and amounts.', 'Elles indiquent dates et montants.', '其中写明日期和金额。')}
        disabled={disabled}
      />
      <ChoiceField
        control={control}
        name="parking"
        label={say('How far is the truck?', 'À quelle distance le camion peut-il se garer?', '卡车能停多近？')}
        choices={[
          { value: 'near', label: say('At the door', 'Devant la porte', '门口') },
          {
            value: 'far',
            label: say('Around the corner', 'Au coin de la rue', '街角'),
            description: say('More than 30 metres', 'Plus de 30 mètres', '超过 30 米'),
          },
          { value: 'none', label: say('Nowhere', 'Nulle part', '无处可停'), disabled: true },
        ]}
      />
      <QuantityField
        control={control}
        name="mates"
        label={say('Movers', 'Déménageurs', '搬运人员')}
        min={0}
        max={6}
        help={say('Six at most online.', 'Six au plus en ligne.', '网上最多可选六人。')}
      />
    </div>
  );
}

export function Fields() {
  const say = useSay();
  const [count, setCount] = useState(3);
  const [move, setMove] = useState<'home' | 'office'>('home');
  return (
    <>
      <Example title={say('Filled', 'Remplis', '已填写')}>
        <Form values={filled} />
      </Example>
      <Example title={say('Refused', 'Refusés', '未通过')}>
        <Form values={empty} refused />
      </Example>
      <Example title={say('A choice outside of a form', 'Un choix hors formulaire', '表单之外的选择')}>
        <ChoiceGroup
          legend={say('Kind of move', 'Type de déménagement', '搬家类型')}
          name="kind"
          columns="row"
          value={move}
          onChange={setMove}
          choices={[
            { value: 'home', label: say('Home', 'Domicile', '住宅') },
            { value: 'office', label: say('Office', 'Bureau', '办公室') },
          ]}
        />
      </Example>
      <Example
        title={say(
          'Counts: some, none, none in a long list',
          'Nombres : quelques-uns, aucun, aucun dans une longue liste',
          '数量：若干、无、长列表中的无',
        )}
      >
        <div className={classes['counts']}>
          <QuantityStepper label={say('Chairs', 'Chaises', '椅子')} value={count} onChange={setCount} />
          <QuantityStepper label={say('Beds', 'Lits', '床')} value={0} onChange={() => {}} />
          <QuantityStepper label={say('Pianos', 'Pianos', '钢琴')} value={0} quietAtMin onChange={() => {}} />
          <QuantityStepper
            label={say('Movers', 'Déménageurs', '搬运人员')}
            value={9}
            max={6}
            invalid
            onChange={() => {}}
          />
        </div>
      </Example>
    </>
  );
}
