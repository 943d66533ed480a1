import './texts.ts';

export { catalogueQuery } from './catalogue-query.ts';
export { FurniturePicker } from './furniture-picker.tsx';
