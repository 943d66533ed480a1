import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const repository = resolve(import.meta.dirname, '../../..');

/** The server of a test run: the real program in demo mode, with a folder and a clock of its own. */
export interface TestServer {
  url: string;
  /** Sets the server's clock; the browser keeps its own. */
  setClock(instant: Date): void;
  /** Another command of the program on the same data; what it printed. */
  run(...command: string[]): string;
  stop(): Promise<void>;
}

/** A Tuesday morning, so that tomorrow is an open day whatever the calendar says today. */
export function tuesdayMorning(): Date {
  const day = new Date();
  day.setUTCDate(day.getUTCDate() + ((9 - day.getUTCDay()) % 7 || 7));
  day.setUTCHours(15, 0, 0, 0);
  return day;
}

/** Below what systems lend to clients (from 32768 on): a server that is started again finds its port still free. */
export async function freePort(): Promise<number> {
  const port = randomInt(18_000, 20_000);
  const isFree = await new Promise<boolean>((done) => {
    const probe = createServer();
    probe.once('error', () => done(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => done(true)));
  });
  return isFree ? port : freePort();
}

async function answers(url: string, child: ChildProcess, log: () => string): Promise<void> {
  for (let tries = 0; tries < 150; tries += 1) {
    if (child.exitCode !== null) throw new Error(`the server ended:\n${log()}`);
    const ready = await fetch(`${url}/readyz`).then(
      (response) => response.ok,
      () => false,
    );
    if (ready) return;
    await new Promise((later) => {
      setTimeout(later, 200);
    });
  }
  throw new Error(`the server does not answer:\n${log()}`);
}

/** `now` gives the server a clock of its own, which `setClock` moves; `at` is the port, when others must know it before; `options` are of `serve`. Starts `PORTAGE_BIN` (target/debug/portage by default) on a free port. Builds nothing: program and web app must be there. */
export async function startServer(
  now?: Date,
  settings: Record<string, string> = {},
  at?: number,
  options: string[] = [],
): Promise<TestServer> {
  const program = process.env['PORTAGE_BIN'] ?? join(repository, 'target/debug/portage');
  if (!existsSync(program)) throw new Error(`no program at ${program}; build it or set PORTAGE_BIN`);
  if (!existsSync(join(repository, 'frontend/apps/book/dist/index.html'))) {
    throw new Error('the web app is not built: run `npm run build` in frontend/');
  }
  const folder = mkdtempSync(join(tmpdir(), 'portage-e2e-'));
  const clock = join(folder, 'clock');
  const setClock = (instant: Date) => writeFileSync(clock, `${instant.toISOString()}\n`);
  if (now) setClock(now);
  const port = at ?? (await freePort());
  // one origin for issuer and cookies
  const url = `http://localhost:${port}`;
  const env = {
    ...process.env,
    PORTAGE_MODE: 'demo',
    PORTAGE_BIND: `127.0.0.1:${port}`,
    PORTAGE_PUBLIC_URL: url,
    PORTAGE_DATA_DIR: join(folder, 'data'),
    PORTAGE_DATABASE_URL: `sqlite://${join(folder, 'portage.db')}`,
    ...(now ? { PORTAGE_CLOCK_FILE: clock } : {}),
    ...settings,
  };
  let output = '';
  const child = spawn(program, ['serve', ...options], {
    cwd: repository,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-20_000);
    });
  }
  await answers(url, child, () => output);
  return {
    url,
    setClock,
    run: (...command) => execFileSync(program, command, { cwd: repository, env }).toString(),
    stop: async () => {
      const gone = new Promise((done) => {
        child.once('exit', done);
      });
      child.kill('SIGTERM');
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
