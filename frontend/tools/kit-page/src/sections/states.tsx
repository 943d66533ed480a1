import { DeskButton } from '@portage/kit/desk/button';
import { Failed, NothingFound, NothingYet, Skeleton } from '@portage/kit/desk/states';

import { Example } from '../example.tsx';
import { useSay } from '../say.ts';
import classes from './list.module.css';

export function States() {
  const say = useSay();
  const loading = say('Loading', 'Chargement', '加载中');
  const box = classes['box'];
  const title = say('The price could not be worked out', 'Le prix n’a pas pu être calculé', '无法计算价格');
  return (
    <>
      <Example title={say('Empty', 'Vide', '空')}>
        <div className={box}>
          <NothingYet
            title={say('No mates yet', 'Aucun déménageur', '还没有搬运工')}
            action={
              <DeskButton variant="primary">{say('Add a mate', 'Ajouter un déménageur', '添加搬运工')}</DeskButton>
            }
          >
            {say(
              'Add the people who carry; they get their jobs on their phone.',
              'Ajoutez les personnes qui portent; elles reçoivent leur travail sur leur téléphone.',
              '添加搬运人员；他们会在手机上收到任务。',
            )}
          </NothingYet>
        </div>
      </Example>
      <Example title={say('Nothing fits', 'Rien ne correspond', '无匹配项')}>
        <div className={box}>
          <NothingFound onClear={() => {}} />
        </div>
      </Example>
      <Example title={say('Failed: the network', 'Échec : le réseau', '失败：网络')}>
        <div className={box}>
          <Failed title={title} failure={{ status: 0, detail: '', requestId: null }} onRetry={() => {}} />
        </div>
      </Example>
      <Example title={say('Failed: refused', 'Échec : refusé', '失败：被拒')}>
        <div className={box}>
          <Failed
            title={title}
            failure={{
              status: 409,
              detail: say(
                'Somebody else changed this booking. Load it again.',
                'Quelqu’un d’autre a modifié cette réservation. Rechargez-la.',
                '此预订已被他人修改。请重新加载。',
              ),
              requestId: '01JY7Q4T',
            }}
          />
        </div>
      </Example>
      <Example title={say('Loading a record', 'Chargement d’une fiche', '加载记录')}>
        <div className={box}>
          <Skeleton label={loading} kind="record" rows={3} />
        </div>
      </Example>
      <Example title={say('Loading a list', 'Chargement d’une liste', '加载列表')}>
        <div className={box}>
          <Skeleton label={loading} kind="list" />
        </div>
      </Example>
      <Example title={say('Loading figures', 'Chargement de chiffres', '加载数字')}>
        <div className={box}>
          <Skeleton label={loading} kind="figures" rows={3} />
        </div>
      </Example>
    </>
  );
}
