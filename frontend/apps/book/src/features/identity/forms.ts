import * as z from 'zod/mini';

/** Shortest and longest password the provider takes. */
export const passwordLength = { min: 10, max: 200 } as const;

// what the browser itself calls an address; the provider has the last word
const emailShape = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/;

// messages are text keys, translated where they are shown
const required = z.string().check(z.trim(), z.minLength(1, 'common:form.required'));
const email = z.string().check(
  z.trim(),
  z.refine((value) => value !== '', { error: 'common:form.required', abort: true }),
  z.refine((value) => emailShape.test(value), { error: 'identity:email.invalid' }),
);
export const newPassword = z.string().check(
  z.refine((value) => value !== '', { error: 'common:form.required', abort: true }),
  z.minLength(passwordLength.min, 'identity:password.short'),
  z.maxLength(passwordLength.max, 'identity:password.long'),
);

export const signInSchema = z.object({ email, password: z.string().check(z.minLength(1, 'common:form.required')) });

export const signUpSchema = z.object({
  firstName: required,
  lastName: required,
  email,
  phone: z.string().check(
    z.trim(),
    z.refine(
      (value) =>
        value === '' ||
        (/^[+\d][\d\s().-]*(?:\s*(?:x|ext\.?|poste)\s*\d+)?$/i.test(value) && value.replaceAll(/\D/g, '').length >= 10),
      {
        error: 'person:phoneInvalid',
      },
    ),
  ),
  password: newPassword,
  acceptTerms: z.boolean().check(z.refine((value) => value, { error: 'identity:terms.required' })),
});

export const forgotSchema = z.object({ email });

export const resetSchema = z.object({ password: newPassword });
