import { test } from '@playwright/test';

import { everyMessage } from '../support/every-message.ts';
import { office } from '../support/office.ts';
import { startServer, tuesdayMorning } from '../support/server.ts';
import { photographer } from '../support/shoot.ts';
import { allLanguages } from '../support/texts.ts';

for (const language of allLanguages)
  test(`messages in ${language}`, async ({ browser, page }, info) => {
    const server = await startServer(tuesdayMorning());
    try {
      const desk = await office(browser, server.url);
      await everyMessage(
        desk,
        server.url,
        page,
        language,
        photographer(page, `messages-${language}-${info.project.name}`),
      );
    } finally {
      await server.stop();
    }
  });
