import type { TemplateVersion, TemplateWords } from '@portage/api';
import { montrealZone } from '@portage/domain';
import { QueryState } from '@portage/frame';
import { formatDateTime, useLanguage } from '@portage/i18n';
import { DeskButton } from '@portage/kit/desk/button';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { diffLines } from './diff.ts';
import { versionQuery, versionsQuery, type Which } from './queries.ts';
import classes from './templates.module.css';
import { type Part, wordsOf } from './words.ts';

interface VersionsProps {
  which: Which;
  /** What stands in the form. */
  now: TemplateWords;
  /** The version that counts. */
  version: number;
  /** Writes the words of a version into the form. */
  onUse: (words: TemplateWords) => void;
}

/** Who saved what and when, what is different in it, and the way back to it. */
export function Versions({ which, now, version, onUse }: VersionsProps) {
  const { t } = useTranslation('templates');
  const language = useLanguage();
  const versions = useQuery(versionsQuery(which));
  const [opened, setOpened] = useState<number | null>(null);
  const told = (one: TemplateVersion) => {
    if (!one.changedAt) return t('version.shipped');
    const when = formatDateTime(one.changedAt, montrealZone, language);
    const by = { number: one.version, when, name: one.changedBy ?? t('version.nobody') };
    return one.isStored ? t('version.by', by) : t('version.restored', by);
  };
  return (
    <section className={classes['versions']}>
      <h2>{t('versions')}</h2>
      <QueryState query={versions} rows={2}>
        {({ data }) => (
          <ol>
            {data.map((one) => (
              <li key={one.version}>
                <span>{told(one)}</span>
                {one.version === version ? <span className="pg-muted">{t('version.now')}</span> : null}
                <DeskButton
                  aria-expanded={opened === one.version}
                  aria-label={t('compareOf', { version: told(one) })}
                  onClick={() => setOpened(opened === one.version ? null : one.version)}
                >
                  {t('compare')}
                </DeskButton>
                {opened === one.version ? (
                  <Compared which={which} number={one.version} now={now} onUse={onUse} />
                ) : null}
              </li>
            ))}
          </ol>
        )}
      </QueryState>
    </section>
  );
}

interface ComparedProps {
  which: Which;
  number: number;
  now: TemplateWords;
  onUse: (words: TemplateWords) => void;
}

const parts: readonly Part[] = ['subject', 'html', 'text'];
const signs = { same: ' ', gone: '−', new: '+' } as const;

/** A line break at the end of a subject is in its file, not in the field of the form. */
const shown = (words: TemplateWords, part: Part) => (part === 'subject' ? words.subject.trimEnd() : words[part]);

/** A version beside what stands in the form: − is only in the version, + only in the form. */
function Compared({ which, number, now, onUse }: ComparedProps) {
  const { t } = useTranslation('templates');
  const version = useQuery(versionQuery(which, number));
  return (
    <QueryState query={version} rows={2}>
      {(words) => (
        <div className={classes['compared']}>
          <p className="pg-help">{t('compareHelp')}</p>
          {parts
            .filter((part) => shown(words, part) !== shown(now, part))
            .map((part) => (
              <div key={part}>
                <h3>{t(`part.${part}`)}</h3>
                {/* it scrolls by keyboard, too */}
                <pre
                  className={classes['diff']}
                  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
                  tabIndex={0}
                  lang={which.language}
                  aria-label={t(`part.${part}`)}
                  role="region"
                >
                  {diffLines(shown(words, part), shown(now, part)).map(({ mark, text }, at) => (
                    // lines have no key of their own, and are drawn anew as a whole
                    // oxlint-disable-next-line react/no-array-index-key
                    <span key={at} data-mark={mark}>{`${signs[mark]} ${text}\n`}</span>
                  ))}
                </pre>
              </div>
            ))}
          {parts.every((part) => shown(words, part) === shown(now, part)) ? <p>{t('compareSame')}</p> : null}
          <DeskButton onClick={() => onUse(wordsOf(words))}>{t('use')}</DeskButton>
        </div>
      )}
    </QueryState>
  );
}
