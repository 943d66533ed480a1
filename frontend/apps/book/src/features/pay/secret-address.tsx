/**
 * For a page whose address is a secret: no search engine lists it, and nothing the page asks for or links to is told the
 * address. The elements move into the head of the document by themselves.
 */
export function SecretAddress() {
  return (
    <>
      <meta name="robots" content="noindex, nofollow" />
      <meta name="referrer" content="no-referrer" />
    </>
  );
}
