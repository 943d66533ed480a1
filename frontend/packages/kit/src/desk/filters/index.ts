import '../texts.ts';

export { FilterBar } from './filter-bar.tsx';
export {
  type FetchedOptions,
  type Filter,
  type FilterCodec,
  filterCodec,
  type FilterValue,
  type FilterValues,
  withValue,
} from './filters.ts';
export { SearchBox } from './search-box.tsx';
