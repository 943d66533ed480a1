import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePort } from '../../support/server.ts';
import { surroundings, type Tab, windowSize } from './tab.ts';

function programPath(setting: string, place: string, debian: string): string {
  const found = process.env[setting] ?? place;
  if (!existsSync(found)) throw new Error(`no program at ${found}: install ${debian} or set ${setting}`);
  return found;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((done) => {
    child.once('exit', done);
  });
  child.kill('SIGTERM');
  await gone;
}

/** A screen without a monitor: WebKitGTK has no headless mode. Answers the number of the display it chose. */
async function screen(): Promise<{ display: string; child: ChildProcess }> {
  const child = spawn(
    programPath('XVFB_PATH', '/usr/bin/Xvfb', 'xvfb'),
    ['-displayfd', '1', '-screen', '0', `${windowSize.width}x${windowSize.height + 100}x24`, '-nolisten', 'tcp'],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const number = await new Promise<string>((done, failed) => {
    child.once('error', failed);
    child.once('exit', (code) => failed(new Error(`Xvfb ended with ${code}`)));
    child.stdout.once('data', (chunk: Buffer) => done(chunk.toString().trim()));
  });
  return { display: `:${number}`, child };
}

/** How an element travels (WebDriver, section 12). */
const elementKey = 'element-6066-11e4-a52e-4f735466cecf';
const waitForDriver = 100;
/** How long a call of the driver may take, milliseconds: one without an answer is told as that. */
const longestCall = 20_000;

/** WebKit, driven by WebDriver as the W3C writes it down. */
export async function webkit(): Promise<Tab> {
  const home = mkdtempSync(join(tmpdir(), 'portage-webkit-'));
  const { display, child: server } = await screen();
  const port = await freePort();
  const driver = spawn(
    programPath('WEBKIT_DRIVER_PATH', '/usr/bin/WebKitWebDriver', 'webkit2gtk-driver'),
    [`--port=${port}`],
    {
      stdio: 'ignore',
      env: {
        ...surroundings,
        DISPLAY: display,
        HOME: home,
        XDG_RUNTIME_DIR: home,
        GSETTINGS_BACKEND: 'memory',
        NO_AT_BRIDGE: '1',
        LIBGL_ALWAYS_SOFTWARE: '1',
      },
    },
  );
  const end = async () => {
    await stop(driver);
    await stop(server);
    rmSync(home, { recursive: true, force: true });
  };

  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      signal: AbortSignal.timeout(longestCall),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { value } = (await response.json()) as { value: unknown };
    if (!response.ok) {
      const { error, message } = value as { error: string; message: string };
      throw new Error(`${method} ${path}: ${error}: ${message}`);
    }
    return value;
  };

  try {
    for (let tries = 0; ; tries += 1) {
      const ready = await call('GET', '/status').then(
        () => true,
        () => false,
      );
      if (ready) break;
      if (tries === waitForDriver) throw new Error('WebKitWebDriver does not answer');
      await new Promise((later) => {
        setTimeout(later, 100);
      });
    }
    const { sessionId } = (await call('POST', '/session', { capabilities: { alwaysMatch: {} } })) as {
      sessionId: string;
    };
    const session = `/session/${sessionId}`;
    await call('POST', `${session}/window/rect`, { x: 0, y: 0, ...windowSize });
    const run = (script: string, args: unknown[]) => call('POST', `${session}/execute/sync`, { script, args });
    return {
      open: async (url) => {
        await call('POST', `${session}/url`, { url });
      },
      find: async (script, ...args) => {
        const found = (await run(
          `const found = (${script.toString()}).apply(null, arguments);
          found?.scrollIntoView({ block: 'center', behavior: 'instant' });
          return found;`,
          args,
        )) as Record<string, string> | null;
        const id = found?.[elementKey];
        if (!id) return null;
        return {
          click: async () => {
            await call('POST', `${session}/element/${id}/click`, {});
          },
          type: async (text) => {
            await call('POST', `${session}/element/${id}/value`, { text });
          },
          ask: async (script) =>
            (await run(`return (${script.toString()})(arguments[0]);`, [found])) as ReturnType<typeof script>,
        };
      },
      ask: async (script, ...args) =>
        (await run(`return (${script.toString()}).apply(null, arguments);`, args)) as ReturnType<typeof script>,
      picture: async () => Buffer.from((await call('GET', `${session}/screenshot`)) as string, 'base64'),
      close: async () => {
        await call('DELETE', session).catch(() => {});
        await end();
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}
