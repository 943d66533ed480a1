import {
  IconBuildingWarehouse,
  IconCalendarMonth,
  IconClockPlay,
  IconCreditCard,
  IconDiscount,
  IconHistory,
  IconId,
  IconMail,
  IconMessage,
  IconMessage2Heart,
  IconMessageReport,
  IconPackages,
  IconReceiptDollar,
  IconRobot,
  IconTruck,
  IconTruckDelivery,
  IconUserShield,
  IconUsersGroup,
} from '@tabler/icons-react';

import type { MenuEntry } from './use-menu.ts';

/** Areas of the desk as they stand in the menu, in the order of the specification within their group. */
export const areas = {
  bookings: { title: 'shell:area.bookings', icon: IconTruckDelivery, group: 'moves' },
  calendar: { title: 'shell:area.calendar', icon: IconCalendarMonth, group: 'moves' },
  tasks: { title: 'shell:area.tasks', icon: IconPackages, group: 'moves' },
  mates: { title: 'shell:area.mates', icon: IconUsersGroup, group: 'moves' },
  trucks: { title: 'shell:area.trucks', icon: IconTruck, group: 'moves' },
  partners: { title: 'shell:area.partners', icon: IconBuildingWarehouse, group: 'moves' },
  discounts: { title: 'shell:area.discounts', icon: IconDiscount, group: 'money' },
  rates: { title: 'shell:area.rates', icon: IconReceiptDollar, group: 'money' },
  card: { title: 'shell:area.card', icon: IconCreditCard, group: 'money' },
  templates: { title: 'shell:area.templates', icon: IconMail, group: 'words' },
  smsTasks: { title: 'shell:area.smsTasks', icon: IconMessage, group: 'words' },
  smsReports: { title: 'shell:area.smsReports', icon: IconMessageReport, group: 'words' },
  automations: { title: 'shell:area.automations', icon: IconRobot, group: 'words' },
  feedback: { title: 'shell:area.feedback', icon: IconMessage2Heart, group: 'words' },
  members: { title: 'shell:area.members', icon: IconUserShield, group: 'house' },
  audit: { title: 'shell:area.audit', icon: IconHistory, group: 'house' },
  jobs: { title: 'shell:area.jobs', icon: IconClockPlay, group: 'house' },
  profile: { title: 'person:title', icon: IconId, group: 'house' },
} satisfies Record<string, MenuEntry>;
