// Draws the icons that phones put on their home screens from the mark: `npm run icons`, after a change of mark.svg.
// Phones cut "maskable" ones to a shape of their own: the mark stands inside of what no shape cuts away.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { chromium } from '@playwright/test';

const app = join(import.meta.dirname, '../apps/ops');
const mark = readFileSync(join(app, 'src/assets/mark.svg'), 'utf8');
const folder = join(app, 'public/icons');
mkdirSync(folder, { recursive: true });

const browser = await chromium.launch({
  ...(process.env.CHROMIUM_PATH ? { executablePath: process.env.CHROMIUM_PATH } : {}),
  args: ['--no-sandbox'],
});
for (const [name, size, maskable] of [
  ['icon-192', 192, false],
  ['icon-512', 512, false],
  ['maskable-512', 512, true],
  ['apple-180', 180, true],
]) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  const drawn = maskable ? Math.round(size * 0.8) : size;
  await page.setContent(
    `<style>html,body{margin:0;height:100%;display:grid;place-items:center;background:${maskable ? '#165445' : 'transparent'}}svg{width:${drawn}px;height:${drawn}px}</style>${mark}`,
  );
  await page.screenshot({ path: join(folder, `${name}.png`), omitBackground: !maskable });
  await page.close();
}
await browser.close();
