import { PageHeading } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import type { RowLinkProps } from '@portage/kit/desk/table';
import { IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { LeftOutNotice } from '../left-out-notice.tsx';
import type { CatalogueFile } from './catalogue-file.ts';
import classes from './catalogue.module.css';
import { CsvButtons } from './csv-buttons.tsx';
import type { Catalogue } from './use-catalogue.ts';

interface FileHeadProps {
  title: string;
  lead: string;
  /** Its file, both ways. */
  file: CatalogueFile;
  /** Further buttons. */
  children?: ReactNode;
}

/** The name of a page of records, and their file both ways. */
export function FileHead({ title, lead, file, children }: FileHeadProps) {
  return (
    <div className={classes['head']}>
      <PageHeading title={title} lead={lead} />
      <div className={classes['buttons']}>
        <CsvButtons file={file} />
        {children}
      </div>
    </div>
  );
}

interface CatalogueHeadProps extends Omit<FileHeadProps, 'children'> {
  addLabel: string;
  list: Catalogue;
}

/** The same with the way to a new record, and what of the address the list leaves out. */
export function CatalogueHead({ addLabel, list, ...head }: CatalogueHeadProps) {
  return (
    <>
      <FileHead {...head}>
        <DeskButton
          variant="primary"
          icon={<IconPlus size={16} stroke={1.75} aria-hidden />}
          onClick={() => list.add()}
        >
          {addLabel}
        </DeskButton>
      </FileHead>
      <LeftOutNotice of={list.leftOut} />
    </>
  );
}

/** Draws the link of a row: the record beside the list, by an address of its own. */
export function recordLink(row: { id: string }, content: ReactNode, props: RowLinkProps) {
  return (
    <Link
      to="."
      search={((before: Record<string, unknown>) => ({ ...before, open: row.id, edit: undefined })) as never}
      resetScroll={false}
      {...props}
    >
      {content}
    </Link>
  );
}
