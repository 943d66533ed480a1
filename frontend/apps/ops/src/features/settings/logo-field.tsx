import { asProblem, newIdempotencyKey, sendFile } from '@portage/api';
import { type FieldPath, useController } from '@portage/forms';
import { ErrorState } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { FileDrop } from '@portage/kit/desk/files';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import { useField, useSettings } from './context.ts';
import { useWords } from './labels.ts';
import { FieldSource, Part } from './setting.tsx';
import classes from './settings.module.css';
import type { Form } from './values.ts';

/** As much as the server takes. */
const maxBytes = 12 * 1024 * 1024;

/** What is uploaded gets an id; the form keeps that, and nobody sees the picture before the form is saved. */
async function upload(file: File): Promise<string> {
  const sent = await sendFile('/api/logos', {
    part: 'photo',
    file,
    idempotencyKey: newIdempotencyKey(),
    onProgress: () => {},
    signal: new AbortController().signal,
  });
  return (sent as { id: string }).id;
}

/** The company's logo: shown as it will be, changed by another file. */
export function LogoField() {
  const { t } = useTranslation('settings');
  const words = useWords();
  const { control, locked } = useSettings();
  const { name, key, leaves } = useField('logo');
  const path = (leaves[0]?.path ?? name) as FieldPath<Form>;
  const { field } = useController({ control, name: path });
  const choose = useMutation({ mutationFn: upload, onSuccess: (id) => field.onChange(id) });
  const file = choose.variables;
  const sending =
    choose.isPending && file ? [{ key: 'logo', name: file.name, size: file.size, state: 'sending' } as const] : [];
  const logo = typeof field.value === 'string' ? field.value : '';
  return (
    <Part title={words.label(key)} help={words.help(key)}>
      {logo === '' ? (
        <p className="pg-muted">{t('logo.none')}</p>
      ) : (
        <img className={classes['logo']} src={`/api/logos/${encodeURIComponent(logo)}`} alt={t('logo.alt')} />
      )}
      {locked ? null : (
        <>
          <FileDrop
            label={t(logo === '' ? 'logo.choose' : 'logo.other')}
            kinds={t('logo.kinds')}
            accept={['image/png', 'image/jpeg', 'image/webp']}
            maxBytes={maxBytes}
            maxFiles={1}
            files={sending}
            onAdd={([chosen]) => {
              if (chosen) choose.mutate(chosen);
            }}
            onRemove={() => choose.reset()}
          />
          {logo === '' ? null : (
            <div>
              <DeskButton variant="quiet" onClick={() => field.onChange('')}>
                {t('logo.remove')}
              </DeskButton>
            </div>
          )}
        </>
      )}
      {choose.isError ? <ErrorState led failure={asProblem(choose.error)} title={t('logo.failed')} /> : null}
      <FieldSource name={name} />
    </Part>
  );
}
