// Practice: the Challenge's own page, in a frame.

export function show() {
  const host = document.getElementById('practice-frame');
  if (host.firstChild) return;
  host.append(Object.assign(document.createElement('iframe'), { src: 'practice/', title: 'the practice Challenge' }));
}

// A run goes on only while it is looked at.
export function hide() { document.getElementById('practice-frame').replaceChildren(); }
