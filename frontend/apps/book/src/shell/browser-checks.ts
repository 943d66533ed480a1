/** Safari proper: Chrome, Edge and the iOS shells of other browsers also carry the word. */
export function isSafari(userAgent: string): boolean {
  return /safari/i.test(userAgent) && !/chrome|chromium|crios|fxios|edg|android|opr|opera/i.test(userAgent);
}

/**
 * Cosmetic filters hide elements with the class names of advertisements. A bait with such names is put on the page for
 * a moment; if it was hidden, a blocker is at work. No request is made.
 *
 * @param told is called once, unless the returned function was called before: that one takes the bait away.
 */
export function watchForAdBlock(told: (found: boolean) => void): () => void {
  const bait = document.createElement('div');
  bait.className = 'adsbox ad-banner ads textads banner-ads';
  bait.setAttribute('aria-hidden', 'true');
  bait.textContent = '\u00A0';
  Object.assign(bait.style, { position: 'absolute', insetInlineStart: '-9999px', height: '10px', width: '10px' });
  document.body.append(bait);
  const timer = setTimeout(() => {
    const style = getComputedStyle(bait);
    const hidden = style.display === 'none' || style.visibility === 'hidden' || !bait.isConnected;
    bait.remove();
    told(hidden);
  }, 120);
  return () => {
    clearTimeout(timer);
    bait.remove();
  };
}
