/** Drawing for an empty list: a dashed carry line when nothing exists yet, a broken one when filters hide the rows. */
export function EmptyLine({ kind }: { kind: 'new' | 'filtered' }) {
  return (
    <svg width="120" height="24" viewBox="0 0 120 24" fill="none" aria-hidden focusable="false">
      <circle cx="10" cy="12" r="6" fill="var(--pg-surface)" stroke="var(--pg-control)" strokeWidth="2.5" />
      {kind === 'new' ? (
        <path d="M22 12h72" stroke="var(--pg-control)" strokeWidth="3" strokeDasharray="6 5" strokeLinecap="butt" />
      ) : (
        <>
          <path d="M22 12h22" stroke="var(--pg-control)" strokeWidth="3" />
          <path d="M52 5v14M58 5v14" stroke="var(--pg-ink-2)" strokeWidth="2.5" strokeLinecap="round" />
          <path d="M66 12h28" stroke="var(--pg-control)" strokeWidth="3" strokeDasharray="2 5" />
        </>
      )}
      <rect x="102" y="6" width="12" height="12" rx="3" stroke="var(--pg-control)" strokeWidth="2.5" />
    </svg>
  );
}
