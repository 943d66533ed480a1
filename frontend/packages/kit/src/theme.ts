import {
  type Button,
  type Checkbox,
  createTheme,
  type MantineColorsTuple,
  type NativeSelect,
  type Textarea,
  type TextInput,
} from '@mantine/core';

const stone: MantineColorsTuple = [
  '#F3F6F4',
  '#E8EDEA',
  '#D7DEDA',
  '#BAC5BF',
  '#86948D',
  '#66746D',
  '#4C5852',
  '#38433E',
  '#232D29',
  '#131B18',
];
const spruce: MantineColorsTuple = [
  '#EBF6F1',
  '#D2EADF',
  '#A6D5C2',
  '#74BBA0',
  '#459B7F',
  '#2A7F66',
  '#1D6A54',
  '#165445',
  '#104136',
  '#0B2E27',
];
const strap: MantineColorsTuple = [
  '#FFF8E6',
  '#FFEDC2',
  '#FFDF8F',
  '#FFD15E',
  '#FFC333',
  '#EFAC12',
  '#C58800',
  '#8A5F00',
  '#674700',
  '#432E00',
];
const ember: MantineColorsTuple = [
  '#FEF2F0',
  '#FDE0DB',
  '#FABFB6',
  '#F4968A',
  '#EA6B5C',
  '#D64637',
  '#B42D20',
  '#93231A',
  '#721C16',
  '#4C130F',
];
const lake: MantineColorsTuple = [
  '#EEF5FC',
  '#D8E8F8',
  '#B2D1F0',
  '#82B4E4',
  '#5393D1',
  '#3076B8',
  '#1E5E9A',
  '#194B7C',
  '#153B61',
  '#0F2840',
];
const heather: MantineColorsTuple = [
  '#F5F2FB',
  '#E8E1F6',
  '#D1C3EC',
  '#B39EDD',
  '#9479CA',
  '#785BB3',
  '#614798',
  '#4D397A',
  '#3C2D5F',
  '#281E40',
];
// text to page, dark scheme: text, ..., secondary, hint, control border, hairline, raised, card, page
const dark: MantineColorsTuple = [
  '#E9EFEC',
  '#C9D3CE',
  '#A6B4AD',
  '#869690',
  '#6E7F77',
  '#2C3934',
  '#1C2723',
  '#151E1B',
  '#0E1513',
  '#0A0F0D',
];

/** What the theme may say of a component. */
type Own<Component extends { extend: (input: never) => unknown }> = Parameters<Component['extend']>[0];

/** The theme of every app. Each pair of colours meets its contrast ratio: measure again when you change one. */
export const theme = createTheme({
  colors: { gray: stone, spruce, strap, red: ember, blue: lake, violet: heather, dark },
  primaryColor: 'spruce',
  primaryShade: { light: 7, dark: 5 },
  black: '#131B18',
  white: '#FFFFFF',
  // an app may set --pg-typeface on the root while it does without the file of the typeface
  fontFamily:
    'var(--pg-typeface, "Hanken Grotesk Variable"), "Hanken Stand-in", "PingFang SC", "Hiragino Sans GB", "Noto Sans SC", "Noto Sans CJK SC", "Microsoft YaHei", system-ui, sans-serif',
  headings: { fontWeight: '650' },
  defaultRadius: 'md',
  radius: { xs: '4px', sm: '6px', md: '10px', lg: '16px', xl: '24px' },
  breakpoints: { xs: '30em', sm: '40em', md: '48em', lg: '64em', xl: '80em' },
  respectReducedMotion: true,
  cursorType: 'pointer',
  // By type and not by each component's own `extend`, which only hands on what it is given: naming a component here would
  // put its code into the first page of every app, where none of the fields is.
  components: {
    Button: { defaultProps: { size: 'md' }, styles: { root: { minHeight: 44 } } } satisfies Own<typeof Button>,
    TextInput: { defaultProps: { size: 'md' } } satisfies Own<typeof TextInput>,
    Textarea: { defaultProps: { size: 'md' } } satisfies Own<typeof Textarea>,
    NativeSelect: { defaultProps: { size: 'md' } } satisfies Own<typeof NativeSelect>,
    Checkbox: { defaultProps: { size: 'md' } } satisfies Own<typeof Checkbox>,
  },
});
