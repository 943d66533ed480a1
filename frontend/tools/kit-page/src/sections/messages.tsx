import { Button } from '@mantine/core';
import { DateTime, EmptyState, ErrorState, ErrorSummary, LoadingState, Money, Notice, Reason } from '@portage/kit';
import { useState } from 'react';

import { Example } from '../example.tsx';
import { useSay } from '../say.ts';
import classes from './list.module.css';

export function Messages() {
  const say = useSay();
  const [shown, setShown] = useState(true);
  const text = say(
    'Your start at 9:00 is kept for 15 minutes while you finish.',
    'Votre départ à 9 h est gardé 15 minutes, le temps de terminer.',
    '您选择的 9:00 出发时间将保留 15 分钟，请在此期间完成预订。',
  );
  return (
    <div className={classes['narrow']}>
      {(['info', 'success', 'warning', 'error'] as const).map((tone) => (
        <Example key={tone} title={`Notice: ${tone}`}>
          <Notice
            tone={tone}
            {...(tone === 'info'
              ? {}
              : { title: say('About your move', 'À propos de votre déménagement', '关于您的搬家') })}
            action={
              tone === 'warning' ? (
                <Button variant="default">{say('Choose another', 'En choisir un autre', '另选')}</Button>
              ) : null
            }
          >
            {text}
          </Notice>
        </Example>
      ))}
      <Example title={say('Notice that can be put away', 'Avis que l’on peut fermer', '可关闭的提示')}>
        {shown ? <Notice onDismiss={() => setShown(false)}>{text}</Notice> : null}
      </Example>
      <Example title={say('Summary of errors', 'Résumé des erreurs', '错误摘要')}>
        <ErrorSummary
          attempt={0}
          items={[
            {
              fieldId: 'x',
              text: say('Pickup address is required.', 'L’adresse de départ est requise.', '请填写搬出地址。'),
            },
            { text: say('Choose at least one item.', 'Choisissez au moins un objet.', '请至少选择一件物品。') },
          ]}
        />
      </Example>
      <Example title={say('Empty', 'Vide', '空')}>
        <EmptyState
          title={say('No bookings yet', 'Aucune réservation', '暂无预订')}
          action={<Button>{say('Book a move', 'Réserver un déménagement', '预订搬家')}</Button>}
        >
          {say('A booked move appears here.', 'Un déménagement réservé paraît ici.', '预订的搬家会显示在这里。')}
        </EmptyState>
      </Example>
      <Example title={say('Failed: the network', 'Échec : le réseau', '失败：网络')}>
        <ErrorState failure={{ status: 0, detail: '', requestId: null }} onRetry={() => {}} />
      </Example>
      <Example title={say('Failed: the server', 'Échec : le serveur', '失败：服务器')}>
        <ErrorState failure={{ status: 500, detail: '', requestId: '01JY7Q4T' }} />
      </Example>
      <Example title={say('Why a press failed', 'Pourquoi une action a échoué', '操作失败的原因')}>
        <p>
          <Reason failure={{ status: 0, detail: '', requestId: null }} />
        </p>
      </Example>
      <Example title={say('Loading', 'Chargement', '加载中')}>
        <LoadingState />
      </Example>
      <Example title={say('An amount and an instant', 'Un montant et un instant', '金额与时间')}>
        <p>
          <Money value="1234.50" />
        </p>
        <p>
          <DateTime value="2027-06-24T13:00:00Z" zone="America/Toronto" withZone />
        </p>
      </Example>
    </div>
  );
}
