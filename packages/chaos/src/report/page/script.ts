/**
 * What makes the page answer: pointing, choosing, filtering, stretching. It builds nothing but text nodes and plain elements, and reads what
 * the recordings hold as data.
 */
export const PAGE_SCRIPT = `'use strict';
(() => {
  const tip = document.getElementById('tip');
  const SHOWN = 600, MOST = 64;

  const showTip = (text, event) => {
    tip.textContent = text;
    tip.hidden = false;
    const { width, height } = tip.getBoundingClientRect();
    tip.style.left = Math.max(4, Math.min(event.clientX + 14, innerWidth - width - 8)) + 'px';
    tip.style.top = (event.clientY + height + 26 > innerHeight ? event.clientY - height - 12 : event.clientY + 16) + 'px';
  };
  const element = (name, text) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    return made;
  };

  for (const figure of document.querySelectorAll('.recording')) {
    const rows = JSON.parse(document.getElementById(figure.dataset.recording).textContent);
    const plane = figure.querySelector('.plane'), scroll = figure.querySelector('.scroll'), cursor = figure.querySelector('.cursor');
    const list = figure.querySelector('.events ol'), detail = figure.querySelector('.detail');
    const input = figure.querySelector('input'), matches = figure.querySelector('.filter output'), factor = figure.querySelector('.zoom output');
    const first = rows.length ? rows[0][0] : 0, last = Math.max(rows.length ? rows[rows.length - 1][0] : 1, first + 1);
    let scale = 1, chosen = -1, found = rows.map((_, at) => at);

    const show = (from) => {
      const start = Math.max(0, Math.min(from, found.length - SHOWN));
      list.replaceChildren(...found.slice(start, start + SHOWN).map((at) => {
        const [time, tone, text, , violation] = rows[at];
        const row = element('li');
        row.className = tone + (violation ? ' guilty' : '');
        row.dataset.i = at;
        row.append(element('span', time.toFixed(1)), element('span', (violation ? '❌ ' + violation + '  ' : '') + text));
        if (at === chosen) row.setAttribute('aria-current', 'true');
        return row;
      }));
      matches.textContent = found.length > SHOWN ? (start + 1) + '–' + (start + Math.min(SHOWN, found.length)) + ' of ' + found.length : found.length + '';
    };

    const choose = (at, reveal) => {
      if (!(at in rows)) return;
      chosen = at;
      const [time, , text, whole] = rows[at];
      detail.replaceChildren(element('h4', text), element('pre', whole));
      const x = ((time - first) / (last - first)) * 100;
      cursor.setAttribute('x1', x + '%');
      cursor.setAttribute('x2', x + '%');
      for (const old of plane.querySelectorAll('.selected')) old.classList.remove('selected');
      plane.querySelector('[data-i="' + at + '"]')?.classList.add('selected');
      if (reveal) {
        const place = (x / 100) * plane.clientWidth;
        if (place < scroll.scrollLeft || place > scroll.scrollLeft + scroll.clientWidth - 40) scroll.scrollLeft = place - scroll.clientWidth / 2;
      }
      let row = list.querySelector('[data-i="' + at + '"]');
      if (!row) { show(found.findIndex((each) => each >= at) - 20); row = list.querySelector('[data-i="' + at + '"]'); }
      for (const old of list.querySelectorAll('[aria-current]')) old.removeAttribute('aria-current');
      if (row) {
        row.setAttribute('aria-current', 'true');
        if (row.offsetTop < list.offsetTop + list.scrollTop || row.offsetTop > list.offsetTop + list.scrollTop + list.clientHeight - 24) list.scrollTop = row.offsetTop - list.offsetTop - list.clientHeight / 2;
      }
    };

    const stretch = (to, around) => {
      const next = Math.max(1, Math.min(MOST, to)), middle = around ?? scroll.clientWidth / 2;
      const place = (scroll.scrollLeft + middle) / plane.clientWidth;
      scale = next;
      plane.style.width = scale * 100 + '%';
      figure.dataset.scale = scale;
      factor.textContent = scale + '×';
      scroll.scrollLeft = place * plane.clientWidth - middle;
    };

    figure.addEventListener('click', (event) => {
      const zoom = event.target.closest('[data-zoom]');
      if (zoom) return stretch(zoom.dataset.zoom === 'in' ? scale * 2 : scale / 2);
      const marked = event.target.closest('[data-i]');
      if (marked) choose(Number(marked.dataset.i), marked.closest('ol') !== null);
    });
    plane.addEventListener('pointermove', (event) => {
      const at = event.target.dataset?.i ?? event.target.closest('[data-i]')?.dataset.i;
      if (at === undefined) tip.hidden = true;
      else showTip(rows[at][0].toFixed(1) + ' ms   ' + rows[at][2], event);
    });
    plane.addEventListener('pointerleave', () => (tip.hidden = true));
    scroll.addEventListener('wheel', (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      stretch(event.deltaY < 0 ? scale * 2 : scale / 2, event.clientX - scroll.getBoundingClientRect().left);
    }, { passive: false });
    figure.addEventListener('keydown', (event) => {
      const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (event.target === input || by === undefined) return;
      event.preventDefault();
      const at = found.indexOf(chosen);
      choose(found[at < 0 ? 0 : Math.max(0, Math.min(found.length - 1, at + by))], true);
    });
    input.addEventListener('input', () => {
      const wanted = input.value.toLowerCase();
      found = rows.map((_, at) => at).filter((at) => rows[at][2].toLowerCase().includes(wanted));
      show(0);
    });
    for (const chip of figure.parentElement.querySelectorAll('[data-go]')) chip.addEventListener('click', () => choose(Number(chip.dataset.go), true));
    show(0);
    const guilty = rows.findIndex((row) => row[4]);
    if (guilty >= 0) choose(guilty, true);
  }

  for (const button of document.querySelectorAll('[data-copy]')) {
    button.addEventListener('click', () => navigator.clipboard?.writeText(button.dataset.copy).then(() => (button.textContent = 'Copied')));
  }
  document.querySelector('.theme').addEventListener('click', () => {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    root.dataset.theme = dark ? 'light' : 'dark';
  });
})();
`;
