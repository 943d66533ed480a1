import { DeskButton } from '@portage/kit/desk/button';
import { Drawer } from '@portage/kit/desk/drawer';
import { RangeField, type DateRange } from '@portage/kit/desk/dates';
import { Skeleton } from '@portage/kit/desk/states';
import { useState } from 'react';

import { setAddress, useAddress } from '../address.ts';
import { Example } from '../example.tsx';
import { bookings, today } from '../sample.ts';
import { useSay } from '../say.ts';
import { BookingDrawer } from './booking-drawer.tsx';
import classes from './list.module.css';

export function DrawerSection() {
  const say = useSay();
  const open = useAddress()['open'] ?? null;
  const [range, setRange] = useState<DateRange | null>('today');
  const close = () => setAddress({ open: undefined });
  return (
    <>
      <Example title={say('Opened by the address', 'Ouvert par l’adresse', '由地址打开')}>
        <div className={classes['buttons']}>
          <DeskButton onClick={() => setAddress({ open: bookings[1]?.code })}>
            {say('A record', 'Une fiche', '一条记录')}
          </DeskButton>
          <DeskButton onClick={() => setAddress({ open: 'form' })}>
            {say('A form with a popover', 'Un formulaire', '带弹出层的表单')}
          </DeskButton>
          <DeskButton onClick={() => setAddress({ open: 'loading' })}>
            {say('Loading', 'Chargement', '加载中')}
          </DeskButton>
        </div>
      </Example>
      <BookingDrawer rows={bookings.slice(0, 5)} open={open} />
      <Drawer
        opened={open === 'form'}
        onClose={close}
        title={say('Absence', 'Absence', '缺勤')}
        footer={
          <>
            <DeskButton onClick={close}>{say('Cancel', 'Annuler', '取消')}</DeskButton>
            <DeskButton variant="primary" onClick={close}>
              {say('Save', 'Enregistrer', '保存')}
            </DeskButton>
          </>
        }
      >
        <RangeField label={say('Days', 'Jours', '日期')} value={range} onChange={setRange} today={today} />
      </Drawer>
      <Drawer opened={open === 'loading'} onClose={close} title={say('Booking', 'Réservation', '预订')}>
        <Skeleton label={say('Loading the booking', 'Chargement de la réservation', '正在加载预订')} kind="record" />
      </Drawer>
    </>
  );
}
