import { emailRule, nameRule, phoneRule } from '@portage/person';
import * as z from 'zod/mini';

/** Shortest and longest password the provider takes. */
export const passwordLength = { min: 10, max: 200 } as const;

// messages are text keys, translated where they are shown
export const newPassword = z.string().check(
  z.refine((value) => value !== '', { error: 'common:form.required', abort: true }),
  z.minLength(passwordLength.min, 'identity:password.short'),
  z.maxLength(passwordLength.max, 'identity:password.long'),
);

export const signInSchema = z.object({
  email: emailRule,
  password: z.string().check(z.minLength(1, 'common:form.required')),
});

export const signUpSchema = z.object({
  firstName: nameRule,
  lastName: nameRule,
  email: emailRule,
  phone: phoneRule,
  password: newPassword,
  acceptTerms: z.boolean().check(z.refine((value) => value, { error: 'identity:terms.required' })),
});

export const changeEmailSchema = z.object({
  email: emailRule,
  currentPassword: z.string().check(z.minLength(1, 'common:form.required')),
});

export const forgotSchema = z.object({ email: emailRule });

export const resetSchema = z.object({ password: newPassword });
