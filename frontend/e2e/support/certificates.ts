import { generate } from 'selfsigned';

/** An authority of its own, and what it says of a name: certificate and key. */
export async function authorityOf(name: string): Promise<{ authority: string; certificate: string; key: string }> {
  const authority = await generate([{ name: 'commonName', value: 'An authority of this test' }], {
    algorithm: 'sha256',
    extensions: [{ name: 'basicConstraints', cA: true, critical: true }],
  });
  const pems = await generate([{ name: 'commonName', value: name }], {
    algorithm: 'sha256',
    ca: { key: authority.private, cert: authority.cert },
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'subjectAltName', altNames: [{ type: 2, value: name }] },
    ],
  });
  return { authority: authority.cert, certificate: pems.cert, key: pems.private };
}
