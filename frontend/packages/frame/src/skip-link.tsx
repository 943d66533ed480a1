import { useTranslation } from 'react-i18next';

import classes from './skip-link.module.css';

/** The first stop of the keyboard on every page: jumps over header and menu to the element with the id `content`. */
export function SkipLink() {
  const { t } = useTranslation('frame');
  return (
    <a href="#content" className={classes['skip']}>
      {t('skip')}
    </a>
  );
}
