// Inputs for what a tool or a wish takes, from the server's description.

import { make } from './svg.js';

// fields fills a box with inputs, and returns an object that always holds
// their present values. changed is called after each change.
export function fields(host, list, values, changed) {
  const set = (name, value) => {
    values[name] = value;
    changed?.(name);
  };
  for (const f of list) values[f.name] ??= f.value;
  host.replaceChildren(...list.map((f) => builders[f.kind](f, values[f.name], (v) => set(f.name, v))));
  return values;
}

function labelled(f, input) {
  const label = document.createElement('label');
  label.append(`${f.label} `, input);
  return label;
}

const builders = {
  choice(f, value, set) {
    const select = document.createElement('select');
    for (const c of f.choices) select.append(new Option(c, c, false, c === value));
    select.dataset.field = f.name;
    select.addEventListener('change', () => set(select.value));
    return labelled(f, select);
  },
  number(f, value, set) {
    const input = Object.assign(document.createElement('input'), { type: 'number', min: f.least, max: f.most, value, required: true });
    input.dataset.field = f.name;
    input.addEventListener('change', () => input.reportValidity() && set(input.value));
    return labelled(f, input);
  },
  flag(f, value, set) {
    const input = Object.assign(document.createElement('input'), { type: 'checkbox', checked: value === 'on' });
    input.dataset.field = f.name;
    input.addEventListener('change', () => set(input.checked ? 'on' : ''));
    const label = document.createElement('label');
    label.className = 'check';
    label.append(input, f.label);
    return label;
  },
  words(f, value, set) {
    const input = Object.assign(document.createElement('input'), { value, size: 8 });
    input.dataset.field = f.name;
    input.addEventListener('change', () => set(input.value));
    return labelled(f, input);
  },
  colour(f, value, set) {
    const group = document.createElement('div');
    group.className = 'swatches';
    group.setAttribute('role', 'group');
    group.setAttribute('aria-label', f.label);
    const other = Object.assign(document.createElement('input'), { type: 'color', value: value.startsWith('#') ? value : '#808080', title: 'another colour' });
    other.setAttribute('aria-label', 'another colour');
    const press = (v) => {
      for (const b of group.querySelectorAll('button')) b.setAttribute('aria-pressed', b.dataset.value === v);
    };
    for (const c of f.choices) {
      const b = Object.assign(document.createElement('button'), { type: 'button', title: c });
      b.dataset.value = c;
      b.setAttribute('aria-label', c);
      const svg = make('svg', { viewBox: '0 0 1 1', 'aria-hidden': 'true' });
      svg.append(make('rect', { width: 1, height: 1, fill: c }));
      b.append(svg);
      b.addEventListener('click', () => { press(c); set(c); });
      group.append(b);
    }
    other.addEventListener('input', () => { press(''); set(other.value); });
    group.append(other);
    press(value);
    return group;
  },
  squares(f, value, set) {
    const n = f.most;
    const rows = value.split('/');
    const on = Array.from({ length: n }, (_, y) => Array.from({ length: n }, (_, x) => rows[y]?.[x] === '#'));
    const host = document.createElement('div');
    host.className = 'squares';
    host.setAttribute('role', 'group');
    host.setAttribute('aria-label', f.label);
    for (let y = 0; y < n; y++) {
      const row = document.createElement('div');
      for (let x = 0; x < n; x++) {
        const b = Object.assign(document.createElement('button'), { type: 'button' });
        b.setAttribute('aria-label', `row ${y + 1} column ${x + 1}`);
        b.setAttribute('aria-pressed', on[y][x]);
        b.addEventListener('click', () => {
          on[y][x] = !on[y][x];
          b.setAttribute('aria-pressed', on[y][x]);
          const drawn = shape(on);
          if (drawn) set(drawn);
        });
        row.append(b);
      }
      host.append(row);
    }
    return host;
  },
};

// shape is what is drawn in a grid, cut to its size, as ##/.#; '' for nothing.
function shape(on) {
  const cells = on.flatMap((row, y) => row.flatMap((v, x) => (v ? [[x, y]] : [])));
  if (!cells.length) return '';
  const xs = cells.map((c) => c[0]), ys = cells.map((c) => c[1]);
  const rows = [];
  for (let y = Math.min(...ys); y <= Math.max(...ys); y++) {
    let row = '';
    for (let x = Math.min(...xs); x <= Math.max(...xs); x++) row += on[y][x] ? '#' : '.';
    rows.push(row);
  }
  return rows.join('/');
}
