// Calibrate: a look is taught by screenshots. The server finds boards, asks what it is unsure
// of, and learns; the page shows and asks.

import { post, stream } from './api.js';
import { fields } from './fields.js';
import { make, parse } from './svg.js';
import { Sight } from './sight.js';
import * as edit from './edit.js';

const $ = (id) => document.getElementById(id);

export const state = {
  id: 0, // the lesson's; 0: none is begun
  urls: new Map(), // of the pictures, by name
  pictures: [], question: null, answers: [],
  told: false, // all that is asked was answered
  busy: false,
};

// Steps ----------------------------------------------------------------------------

// work does one thing at a time; what fails is said.
async function work(words, act) {
  if (state.busy) return;
  state.busy = true;
  $('teach-trouble').textContent = '';
  stage({ said: words, of: 0 });
  draw();
  try { await act(); } catch (e) { trouble(e.message); }
  state.busy = false;
  $('teach-progress').hidden = true;
  draw();
}

function trouble(words) {
  $('teach-trouble').append(Object.assign(document.createElement('span'), { textContent: words }), document.createElement('br'));
}

function stage({ said, done, of }) {
  $('teach-progress').hidden = false;
  const bar = $('teach-progress').querySelector('progress');
  if (of) bar.value = done / of;
  else bar.removeAttribute('value');
  $('teach-progress').querySelector('span').textContent = of ? `${said}: ${done + 1} of ${of}` : said;
}

// step has the server do one step of the lesson.
function step(act, more, words) {
  return work(words, () => stream('api/teach/do', { id: state.id, act, ...more }, undefined, (line) => {
    if (line.kind === 'stage') return stage(line);
    state.answers = line.answers ?? [];
    state.question = line.question ?? null;
    if (act === 'guess') $('teach-given').open = true;
    if (['ask', 'answer', 'guess', 'back'].includes(act)) state.told = !line.question;
    if (act === 'drop') state.told = false;
    if (act === 'learn') proved(line);
    else if (act === 'write') kept(line.folder, more.text);
    else if (line.pictures) shown(line.pictures);
  }));
}

// take adds pictures.
export function take(files) {
  return work('', async () => {
    state.id ||= (await post('api/teach/begin', {})).id;
    for (const [i, file] of files.entries()) {
      stage({ said: 'looking at the pictures', done: i, of: files.length });
      try {
        const got = await post(`api/teach/picture?${new URLSearchParams({ id: state.id, name: file.name })}`, file);
        const name = got.pictures.at(-1).name;
        state.urls.set(name, URL.createObjectURL(file));
        Object.assign(state, { told: false, question: null, answers: [] });
        shown(got.pictures);
      } catch (e) {
        trouble(e.message.startsWith(file.name) ? e.message : `${file.name}: ${e.message}`);
      }
    }
  });
}

// Pictures -------------------------------------------------------------------------

// shown shows the pictures with what is known of their boards, to be put right.
function shown(pictures) {
  state.pictures = pictures;
  for (const id of ['teach-write', 'teach-proof']) $(id).hidden = true;
  $('teach-said').replaceChildren();
  figures(pictures, 'Put it right', (b) => edit.putRight(b, { ...b, href: `api/teach/board?id=${state.id}&number=${b.number}` }, async (now) => {
    await step('right', { number: b.number, family: now.family, text: now.text }, '');
    if ($('teach-trouble').textContent) throw new Error($('teach-trouble').textContent);
    location.hash = '#calibrate';
  }));
}

function figures(pictures, choice, chosen) {
  $('teach-pictures').replaceChildren(...pictures.map((p, i) => {
    const figure = document.createElement('figure'), host = document.createElement('div');
    const sight = new Sight(host, chosen, choice);
    sight.frame(state.urls.get(p.name));
    sight.slider.value = 0.5;
    sight.sight(p);
    const caption = Object.assign(document.createElement('figcaption'), { className: 'row', textContent: p.name });
    if (choice) {
      const away = Object.assign(document.createElement('button'), { type: 'button', textContent: 'Take it away' });
      away.setAttribute('aria-label', `take ${p.name} away`);
      away.addEventListener('click', () => step('drop', { number: i }, ''));
      caption.append(away);
    }
    figure.append(caption, host);
    return figure;
  }));
}

// Questions --------------------------------------------------------------------------

const sorts = { node: 'corners', edge: 'edges', 'way out': 'ways out', cell: 'cells', colour: 'colours' };

function ask(q) {
  const number = state.answers.length + 1, step = Object.keys(sorts).indexOf(q.sort) + 1;
  $('teach-what').textContent = `${q.spots.length > 1 ? `What are these ${q.spots.length}?` : 'What is this?'} Question ${number}${q.left ? `, ${q.left} more of the ${sorts[q.sort]} after it` : ''}; ${sorts[q.sort]} are step ${step} of 5`;
  $('teach-where').textContent = q.where;
  $('teach-sheet').src = q.sheet;
  const p = state.pictures[q.spots[0].picture], r = p.width / 40;
  $('teach-place').setAttribute('viewBox', `0 0 ${p.width} ${p.height}`);
  $('teach-place').replaceChildren(make('image', { href: state.urls.get(p.name), width: p.width, height: p.height }),
    ...q.spots.filter((s) => s.picture === q.spots[0].picture).flatMap(({ at: [x, y] }) => [['halo', 3], ['', 6]].map(([c, thin]) => make('circle', { cx: x, cy: y, r, class: c, 'stroke-width': r / thin }))));
  $('teach-differ').hidden = q.spots.length < 2;
  $('teach-shape').replaceChildren();
  const values = {};
  if (q.choices.some((c) => pieces.test(c.answer))) {
    fields($('teach-shape'), [{ name: 'shape', kind: 'squares', label: 'the squares of a piece', most: 5, value: '' }], values, () => choices(q, values.shape));
    $('teach-shape').prepend('A piece of other squares:');
  }
  choices(q, '');
  ($('teach-choices').querySelector('.guess') ?? $('teach-choices').firstChild).focus();
  $('teach-guess').hidden = !q.guess;
  $('teach-guess').textContent = `Take ${q.guess} and all guesses of the ${sorts[q.sort]}`;
}

// said is a sheet of tiles: what was answered, to be asked again.
function said() {
  $('teach-answers').replaceChildren(...state.answers.map((a, i) => {
    const li = document.createElement('li'), again = Object.assign(document.createElement('button'), { type: 'button' });
    // The first place of its sheet stands for all.
    again.append(Object.assign(document.createElement('img'), { src: `api/teach/tile?id=${state.id}&number=${i}&of=${a.sort}${a.answer}`, alt: '', loading: 'lazy' }),
      a.spots.length > 1 ? `${a.answer} × ${a.spots.length}` : a.answer);
    again.setAttribute('aria-label', `${a.answer}, answer ${i + 1}: ask again`);
    again.addEventListener('click', () => back(i));
    li.append(again);
    return li;
  }));
}

const pieces = /\bpiece\b/, shaped = / [#./]+$/;

// choices shows what may be answered; pieces have the shape that was drawn, if one was.
function choices(q, shape) {
  $('teach-choices').replaceChildren(...q.choices.map((c) => {
    const own = shape && pieces.test(c.answer);
    const answer = own ? `${c.answer.replace(shaped, '')} ${shape}` : c.answer;
    const b = Object.assign(document.createElement('button'), { type: 'button' });
    if (c.svg && !own) {
      const svg = parse(c.svg);
      svg.setAttribute('viewBox', '0.2 0.2 1.6 1.6'); // the cell alone
      b.append(svg);
    }
    b.append(own ? answer : answer.replace(shaped, ''));
    b.dataset.answer = answer;
    b.setAttribute('aria-label', answer);
    if (answer === q.guess) {
      b.classList.add('guess');
      b.title = 'what it is most like';
    }
    b.addEventListener('click', () => say(answer));
    return b;
  }));
}

const say = (text) => step('answer', { text }, 'comparing what looks alike');
const back = (number) => step('back', { number }, 'asking again');

// Proof ------------------------------------------------------------------------------

function proved(line) {
  figures(line.proof, '', () => {});
  $('teach-said').replaceChildren(...line.said.map((words) => Object.assign(document.createElement('li'), { textContent: words })));
  $('teach-kept').replaceChildren();
  const truth = Object.assign(document.createElement('a'), { href: `api/teach/truth?id=${state.id}`, download: 'truth.jsonl', textContent: 'What the screenshots show, as a file' });
  $('teach-kept').append(truth);
  // The pictures' common name is a proposal.
  $('teach-name').value ||= state.pictures[0].name.toLowerCase().replace(/[-_ ]?\d*\.\w+$/, '').replace(/[^a-z0-9]+/g, '-').replace(/^-+/, '').slice(0, 40);
  for (const id of ['teach-write', 'teach-proof']) $(id).hidden = false;
}

function kept(folder, name) {
  $('teach-kept').append(` Kept in ${folder}. This page reads by it, and so does: onlooker read --profile ${name} FILE`);
}

function draw() {
  $('teach-go').textContent = state.told ? 'Learn this look' : 'Ask what is unsure';
  $('teach-go').hidden = !!state.question;
  $('teach-go').disabled = state.busy || !state.pictures.length;
  $('teach-over').hidden = !state.id;
  $('teach-question').hidden = !state.question;
  $('teach-pictures').hidden = !!state.question;
  for (const b of document.querySelectorAll('#calibrate button:not(#teach-go), #teach-file')) b.disabled = state.busy;
  $('teach-given').hidden = !state.answers.length;
  if (!state.busy) said();
  if (state.question && !state.busy) ask(state.question);
  $('teach-back').disabled = state.busy || !state.answers.length;
}

$('teach-file').addEventListener('change', async (e) => {
  await take([...e.target.files]);
  e.target.value = '';
});
$('teach-go').addEventListener('click', () => (state.told ? step('learn', {}, 'learning') : step('ask', {}, 'comparing what looks alike')));
$('teach-over').addEventListener('click', () => {
  for (const url of state.urls.values()) URL.revokeObjectURL(url);
  Object.assign(state, { id: 0, urls: new Map(), question: null, answers: [], told: false });
  shown([]);
  draw();
});
$('teach-guess').addEventListener('click', () => step('guess', {}, 'comparing what looks alike'));
$('teach-differ').addEventListener('click', () => say('differ'));
$('teach-unknown').addEventListener('click', () => say('?'));
$('teach-back').addEventListener('click', () => back(state.answers.length - 1));
addEventListener('keydown', (e) => {
  if (document.getElementById('calibrate').hidden || !(e.ctrlKey || e.metaKey) || e.key.toLowerCase() !== 'z' || e.target.tagName === 'INPUT') return;
  e.preventDefault();
  $('teach-back').click();
});
$('teach-write').addEventListener('submit', (e) => {
  e.preventDefault();
  step('write', { text: $('teach-name').value }, 'writing');
});
