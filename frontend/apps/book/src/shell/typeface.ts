const key = 'portage.typeface';

/**
 * Changes from the font that stands in, which is as wide, to the typeface itself. Its file would take a sixth of a second
 * of a slow connection before the page can be used, so the first visit asks for it afterwards. A browser that has had the
 * file once is told so by index.html and uses it from the first paint.
 */
export async function bringTypeface(): Promise<void> {
  const root = document.documentElement;
  if (root.hasAttribute('data-typeface')) return;
  const faces = await document.fonts.load('430 1rem "Hanken Grotesk Variable"').catch(() => []);
  // not reached: the next page load asks again
  if (faces.length === 0) return;
  root.setAttribute('data-typeface', '');
  try {
    localStorage.setItem(key, '1');
  } catch {
    // without storage every page load is a first visit
  }
}
