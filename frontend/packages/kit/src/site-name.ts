/** What the site is called: the company that runs it, whose name the server wrote into the page; ours where it wrote none. */
export function siteName(): string {
  const named = document.querySelector<HTMLMetaElement>('meta[name="company-name"]')?.content ?? '';
  // a development server leaves the place as it is
  return named === '' || named.startsWith('{{') ? 'Portage' : named;
}
