import type { components } from '@portage/api';

type Hub = components['schemas']['HubRecord'];

const hub = (id: string, province: Hub['province'], name: string, zh: string): Hub => ({
  id,
  name: { en: name, fr: name, zh },
  province,
  zone: { BC: 'America/Vancouver', AB: 'America/Edmonton' }[province as string] ?? 'America/Toronto',
  hasCalendar: true,
  hasJobs: false,
});

/** As the server lists them. */
export const someHubs: readonly Hub[] = [
  hub('montreal', 'QC', 'Montréal', '蒙特利尔'),
  hub('vancouver', 'BC', 'Vancouver', '温哥华'),
  hub('toronto', 'ON', 'Toronto', '多伦多'),
  hub('ottawa', 'ON', 'Ottawa', '渥太华'),
  hub('hamilton', 'ON', 'Hamilton', '汉密尔顿'),
  hub('kitchener-waterloo', 'ON', 'Kitchener-Waterloo', '基奇纳-滑铁卢'),
  hub('london', 'ON', 'London', '伦敦'),
  hub('kingston', 'ON', 'Kingston', '金斯顿'),
  hub('windsor', 'ON', 'Windsor', '温莎'),
  hub('calgary', 'AB', 'Calgary', '卡尔加里'),
  hub('edmonton', 'AB', 'Edmonton', '埃德蒙顿'),
  hub('red-deer', 'AB', 'Red Deer', '红鹿市'),
];
