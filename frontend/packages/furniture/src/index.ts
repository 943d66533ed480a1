import './texts.ts';

export { catalogueQuery } from './catalogue-query.ts';
export { Drawing } from './drawing.tsx';
export { FurniturePicker } from './furniture-picker.tsx';
export { noRooms, type Rooms } from './rooms.ts';
