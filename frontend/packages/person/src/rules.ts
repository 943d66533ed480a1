import * as z from 'zod/mini';

// messages are text keys, translated where they are shown

/** A first or last name, as the server takes it. */
export const nameRule = z.string().check(
  z.trim(),
  z.refine((value) => value !== '', { error: 'common:form.required', abort: true }),
  z.maxLength(80, 'person:tooLong'),
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
