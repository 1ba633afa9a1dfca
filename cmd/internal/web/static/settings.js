// What the page remembers of its user's taste, in the browser: light or dark,
// and what the practice Challenge remembers too: how fast the mouse draws, and
// whether and how loud it sounds.

const $ = (id) => document.getElementById(id);

export const settings = {
  get theme() { return localStorage.theme ?? ''; },
  get speed() { return Number(localStorage.sens) || 1; },
  get sound() { return localStorage.sound === '1'; },
  get volume() { return localStorage.volume === undefined ? 1 : Number(localStorage.volume); },
};

function theme() {
  if (settings.theme) document.documentElement.dataset.theme = settings.theme;
  else delete document.documentElement.dataset.theme;
}

export function begin() {
  theme();
  $('set-theme').value = settings.theme;
  $('set-speed').value = settings.speed;
  $('set-sound').checked = settings.sound;
  $('set-volume').value = settings.volume;
  const told = () => { $('set-speed-said').textContent = `× ${settings.speed}`; };
  told();
  $('set-theme').addEventListener('change', () => { localStorage.theme = $('set-theme').value; theme(); });
  $('set-speed').addEventListener('input', () => { localStorage.sens = $('set-speed').value; told(); });
  $('set-sound').addEventListener('change', () => { localStorage.sound = $('set-sound').checked ? '1' : '0'; });
  $('set-volume').addEventListener('input', () => { localStorage.volume = $('set-volume').value; });
  const box = $('settings');
  const close = () => { box.open = false; };
  $('set-close').addEventListener('click', () => { close(); box.querySelector('summary').focus(); });
  addEventListener('pointerdown', (e) => box.contains(e.target) || close());
  box.addEventListener('focusout', (e) => e.relatedTarget && !box.contains(e.relatedTarget) && close());
  addEventListener('hashchange', close);
  box.addEventListener('keydown', (e) => {
    if (e.key !== 'Escape') return;
    close();
    box.querySelector('summary').focus();
  });
}
