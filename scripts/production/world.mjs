// The outside world of scripts/production.sh, in a process of its own: a card gateway and maps by https (what the
// demo simulates, under addresses of its own), and a mail relay by TLS that asks for a password and keeps what it
// was given. With a fourth port also a proxy, for a machine without nginx and Caddy.
//   node world.mjs FOLDER SIMULATOR_PORT HTTPS_PORT RELAY_PORT [PROXY_PORT SITE_PORT]
// FOLDER has localhost.pem and localhost.key; mails go to FOLDER/mails/.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';

const [folder, ...ports] = process.argv.slice(2);
const [simulator, gateway, relay, proxy, site] = ports.map(Number);
const identity = {
  cert: readFileSync(join(folder, 'localhost.pem')),
  key: readFileSync(join(folder, 'localhost.key')),
};
const mails = join(folder, 'mails');
mkdirSync(mails, { recursive: true });

/** Hands a request on, by a connection of its own, and its answer back. */
function passOn(req, res, port, path, headers) {
  const onward = httpRequest({ host: '127.0.0.1', port, path, method: req.method, headers, agent: false }, (answer) => {
    res.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(res);
  });
  onward.on('error', () => {
    if (!res.headersSent) res.writeHead(502);
    res.end();
  });
  req.pipe(onward);
}

// The addresses of the real services: /graphql, /search/geocode/v6/…, /directions/v5/…
createServer(identity, (req, res) => {
  const path = req.url ?? '/';
  const place = /^\/(search|directions)\//.test(path) ? '/simulators/mapbox' : '/simulators/braintree';
  passOn(req, res, simulator, place + path, { ...req.headers, host: `localhost:${simulator}` });
}).listen(gateway, '127.0.0.1');

if (proxy) {
  createServer(identity, (req, res) => {
    passOn(req, res, site, req.url, { ...req.headers, 'x-forwarded-for': req.socket.remoteAddress });
  }).listen(proxy, '127.0.0.1');
}

// A relay: EHLO, AUTH PLAIN, MAIL, RCPT, DATA, QUIT.
const account = Buffer.from('\0move@relay.example\0p@ss word').toString('base64');
let count = 0;
createTlsServer(identity, (socket) => {
  let input = '';
  let lines = null;
  let known = false;
  const say = (text) => socket.write(`${text}\r\n`);
  const command = (line) => {
    const word = line.slice(0, 4).toUpperCase();
    if (word === 'EHLO') say('250-relay.example\r\n250-AUTH PLAIN\r\n250 8BITMIME');
    else if (word === 'AUTH') {
      known = line.slice(5) === `PLAIN ${account}`;
      say(known ? '235 welcome' : '535 the password is wrong');
    } else if (word === 'QUIT') {
      say('221 goodbye');
      socket.end();
    } else if (!known) say('530 who are you');
    else if (word === 'DATA') {
      lines = [];
      say('354 go on');
    } else say('250 fine');
  };
  const content = (line) => {
    if (line !== '.') {
      lines.push(line.startsWith('.') ? line.slice(1) : line);
      return;
    }
    count += 1;
    const file = join(mails, `${String(count).padStart(4, '0')}.eml`);
    writeFileSync(`${file}.part`, lines.join('\n'));
    renameSync(`${file}.part`, file);
    lines = null;
    say(`250 taken as ${count}`);
  };
  socket.setEncoding('utf8');
  socket.on('error', () => {});
  socket.on('data', (piece) => {
    input += piece;
    for (let end = input.indexOf('\r\n'); end >= 0; end = input.indexOf('\r\n')) {
      const line = input.slice(0, end);
      input = input.slice(end + 2);
      if (lines === null) command(line);
      else content(line);
    }
  });
  say('220 relay.example');
}).listen(relay, '127.0.0.1');

process.on('SIGTERM', () => process.exit(0));
