import '@mantine/core/styles/PasswordInput.layer.css';

import { PasswordInput } from '@mantine/core';
import { fieldId, useFieldMessage } from '@portage/kit';
import { type KeyboardEvent, useState } from 'react';
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';

interface PasswordFieldProps<T extends FieldValues> {
  control: Control<T>;
  name: FieldPath<T>;
  label: string;
  description?: string;
  autoComplete: 'current-password' | 'new-password';
}

/** A password with a switch to show it and a word when caps lock is on. */
export function PasswordField<T extends FieldValues>({
  control,
  name,
  label,
  description,
  autoComplete,
}: PasswordFieldProps<T>) {
  const { t } = useTranslation('identity');
  const message = useFieldMessage();
  const { field, fieldState } = useController({ control, name });
  const [capsLock, setCapsLock] = useState(false);
  const [visible, setVisible] = useState(false);
  const watchCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState?.('CapsLock') ?? false);
  return (
    <div>
      <PasswordInput
        {...field}
        value={field.value ?? ''}
        id={fieldId(name)}
        label={label}
        description={description}
        error={message(fieldState.error?.message, label)}
        autoComplete={autoComplete}
        autoCapitalize="none"
        spellCheck={false}
        size="md"
        visible={visible}
        onVisibilityChange={setVisible}
        visibilityToggleButtonProps={{ 'aria-label': visible ? t('password.hide') : t('password.show'), tabIndex: 0 }}
        onKeyDown={watchCapsLock}
        onKeyUp={watchCapsLock}
      />
      <p role="status" className="pg-small pg-muted">
        {capsLock ? t('password.capsLock') : null}
      </p>
    </div>
  );
}
