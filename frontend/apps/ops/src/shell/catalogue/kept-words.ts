interface Named {
  value: string;
  label: string;
}

const fold = (text: string) => text.trim().toLocaleLowerCase();

/** Words that are kept in English and shown in every language; what is typed in either is kept as one. */
export function wordsOf(named: Named[]) {
  return {
    options: named,
    label: (value: string) => named.find((one) => fold(one.value) === fold(value))?.label ?? value,
    valueOf: (typed: string) =>
      named.find((one) => [one.label, one.value].some((text) => fold(text) === fold(typed)))?.value ?? typed.trim(),
  };
}
