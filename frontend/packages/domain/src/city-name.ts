import type { Language } from '@portage/i18n';

/** Cities of our hubs, whose Chinese names stand on every other page; other towns keep the name on their signs. */
const chinese: Record<string, string> = {
  calgary: '卡尔加里',
  montreal: '蒙特利尔',
  toronto: '多伦多',
  vancouver: '温哥华',
};

/** A city in a sentence or a list, in the reader's language. An address to send something to keeps its own. */
export function cityName(city: string, language: Language): string {
  if (language !== 'zh') return city;
  const plain = city.trim().normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return chinese[plain] ?? city;
}
