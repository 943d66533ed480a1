// What lets the pages of a mate open without network. It keeps the page and its files, which are the same for everybody, and
// no answer of the server: whatever is not named here passes by it.
const place = 'portage-crew-1';
const shell = '/dashboard/my-jobs';
const files = '/dashboard/assets/';
/** Files that no page has named for so long belong to a version that is gone. */
const longest = 30 * 24 * 60 * 60 * 1000;

const isCrew = (path) =>
  path === shell || path.startsWith(`${shell}/`) || path === '/dashboard' || path === '/dashboard/';
const isWhole = (answer) => answer.ok && !answer.redirected && answer.type === 'basic';

async function keep(key, answer) {
  const kept = await caches.open(place);
  await kept.put(key, answer);
}

/** The page from the server, and a copy of it for later; without network the copy. */
async function page(request) {
  try {
    const answer = await fetch(request);
    if (isWhole(answer)) await keep(shell, answer.clone());
    return answer;
  } catch (error) {
    const copy = await caches.match(shell, { cacheName: place, ignoreVary: true });
    if (copy) return copy;
    throw error;
  }
}

/** A file of the build never changes under its name. */
async function file(request) {
  const copy = await caches.match(request, { cacheName: place, ignoreVary: true });
  if (copy) return copy;
  const answer = await fetch(request);
  if (isWhole(answer)) await keep(request, answer.clone());
  return answer;
}

/** Takes in the files that an open page has loaded, and drops those of versions that are gone. */
async function keepFiles(names) {
  const wanted = new Set(names.filter((name) => new URL(name, location.origin).pathname.startsWith(files)));
  const kept = await caches.open(place);
  await Promise.all(
    [...wanted].map(async (name) => {
      if (await kept.match(name, { ignoreVary: true })) return;
      const answer = await fetch(name);
      if (isWhole(answer)) await kept.put(name, answer);
    }),
  );
  const requests = await kept.keys();
  await Promise.all(
    requests.map(async (request) => {
      if (!new URL(request.url).pathname.startsWith(files) || wanted.has(request.url)) return;
      const copy = await kept.match(request, { ignoreVary: true });
      const age = Date.now() - Date.parse(copy?.headers.get('date') ?? '');
      if (!(age < longest)) await kept.delete(request);
    }),
  );
}

addEventListener('install', (event) => {
  event.waitUntil(
    fetch(shell).then(async (answer) => {
      if (isWhole(answer)) await keep(shell, answer);
      await self.skipWaiting();
    }),
  );
});
addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
addEventListener('message', (event) => {
  if (Array.isArray(event.data?.files)) event.waitUntil(keepFiles(event.data.files));
});
addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin) return;
  if (request.mode === 'navigate') {
    if (isCrew(url.pathname)) event.respondWith(page(request));
  } else if (url.pathname.startsWith(files)) {
    event.respondWith(file(request));
  }
});
