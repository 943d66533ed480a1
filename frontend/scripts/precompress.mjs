// Leaves a brotli and a gzip form beside every text file of a build that gets smaller by it: the server sends
// those, and spends no time on compressing. index.html is completed for each answer and stays as it is.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

import { distOf } from './apps.mjs';

export function precompress(app) {
  const assets = join(distOf(app), 'assets');
  for (const name of readdirSync(assets).filter((one) => /\.(js|css|svg|json)$/.test(one))) {
    const path = join(assets, name);
    const plain = readFileSync(path);
    const forms = {
      br: brotliCompressSync(plain, {
        params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length },
      }),
      gz: gzipSync(plain, { level: 9 }),
    };
    for (const [suffix, packed] of Object.entries(forms)) {
      if (packed.length < plain.length * 0.95) writeFileSync(`${path}.${suffix}`, packed);
    }
  }
}
