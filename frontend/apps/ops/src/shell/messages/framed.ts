/** The nonce of our own page: a frame of ours is under the page's content policy. */
function nonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
}

/**
 * A message for a frame without scripts. Its style element gets the page's nonce, or the policy would take its styles away;
 * and it is light or dark by choice, where a mail program goes by the machine.
 */
export function framed(html: string, dark: boolean): string {
  const styled = html.replaceAll(/<style(?=[\s>])/gi, `<style nonce="${nonce()}"`);
  const scheme = styled.replaceAll(/\(\s*prefers-color-scheme\s*:\s*dark\s*\)/gi, dark ? 'all' : 'not all');
  return scheme.replaceAll(/color-scheme:\s*light dark/gi, `color-scheme: ${dark ? 'dark' : 'light'}`);
}
