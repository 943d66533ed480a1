/** A catalogue that is exchanged as a file. */
export interface CatalogueFile {
  name: 'discounts' | 'mates' | 'partners' | 'rates' | 'trucks';
  /** Of everything that shows its records. */
  queryKey: readonly string[];
}

/** Where its file is read and sent to. */
export function fileUrl({ name }: CatalogueFile): string {
  return `/api/catalogues/${name}/csv`;
}
