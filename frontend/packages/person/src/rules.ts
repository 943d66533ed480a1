import * as z from 'zod/mini';

// messages are text keys, translated where they are shown

/** A first or last name, as the server takes it. */
export const nameRule = z.string().check(
  z.trim(),
  z.refine((value) => value !== '', { error: 'common:form.required', abort: true }),
  z.maxLength(80, 'person:tooLong'),
);

// what the browser itself calls an address; the server has the last word
const emailShape = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/;

/** An e-mail address that must be given. */
export const emailRule = z.string().check(
  z.trim(),
  z.refine((value) => value !== '', { error: 'common:form.required', abort: true }),
  z.refine((value) => emailShape.test(value), { error: 'person:emailInvalid' }),
);

/** A telephone number that may be left out, as the server takes it; one that is given has an area code. */
export const phoneRule = z.string().check(
  z.trim(),
  z.refine(
    (value) => value === '' || (/^[\d\s+().-]*$/.test(value) && /^\d{10,15}$/.test(value.replaceAll(/\D/g, ''))),
    {
      error: 'person:phoneInvalid',
      abort: true,
    },
  ),
  z.maxLength(40, 'person:tooLong'),
);
