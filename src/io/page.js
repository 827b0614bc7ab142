'use strict';
/* The page that html_write.c writes: draws the trees that are in view, and searches all of them.
 *
 * A section has the sentences of a block, and behind them a script element with their trees as
 * numbers (html_write.c says which).  read() makes a tree of these, lines() and pieces() break it
 * into lines as picture_lines.c does, and picture() writes the markup that svg_write.c writes, to
 * the letter. */

/* ---- Trees ---- */

const FORM = 16, TAG = 11, LABEL = 12; // sizes of letters
const MARGIN = 16, BORDER = 48, EDGE = 8, BETWEEN = 20, LEVEL = 24, LIFT = 8, WORDS = 40;
const TOKENS = 24, END = 4, CUT = 14, DOTS = 10, ROUND = 9, BRACE = 38;
const KINDS = ['', 'e', 'old', 'new'];

const read = (block, [flags, columns, above, below, tokens, marks]) => {
  const text = block.text, column = [], arc = [], token = [];
  let x = 0, words = 0;
  for (let i = 0; i < columns.length; i += 4) {
    x += columns[i];
    const [form, lemma = form] = text[columns[i + 2]].split('\t');
    const [tag, xpos, feats] = text[columns[i + 3]].split('\t');
    column.push({ x, half: columns[i + 1], form, tag, kind: '', other: '',
      title: [lemma, xpos, feats].filter(t => t != '_').join(', ') });
  }
  for (let i = 0; i < marks.length; i += 5) {
    const [c, kind, number, other, begins] = marks.slice(i, i + 5);
    Object.assign(column[c], { kind: KINDS[kind], number, other: other < 0 ? '' : ' ≠ ' + text[other],
      begins: begins & 1, beginsThere: begins & 2 });
  }
  for (const c of column) if (c.kind != 'e' && c.kind != 'new') c.number = ++words;
  for (const list of [above, below])
    for (let i = 0; i < list.length; i += 5) {
      const [head, child, name, from, to] = list.slice(i, i + 5), k = name < 0 ? ~name : name;
      const differs = list == below || name < 0, other = head < 0 ? child : head;
      arc.push({ head, child, differs, below: list == below, label: block.label[2 * k],
        needs: block.label[2 * k + 1] + (differs ? LABEL : 0),
        left: Math.min(other, child), right: Math.max(other, child),
        from: column[other].x + from, to: column[child].x + to });
    }
  for (let i = 0; i < tokens.length; i += 3) {
    const [first, last, form] = tokens.slice(i, i + 3);
    token.push({ first, last, form: text[form] });
    for (let c = first + 1; c <= last; c++) column[c].joined = true;
  }
  return { column, arc, token, rtl: flags & 1, whole: flags & 2 };
};

/* ---- Places ---- */

const lines = (tree, limit) => {
  const column = tree.column, n = column.length, result = [];
  const left = c => column[c].x - column[c].half, right = c => column[c].x + column[c].half;
  if (tree.whole || right(n - 1) + MARGIN <= limit) limit = Infinity;
  const after = Array(n + 1).fill(MARGIN), before = Array(n + 1).fill(MARGIN);
  if (limit < Infinity)
    for (const a of tree.arc)
      for (let b = a.left + 1; b <= a.right; b++) {
        after[b] = Math.max(after[b], Math.min(a.from, a.to) + a.needs + CUT - right(b - 1));
        before[b] = Math.max(before[b], left(b) + a.needs + CUT - Math.max(a.from, a.to));
      }
  column.forEach((c, b) => { if (c.begins || c.beginsThere) before[b] += BORDER; });
  for (let first = 0, end; first < n; first = end) {
    end = 0;
    for (let b = first + 1; b <= n && !(end && right(b - 1) - left(first) > limit); b++)
      if (!(b < n && column[b].joined))
        if (!end || before[first] + right(b - 1) - left(first) + after[b] <= limit) end = b;
    for (let c = first; c < end; c++) column[c].line = result.length;
    result.push({ first, end, shift: before[first] - left(first), levels: [0, 0], tokens: 0,
      width: before[first] + right(end - 1) - left(first) + after[end] });
  }
  return result;
};

/* The part of each arc in each line that it passes, with its level. */
const pieces = (tree, line) => {
  const column = tree.column;
  const heights = [0, 1].map(() => Array(column.length + line.length).fill(0));
  for (const a of tree.arc) {
    const top = column[a.left].line, last = column[a.right].line, root = a.head < 0;
    const height = heights[+a.below];
    a.pieces = [];
    for (let k = top; k <= last; k++) {
      const from = k + (k > top ? line[k].first : a.left + !root);
      const to = k + (k < last ? line[k].end : a.right + root);
      let level = 1;
      for (let gap = from; gap <= to; gap++) level = Math.max(level, height[gap] + 1);
      if (!root) height.fill(level, from, to + 1);
      line[k].levels[+a.below] = Math.max(line[k].levels[+a.below], level);
      if (k > top && k < last) line[k].width = Math.max(line[k].width, a.needs + 2 * CUT);
      const forth = a.head < a.child;
      a.pieces.push({ line: line[k], level, fromCut: forth ? k > top : k < last,
        toCut: forth ? k < last : k > top });
    }
  }
};

const height = levels => levels ? LIFT + LEVEL * levels + LABEL : 0;

/* Sets the places of all; returns the size of the picture. */
const place = (tree, limit) => {
  const line = lines(tree, limit);
  let y = EDGE, width = 0;
  pieces(tree, line);
  for (const c of tree.column) {
    const levels = line[c.line].levels;
    if (c.begins) levels[0] = Math.max(levels[0], 1);
    if (c.beginsThere) levels[1] = Math.max(levels[1], 1);
  }
  for (const t of tree.token) line[tree.column[t.first].line].tokens = TOKENS;
  line.forEach((l, k) => {
    l.top = y + height(l.levels[0]);
    l.bottom = l.top + WORDS + l.tokens;
    y = l.bottom + height(l.levels[1]) + (k + 1 < line.length ? BETWEEN : EDGE);
    width = Math.max(width, l.width);
  });
  const placed = x => tree.rtl ? width - x : x;
  for (const c of tree.column) {
    c.line = line[c.line];
    if (c.begins || c.beginsThere)
      c.border = placed(c.x + c.line.shift - c.half - (18 + BORDER) / 2);
    c.x = placed(c.x + c.line.shift);
  }
  for (const a of tree.arc)
    for (const p of a.pieces) {
      const side = a.head < a.child ? END : p.line.width - END;
      p.from = placed(p.fromCut ? side : a.from + p.line.shift);
      p.to = placed(p.toCut ? p.line.width - side : a.to + p.line.shift);
      p.y = a.below ? p.line.bottom + LIFT + LEVEL * p.level : p.line.top - LIFT - LEVEL * p.level;
    }
  return { width, height: y };
};

/* ---- Markup ---- */

const escape = text => text.replace(/[\0-\x08\x0a-\x1f\x7f-\x9f]/g, '\ufffd')
  .replace(/[<>&"']/g, c => '&#' + c.charCodeAt(0) + ';');

const word = (c, hit) => {
  const y = c.line.top + FORM, mark = { old: '−', new: '+', e: '[' }[c.kind] || '';
  const kind = c.kind == 'e' ? ' e"' : (c.kind && ' ' + c.kind) + (hit ? ' hit' : '') +
    `" data-i="${c.number}"`;
  const other = c.other && `<tspan class="d">${escape(c.other)}</tspan>`;
  return `<g class="w${kind}>` + (c.title && `<title>${escape(c.title)}</title>`) +
    `<text x="${c.x}" y="${y}">${mark}${escape(c.form)}${c.kind == 'e' ? ']' : ''}</text>` +
    (c.tag || c.other ? `<text x="${c.x}" y="${y + TAG + 5}" class="t">${escape(c.tag)}${other}</text>`
      : '') + '</g>\n';
};

const border = (c, kind) => {
  const below = kind == 'new', base = below ? c.line.bottom : c.line.top + WORDS;
  const y = below ? base + LIFT + LEVEL : c.line.top - LIFT - LEVEL;
  return `<g class="end ${kind}"><path d="M${c.border} ${base}V${y + (below ? -6 : 6)}"/>` +
    `<text x="${c.border}" y="${y + 4}">${below ? '+' : '−'}end</text></g>\n`;
};

const token = (tree, t) => {
  const first = tree.column[t.first], last = tree.column[t.last];
  const from = tree.rtl ? last.x - last.half : first.x - first.half;
  const to = tree.rtl ? first.x + first.half : last.x + last.half, y = first.line.top + BRACE;
  return `<g class="m"><path d="M${from} ${y}v4H${to}v-4"/>` +
    `<text x="${Math.floor((from + to) / 2)}" y="${y + 18}">${escape(t.form)}</text></g>\n`;
};

const path = (p, root, base) => {
  const wide = Math.abs(p.to - p.from), r = Math.min(Math.floor(wide / 2), ROUND);
  const way = p.to < p.from ? -1 : 1, back = p.y < base ? r : -r, y = p.y, on = 2 * way, off = 3 * way;
  if (root) return `M${p.from} ${base}V${y}`;
  return (p.fromCut ? `M${p.from} ${y}h${on}m${off} 0h${on}m${off} 0`
    : `M${p.from} ${base}V${y + back}Q${p.from} ${y} ${p.from + r * way} ${y}`) +
    (p.toCut ? `H${p.to - DOTS * way}m${off} 0h${on}m${off} 0h${on}`
      : `H${p.to - r * way}Q${p.to} ${y} ${p.to} ${y + back}V${base}`);
};

const arrow = (tree, a, hit) => {
  const root = a.head < 0, sign = a.below ? 1 : -1;
  const base = p => a.below ? p.line.bottom : p.line.top, child = a.pieces.find(p => !p.toCut);
  const kind = a.differs ? (a.below ? ' new' : ' old') : '', mark = a.below ? '+' : a.differs ? '−' : '';
  return `<g class="a${kind}${root ? ' root' : ''}${hit ? ' hit' : ''}"` +
    ` data-h="${root ? 0 : tree.column[a.head].number}" data-c="${tree.column[a.child].number}">` +
    `<path d="${a.pieces.map(p => path(p, root, base(p) + sign * 3)).join('')}"/>` +
    `<path d="M${child.to - 4} ${base(child) + sign * 8}h8l-4 ${sign * -7}z"/>` +
    a.pieces.map(p => `<text x="${Math.floor((p.from + p.to) / 2)}" y="${p.y + 4}">` +
      `${mark}${escape(a.label)}</text>`).join('') + '</g>\n';
};

const picture = (tree, limit, text, hits) => {
  const size = place(tree, limit);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}"` +
    `${tree.rtl ? ' direction="rtl"' : ''} role="img" aria-label="${escape(text)}">\n` +
    tree.arc.map((a, i) => arrow(tree, a, hits.arcs[i])).reverse().join('') +
    tree.column.map((c, i) => word(c, hits.words[i]) + (c.begins ? border(c, 'old') : '') +
      (c.beginsThere ? border(c, 'new') : '')).join('') +
    tree.token.map(t => token(tree, t)).join('') + '</svg>';
};

/* ---- Search ---- */

/* Looks at the trees of a block: which words and arcs of a tree are asked for, and whether the tree
 * is.  A word is found by a part of it, a relation by its beginning; when both are asked for, the
 * word must be at one end of the relation. */
const finder = (block, asked) => {
  const form = block.text.map(t => asked.word && t.split('\t')[0].toLowerCase().includes(asked.word));
  const label = block.label.map(t => asked.relation && `${t}`.toLowerCase().startsWith(asked.relation));
  return ([, columns, above, below, , marks]) => {
    const words = [], arcs = [];
    for (let i = 2; i < columns.length; i += 4) words.push(form[columns[i]]);
    for (let i = 0; i < marks.length; i += 5) if (marks[i + 1] == 1) words[marks[i]] = false;
    for (const list of [above, below])
      for (let i = 0; i < list.length; i += 5) {
        const k = list[i + 2];
        arcs.push((!asked.word || words[list[i]] || words[list[i + 1]]) && label[2 * (k < 0 ? ~k : k)]);
      }
    return { words, arcs, found: asked.relation ? arcs.some(Boolean)
      : !asked.word || words.some(Boolean) };
  };
};

/* ---- The page ---- */

const form = document.forms[0], printed = 680; // pixels that any paper has room for
const near = new Set(), changed = new Set(); // sections
let sections = [], limit = printed, asked = { word: '', relation: '' };

const trees = section => JSON.parse(section.lastElementChild.textContent);
const sentences = section => section.querySelectorAll('details');

const draw = section => {
  const block = trees(section), hits = finder(block, asked);
  sentences(section).forEach((s, i) => {
    const seen = near.has(section) && s.open && !s.hidden;
    s.lastElementChild.innerHTML = seen ? picture(read(block, block.trees[i]), limit,
      s.querySelector('bdi').textContent, hits(block.trees[i])) : '';
  });
};

/* Draws later what has changed, once. */
const change = section => {
  if (!changed.size) requestAnimationFrame(() => { changed.forEach(draw); changed.clear(); });
  changed.add(section);
};

/* A section out of view has the height that its sentences would probably take. */
const guess = section => {
  let height = 0;
  for (const s of section.children)
    if (s.dataset.width && !s.hidden)
      height += 38 + (s.open ? 145 * Math.ceil(s.dataset.width / limit) : 0);
  section.style.height = height + 'px';
};

const refresh = () => {
  for (const section of sections) near.has(section) ? change(section) : guess(section);
};

const search = () => {
  const differs = form.differs && form.differs.checked;
  asked = { word: form.word.value.trim().toLowerCase(),
    relation: form.relation.value.trim().toLowerCase() };
  let shown = 0, all = 0;
  for (const section of sections) {
    const block = asked.word || asked.relation ? trees(section) : null;
    const hits = block && finder(block, asked);
    sentences(section).forEach((s, i) => {
      s.hidden = (differs && !s.querySelector('summary b')) || (block && !hits(block.trees[i]).found);
      all++;
      shown += !s.hidden;
    });
  }
  form.querySelector('output').value = (shown == all ? all : shown + ' of ' + all) +
    (all == 1 ? ' sentence' : ' sentences');
  refresh();
};

const fold = open => {
  for (const section of sections) for (const s of sentences(section)) s.open = open;
  refresh();
};

/* What lies between the edges of the page, less the padding. */
const measure = () => { limit = document.body.clientWidth - 30; };

const readAddress = () => {
  const wanted = new URLSearchParams(location.hash.slice(1));
  form.word.value = wanted.get('word') || '';
  form.relation.value = wanted.get('relation') || '';
  search();
};

const later = action => {
  let timer;
  return () => { clearTimeout(timer); timer = setTimeout(action, 150); };
};

/* Draws a section that comes near the window, and forgets the pictures of one that goes. */
const see = entries => {
  for (const { target, isIntersecting } of entries) {
    if (near.has(target) == isIntersecting) continue;
    if (isIntersecting) near.add(target);
    else near.delete(target);
    target.style.height = isIntersecting ? '' : target.offsetHeight + 'px';
    target.classList.toggle('near', isIntersecting);
    draw(target);
  }
};
const sights = new IntersectionObserver(see, { rootMargin: '100% 0px' });

form.oninput = later(search);
form.onsubmit = event => { event.preventDefault(); search(); };
form.fold.onclick = () => fold(false);
form.unfold.onclick = () => fold(true);
window.onhashchange = readAddress;
window.onresize = later(() => { measure(); refresh(); });
document.addEventListener('toggle', event => {
  const section = event.target.closest('section');
  if (near.has(section)) change(section);
}, true);

/* Sections are drawn as soon as they are whole, which is when the next one begins; the page is
 * searched when all of it is there. */
let coming = null;
const arrivals = new MutationObserver(records => {
  for (const record of records)
    for (const node of record.addedNodes)
      if (node.localName == 'section') {
        if (coming) guess(coming), sights.observe(coming);
        coming = node;
      }
});
measure();
arrivals.observe(document.body, { childList: true });
document.addEventListener('DOMContentLoaded', () => {
  arrivals.disconnect();
  sections = [...document.querySelectorAll('section')];
  readAddress();
  for (const section of sections) sights.observe(section);
});

/* On paper is all that is not hidden. */
const seeAll = isIntersecting => see(sections.map(target => ({ target, isIntersecting })));
window.onbeforeprint = () => {
  limit = printed;
  near.forEach(draw);
  seeAll(true);
};
window.onafterprint = () => {
  measure();
  seeAll(false);
  for (const section of sections) guess(section), sights.unobserve(section), sights.observe(section);
};
