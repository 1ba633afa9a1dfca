// Talking to the server. Every call takes a signal that cancels it: the server
// stops its search when the connection closes.

async function refused(r) {
  return new Error((await r.text()).trim() || `${r.status} ${r.statusText}`);
}

// alive is called with whether the server answers, after each question.
let alive = () => {};
export function watchServer(told) { alive = told; }

// ask is fetch with the page's words for a server that is not there.
async function ask(path, options) {
  try {
    const r = await fetch(path, options);
    alive(true);
    return r;
  } catch (e) {
    throw gone(e);
  }
}

function gone(e) {
  if (aborted(e)) return e;
  alive(false);
  return new Error('not answered: onlooker is not running any more');
}

// knock asks the server whether it is there.
export async function knock() {
  try { await ask('icon.svg', { method: 'HEAD', cache: 'no-store' }); } catch { /* alive was told */ }
}

function request(path, body, signal) {
  return ask(path, {
    method: 'POST', signal, body: body instanceof Blob ? body : JSON.stringify(body),
    headers: { 'Content-Type': body instanceof Blob ? 'application/octet-stream' : 'application/json' },
  });
}

export async function get(path) {
  const r = await ask(path);
  if (!r.ok) throw await refused(r);
  return r.json();
}

export async function post(path, body, signal) {
  const r = await request(path, body, signal);
  if (!r.ok) throw await refused(r);
  return r.json();
}

// stream calls back with each line of the answer; an "error" line is thrown.
export async function stream(path, body, signal, onLine) {
  const r = await request(path, body, signal);
  if (!r.ok) throw await refused(r);
  const reader = r.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    let part;
    try { part = await reader.read(); } catch (e) { throw gone(e); }
    const { value, done } = part;
    if (done) break;
    const lines = (rest + value).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      if (!line) continue;
      const v = JSON.parse(line);
      if (v.kind === 'error') throw new Error(v.error);
      onLine(v);
    }
  }
}

// given is the file of a name that the page was begun with.
export async function given(name) {
  const blob = await (await ask('api/given')).blob();
  return new File([blob], name, { type: blob.type });
}

// The families, asked once.
let known;
export const games = () => (known ??= get('api/games').catch((e) => { known = undefined; throw e; }));

// Text in an address: base64 as RFC 4648 has it for URLs.
export function pack(text) {
  let s = '';
  for (const b of new TextEncoder().encode(text)) s += String.fromCharCode(b);
  return btoa(s).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

export function unpack(code) {
  const s = atob(code.replaceAll('-', '+').replaceAll('_', '/'));
  return new TextDecoder().decode(Uint8Array.from(s, (c) => c.charCodeAt(0)));
}

// link is the part of an address that shows a puzzle in a view.
export function link(view, board) {
  return `#${view}?f=${encodeURIComponent(board.family)}&t=${pack(board.text)}`;
}

export const aborted = (e) => e.name === 'AbortError';
