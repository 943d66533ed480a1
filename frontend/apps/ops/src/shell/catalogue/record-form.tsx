import { Button } from '@mantine/core';
import { type FieldValues, FormShell } from '@portage/forms';
import { formatItems, useLanguage } from '@portage/i18n';
import { Notice } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';

import classes from './catalogue.module.css';
import type { Catalogue } from './use-catalogue.ts';
import type { RecordConflict, RecordForm as Form } from './use-record-form.tsx';

interface RecordFormProps<V extends FieldValues, R> {
  form: Form<V, R>;
  list: Catalogue;
  children: ReactNode;
}

/** The frame of the form of a record: its fields, what a colleague did meanwhile, Save and the way back. */
export function RecordForm<V extends FieldValues, R>({ form, list, children }: RecordFormProps<V, R>) {
  const { t } = useTranslation();
  const { shell, conflict } = form;
  return (
    <FormShell
      shell={shell}
      size="md"
      submitLabel={t('action.save')}
      className={classes['form']}
      renderRefusal={() => (conflict ? <Conflict conflict={conflict} /> : null)}
      actions={
        <Button variant="default" size="md" onClick={() => (list.adding ? list.setOpen(null) : list.edit(false))}>
          {t('action.cancel')}
        </Button>
      }
    >
      {children}
    </FormShell>
  );
}

function Conflict({ conflict }: { conflict: RecordConflict }) {
  const { t } = useTranslation(['catalogue', 'person']);
  const language = useLanguage();
  return (
    <Notice
      tone="warning"
      live
      title={t('conflict.title')}
      action={
        <div className={classes['buttons']}>
          <DeskButton variant="primary" onClick={conflict.keep}>
            {t('conflict.keep')}
          </DeskButton>
          <DeskButton onClick={conflict.drop}>{t('person:conflict.again')}</DeskButton>
        </div>
      }
    >
      {conflict.changed.length > 0
        ? t('conflict.changed', { fields: formatItems(conflict.changed, language) })
        : t('conflict.text')}
    </Notice>
  );
}

/** Fields that belong together, with their name. No landmark: a page may have several of one name. */
export function Group({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <div role="group" aria-labelledby={id} className={classes['group']}>
      <h3 id={id} className={classes['legend']}>
        {title}
      </h3>
      <div className={classes['fields']}>{children}</div>
    </div>
  );
}

/** As wide as the form. */
export function Wide({ children }: { children: ReactNode }) {
  return <div className={classes['wide']}>{children}</div>;
}
