#!/usr/bin/env node
// Runs the test programs that `cargo test --no-run --message-format=json` names on its standard output, some at a
// time: many of them wait for clocks and sockets. What each prints appears when it has ended; its time stands beside
// its name. The order is by the time each took here before (`slow`), so that the last one to end is a short one.
//
//   cargo test --workspace --tests --benches --no-run --message-format=json | node scripts/rust-suites.mjs
//
// The seeded simulation is not among them: it only calculates, for minutes, and no clock but its own goes on meanwhile. With
// `--simulation FILE` it runs alone, on what everything else leaves of the processors. Once FILE is there it begins no further
// schedule: how many of these were run stands in its closing line, and there are never fewer than `least`.
import { spawn } from 'node:child_process';
import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const atOnce = 3;
const slow = ['chaos', 'crash', 'use_cases', 'api', 'whole', 'timelines', 'conformance', 'identity'];

const option = process.argv.indexOf('--simulation');
const enough = option < 0 ? undefined : process.argv[option + 1];
const schedules = '20000';
const least = '4000';
const isSimulation = ({ crate, name }) => crate === 'service' && name === 'simulation';
const idly = fileURLToPath(new URL('idly', import.meta.url));

// The use cases wait for moments to pass, four fifths of their time: with as many at once as processors those would idle.
const waits = ({ name }) => name === 'use_cases';
const waitingAtOnce = '6';

const suites = [];
for await (const line of createInterface({ input: process.stdin })) {
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    continue;
  }
  const rendered = message.message?.rendered;
  if (rendered) process.stderr.write(rendered);
  if (message.reason !== 'compiler-artifact' || !message.executable || !message.profile.test) continue;
  // A benchmark is measured by `just bench`; here it only has to compile.
  if (message.target.kind.includes('bench')) continue;
  const folder = dirname(message.manifest_path);
  // The key of a package names it where its folder does not.
  const named = /#([^@]+)@/.exec(message.package_id);
  const suite = { name: message.target.name, crate: named ? named[1] : folder.split(/[\\/]/).pop(), folder, program: message.executable };
  if (isSimulation(suite) === (enough !== undefined)) suites.push(suite);
}
if (suites.length === 0) {
  console.error('No test program was named: the build failed, or nothing was asked for.');
  process.exit(1);
}
const rank = ({ name }) => (slow.includes(name) ? slow.indexOf(name) : slow.length);
suites.sort((a, b) => rank(a) - rank(b));

// What is to be done at the end (`process.on('exit')`) is done after an interrupt, too.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

// Thousands of databases are made and thrown away: in memory, where the machine has it to spare, half of the longest
// programs' time goes (many small files; nothing there outlives the tests).
const memory = '/dev/shm';
const roomy = 4 * 2 ** 30;
const temporary = () => {
  try {
    accessSync(memory, constants.W_OK);
    const { bavail, bsize } = statfsSync(memory);
    if (bavail * bsize < roomy) return undefined;
    const folder = mkdtempSync(`${memory}/portage-tests-`);
    // As /tmp is: PostgreSQL's account makes folders of its own in it when these tests are root's.
    chmodSync(folder, 0o1777);
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
    return folder;
  } catch {
    return undefined;
  }
};
const folder = process.env.TMPDIR ? undefined : temporary();
// A panic names its line; twenty frames of an executor below each would push the others out of sight.
const place = { ...(folder ? { TMPDIR: folder } : {}), RUST_BACKTRACE: '0' };

const failed = [];
const run = (suite) =>
  new Promise((resolve) => {
    const began = Date.now();
    const output = [];
    const more = {
      ...(isSimulation(suite) ? { PORTAGE_SIM_SCHEDULES: schedules, PORTAGE_SIM_LEAST: least, PORTAGE_SIM_STOP: enough } : {}),
      ...(waits(suite) ? { RUST_TEST_THREADS: waitingAtOnce } : {}),
    };
    const command = isSimulation(suite) ? [idly, suite.program, '--nocapture'] : [suite.program];
    const child = spawn(command[0], command.slice(1), {
      cwd: suite.folder,
      env: { ...process.env, ...place, ...more, CARGO_MANIFEST_DIR: suite.folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    // The simulation is a session of its own (`idly`), which an interrupt at the terminal does not reach.
    if (isSimulation(suite)) process.on('exit', () => child.kill());
    child.stdout.on('data', (data) => output.push(data));
    child.stderr.on('data', (data) => output.push(data));
    const end = (why) => {
      if (why) failed.push({ name: `${suite.crate} ${suite.name} (${why})`, output: Buffer.concat(output).toString() });
      console.log(`     Ran ${suite.crate} ${suite.name} in ${((Date.now() - began) / 1000).toFixed(1)} s`);
      process.stdout.write(Buffer.concat(output));
      resolve();
    };
    child.on('error', (error) => end(error.message));
    child.on('close', (code, signal) => end(code === 0 ? '' : (signal ?? `exit code ${code}`)));
  });

const began = Date.now();
const lane = async () => {
  for (let next = suites.shift(); next; next = suites.shift()) await run(next);
};
const total = suites.length;
await Promise.all(Array.from({ length: atOnce }, lane));
const time = ((Date.now() - began) / 1000).toFixed(0);
if (failed.length > 0) {
  // What went wrong stands far above by now: once more, where people look first, the list of all programs at the very end.
  for (const { name, output } of failed) {
    const at = output.indexOf('\nfailures:\n');
    console.log(`\n---- ${name}\n${at < 0 ? output.slice(-4000) : output.slice(at).trim()}`);
  }
  console.log(`\n${failed.length} of ${total} test programs failed: ${failed.map(({ name }) => name).join(', ')}`);
  process.exit(1);
}
console.log(`\n${total} test ${total === 1 ? 'program' : 'programs'} passed in ${time} s`);
