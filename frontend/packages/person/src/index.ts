import './texts.ts';

export {
  NameFields,
  personOf,
  personRules,
  type PersonValues,
  usePersonLabels,
  useProfileForm,
} from './profile-form.tsx';
export { emailRule, nameRule, phoneRule } from './rules.ts';
