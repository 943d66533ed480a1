import './texts.ts';

export { nameRule, phoneRule } from './rules.ts';
