'use strict';

const ROW_PIXELS = 18;
const MAX_PIXELS = 8000000; // beyond this, browsers round; the scroll bar then stands for more than one line a pixel step
const SPARE_ROWS = 20;
const MAX_SHOWN_BYTES = 10000; // of one line
const LONG_LINE = 65536;
const LINES_PER_MARK = 128;
const CHUNK = 262144;
const MAX_CHUNKS = 128;

const $ = id => document.getElementById(id);

/** What is known of a log: where every LINES_PER_MARK-th line begins, and those of its chunks that were looked at last. */
class Log {
  constructor(id, changed) {
    this.id = id;
    this.changed = changed;
    this.size = 0; // bytes that have been looked through
    this.lines = 0; // that have ended
    this.lineStart = 0; // of the line that has not
    this.over = false;
    this.marks = [{ line: 0, at: 0 }];
    this.chunks = new Map();
    this.stopped = new AbortController();
  }

  /** Looks through the log as it grows, until its job is over. */
  async follow() {
    while (!this.stopped.signal.aborted) {
      try {
        const answer = await ask(`/api/v1/jobs/${this.id}/log?offset=${this.size}&length=${1 << 20}&wait=20000`,
          { signal: this.stopped.signal });
        if (answer.status === 503) {
          await pause(1000);
          continue;
        }
        if (!answer.ok) {
          throw new Error((await answer.json()).detail);
        }
        const bytes = new Uint8Array(await answer.arrayBuffer());
        this.add(bytes);
        connected(true);
        const isAll = this.size >= Number(answer.headers.get('X-Log-Bytes'));
        this.over = isAll && answer.headers.get('X-Job-Over') === 'true';
        this.changed();
        if (this.over) {
          return;
        }
      } catch (e) {
        if (!this.stopped.signal.aborted) {
          connected(false, e.message);
          await pause(1000);
        }
      }
    }
  }

  add(bytes) {
    let next = bytes.indexOf(10);
    while (next >= 0) {
      this.endLine(this.size + next + 1);
      next = bytes.indexOf(10, next + 1);
    }
    this.keep(this.size, bytes);
    this.size += bytes.length;
    if (this.size - this.lineStart > LONG_LINE && this.marks[this.marks.length - 1].line < this.lines) {
      this.marks.push({ line: this.lines, at: this.lineStart });
    }
  }

  endLine(end) {
    const last = this.marks[this.marks.length - 1];
    const isLong = end - this.lineStart > LONG_LINE;
    if (isLong && last.line < this.lines) {
      this.marks.push({ line: this.lines, at: this.lineStart });
    }
    this.lines++;
    this.lineStart = end;
    if (isLong || this.lines - this.marks[this.marks.length - 1].line >= LINES_PER_MARK) {
      this.marks.push({ line: this.lines, at: end });
    }
  }

  /** Lines with the one that has not ended, if it has begun. */
  get count() {
    return this.lines + (this.size > this.lineStart ? 1 : 0);
  }

  /** Keeps bytes that came in order, as far as they fill chunks from their beginning. */
  keep(offset, bytes) {
    for (let from = 0; from < bytes.length;) {
      const number = Math.floor((offset + from) / CHUNK);
      const within = offset + from - number * CHUNK;
      const length = Math.min(CHUNK - within, bytes.length - from);
      const old = this.chunks.get(number);
      if (within === 0 || (old && old.length === within)) {
        const chunk = new Uint8Array(within + length);
        if (within > 0) {
          chunk.set(old);
        }
        chunk.set(bytes.subarray(from, from + length), within);
        this.put(number, chunk);
      }
      from += length;
    }
  }

  put(number, chunk) {
    this.chunks.delete(number);
    this.chunks.set(number, chunk);
    while (this.chunks.size > MAX_CHUNKS) {
      this.chunks.delete(this.chunks.keys().next().value);
    }
  }

  async chunk(number) {
    const wanted = Math.min(CHUNK, this.size - number * CHUNK);
    let chunk = this.chunks.get(number);
    if (!chunk || chunk.length < wanted) {
      const answer = await ask(`/api/v1/jobs/${this.id}/log?offset=${number * CHUNK}&length=${CHUNK}`,
        { signal: this.stopped.signal });
      if (!answer.ok) {
        throw new Error((await answer.json()).detail);
      }
      chunk = new Uint8Array(await answer.arrayBuffer());
    }
    this.put(number, chunk);
    return chunk;
  }

  async bytes(from, to) {
    const all = new Uint8Array(to - from);
    for (let at = from; at < to;) {
      const number = Math.floor(at / CHUNK);
      const chunk = await this.chunk(number);
      const part = chunk.subarray(at - number * CHUNK, Math.min(chunk.length, to - number * CHUNK));
      if (part.length === 0) {
        throw new Error(`the log ends at ${at}, not at ${to}`);
      }
      all.set(part, at - from);
      at += part.length;
    }
    return all;
  }

  /** Lines as HTML-free pieces: [{number, parts: [{text, style}]}]. */
  async read(first, count) {
    const last = Math.min(first + count, this.count);
    let low = 0;
    let high = this.marks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.marks[middle].line <= first) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    const found = [];
    const text = new TextDecoder();
    let style = plain();
    for (let mark = low; mark < this.marks.length && this.marks[mark].line < last; mark++) {
      const from = this.marks[mark];
      const end = mark + 1 < this.marks.length ? this.marks[mark + 1] : { line: this.count, at: this.size };
      const isLong = end.line - from.line === 1 && end.at - from.at > LONG_LINE;
      const bytes = await this.bytes(from.at, isLong ? from.at + MAX_SHOWN_BYTES : end.at);
      let at = 0;
      for (let line = from.line; line < end.line && line < last; line++) {
        let stop = bytes.indexOf(10, at);
        stop = stop < 0 ? bytes.length : stop;
        const isCut = isLong || stop - at > MAX_SHOWN_BYTES;
        const decoded = text.decode(bytes.subarray(at, isCut ? at + MAX_SHOWN_BYTES : stop));
        const piece = ansi(decoded, style);
        style = piece.style;
        if (isCut) {
          piece.parts.push({ text: ' … cut: download it for the rest', style: { ...plain(), faint: true } });
        }
        if (line >= first) {
          found.push({ number: line, parts: piece.parts });
        }
        at = stop + 1;
      }
    }
    return found;
  }

  stop() {
    this.stopped.abort();
  }
}

function pause(millis) {
  return new Promise(done => setTimeout(done, millis));
}

function plain() {
  return { fore: null, back: null, bold: false, faint: false, italic: false, underline: false, inverse: false };
}

/** Splits a line at its SGR sequences (ECMA-48 8.3.117); other control sequences are left out, and what a carriage return overwrote. */
function ansi(line, style) {
  const text = line.replace(/\r+$/, '');
  const parts = [];
  const sequence = /\x1b(?:\[([0-9;:]*)([@-~])|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\^_])?/g;
  let now = style;
  let at = 0;
  const put = part => {
    const back = part.lastIndexOf('\r');
    if (back >= 0) {
      parts.length = 0;
    }
    const shown = part.slice(back + 1).replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g, '\ufffd');
    if (shown) {
      parts.push({ text: shown, style: now });
    }
  };
  for (let match = sequence.exec(text); match; match = sequence.exec(text)) {
    put(text.slice(at, match.index));
    if (match[2] === 'm') {
      now = sgr(now, match[1]);
    }
    at = match.index + match[0].length;
  }
  put(text.slice(at));
  return { parts, style: now };
}

function sgr(style, codes) {
  const next = { ...style };
  const list = codes.split(/[;:]/).map(Number);
  for (let i = 0; i < list.length; i++) {
    const code = list[i];
    if (code === 0) Object.assign(next, plain());
    else if (code === 1) next.bold = true;
    else if (code === 2) next.faint = true;
    else if (code === 3) next.italic = true;
    else if (code === 4) next.underline = true;
    else if (code === 7) next.inverse = true;
    else if (code === 22) next.bold = next.faint = false;
    else if (code === 23) next.italic = false;
    else if (code === 24) next.underline = false;
    else if (code === 27) next.inverse = false;
    else if (code >= 30 && code <= 37) next.fore = code - 30;
    else if (code === 39) next.fore = null;
    else if (code >= 40 && code <= 47) next.back = code - 40;
    else if (code === 49) next.back = null;
    else if (code >= 90 && code <= 97) next.fore = code - 82;
    else if (code >= 100 && code <= 107) next.back = code - 92;
    else if (code === 38 || code === 48) {
      const isIndex = list[i + 1] === 5;
      const color = isIndex ? indexed(list[i + 2]) : `rgb(${list.slice(i + 2, i + 5).map(one => one & 255).join(',')})`;
      next[code === 38 ? 'fore' : 'back'] = color;
      i += isIndex ? 2 : 4;
    }
  }
  return next;
}

/** A color of the 256: 16 named ones, a cube of 6 x 6 x 6, and 24 grays. */
function indexed(number) {
  if (!(number >= 16)) {
    return number & 15;
  }
  if (number >= 232) {
    const gray = 8 + (number - 232) * 10;
    return `rgb(${gray},${gray},${gray})`;
  }
  const level = one => one === 0 ? 0 : 55 + one * 40;
  const cube = number - 16;
  return `rgb(${level(Math.floor(cube / 36))},${level(Math.floor(cube / 6) % 6)},${level(cube % 6)})`;
}

function span(part) {
  const element = document.createElement('span');
  const style = part.style;
  let fore = style.fore;
  let back = style.back;
  if (style.inverse) {
    fore = back === null ? 0 : back;
    back = style.fore === null ? 7 : style.fore;
  }
  for (const name of ['bold', 'faint', 'italic', 'underline']) {
    element.classList.toggle(name, style[name]);
  }
  color(element, 'color', 'f', fore);
  color(element, 'backgroundColor', 'b', back);
  element.textContent = part.text;
  return element;
}

function color(element, property, prefix, value) {
  if (typeof value === 'number') {
    element.classList.add(prefix + value);
  } else if (value !== null) {
    element.style[property] = value;
  }
}

/** Shows the lines of a log that are in sight, and few others: the document stays small however long the log is. */
class LogView {
  constructor(id) {
    this.log = new Log(id, () => this.grown());
    this.first = -1;
    this.drawn = '';
    this.drawing = false;
    this.again = false;
    $('log').scrollTop = 0;
    $('follow').checked = true;
    $('rows').replaceChildren();
    this.onScroll = () => {
      if (!this.isAtEnd() && !this.moving) {
        $('follow').checked = false;
      }
      this.moving = false;
      this.draw();
    };
    this.onFollow = () => this.grown();
    this.onResize = () => this.grown();
    $('log').addEventListener('scroll', this.onScroll);
    $('follow').addEventListener('change', this.onFollow);
    window.addEventListener('resize', this.onResize);
    this.log.follow();
  }

  get scale() {
    return Math.max(1, this.log.count * ROW_PIXELS / MAX_PIXELS);
  }

  isAtEnd() {
    const log = $('log');
    return log.scrollTop + log.clientHeight >= log.scrollHeight - ROW_PIXELS;
  }

  grown() {
    $('space').style.height = `${Math.min(MAX_PIXELS, this.log.count * ROW_PIXELS)}px`;
    $('lines').textContent = `${this.log.count.toLocaleString('en')} lines, ${bytes(this.log.size)}`;
    if ($('follow').checked && !this.isAtEnd()) {
      this.moving = true;
      $('log').scrollTop = $('log').scrollHeight;
    }
    this.draw();
  }

  async draw() {
    if (this.drawing) {
      this.again = true;
      return;
    }
    this.drawing = true;
    do {
      this.again = false;
      const log = $('log');
      const rows = Math.ceil(log.clientHeight / ROW_PIXELS) + 1;
      const most = Math.max(0, this.log.count - rows + 1);
      const reach = Math.max(1, log.scrollHeight - log.clientHeight);
      const top = this.scale > 1 ? Math.round(log.scrollTop / reach * most) : Math.floor(log.scrollTop / ROW_PIXELS);
      const first = Math.max(0, top - SPARE_ROWS);
      const wanted = `${first} ${rows} ${this.log.count}`;
      if (wanted === this.drawn && this.log.over) {
        break;
      }
      try {
        const lines = await this.log.read(first, rows + 2 * SPARE_ROWS);
        const y = this.scale > 1 ? log.scrollTop - (top - first) * ROW_PIXELS : first * ROW_PIXELS;
        $('rows').style.transform = `translateY(${y}px)`;
        $('rows').replaceChildren(...lines.map(line => this.row(line)));
        this.drawn = wanted;
      } catch (e) {
        if (!this.log.stopped.signal.aborted) {
          connected(false, e.message);
        }
      }
    } while (this.again);
    this.drawing = false;
  }

  row(line) {
    const row = document.createElement('div');
    row.className = 'row';
    const number = document.createElement('b');
    number.textContent = line.number + 1;
    row.append(number, ...line.parts.map(span));
    return row;
  }

  close() {
    this.log.stop();
    $('log').removeEventListener('scroll', this.onScroll);
    $('follow').removeEventListener('change', this.onFollow);
    window.removeEventListener('resize', this.onResize);
  }
}

function bytes(count) {
  const units = ['B', 'kB', 'MB', 'GB'];
  let unit = 0;
  let value = count;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 ? value : value.toPrecision(3)} ${units[unit]}`;
}

function took(job) {
  if (!job.startedMillis) {
    return '';
  }
  const millis = (job.finishedMillis || Date.now()) - job.startedMillis;
  return millis < 10000 ? `${(millis / 1000).toFixed(1)} s`
    : millis < 600000 ? `${Math.round(millis / 1000)} s` : `${Math.round(millis / 60000)} min`;
}

function statusClass(job) {
  const name = job.status.toLowerCase();
  return 'status ' + (name === 'succeeded' ? 'good' : job.over ? 'bad' : name === 'queued' ? 'waiting' : '');
}

function connected(is, why) {
  $('connection').textContent = is ? '' : `not connected: ${why}`;
}

function cells(row, values) {
  row.replaceChildren(...values.map(value => {
    const cell = document.createElement('td');
    if (value instanceof Node) {
      cell.append(value);
    } else {
      cell.textContent = value.text ?? value;
      cell.className = value.name ?? '';
      cell.title = value.title ?? '';
    }
    return cell;
  }));
}

function rows(table, list, fill) {
  const body = $(table).tBodies[0];
  while (body.rows.length > list.length) {
    body.deleteRow(-1);
  }
  list.forEach((one, i) => cells(body.rows[i] ?? body.insertRow(), fill(one)));
}

async function json(path, options) {
  const answer = await ask(path, options);
  const value = await answer.json();
  if (!answer.ok) {
    throw new Error(value.detail);
  }
  return value;
}

/** Fetches, and shows the form for the token if there is no login, or no more. */
async function ask(path, options) {
  const answer = await fetch(path, options);
  if (path !== '/api/v1/login') {
    login(answer.status === 401);
  }
  return answer;
}

function login(isWanted) {
  $('logout').hidden = isWanted;
  if ($('login').hidden === isWanted) {
    $('login').hidden = !isWanted;
    $('overview').hidden = isWanted || shown !== null;
    $('job').hidden = isWanted || shown === null;
    if (isWanted) {
      $('token').focus();
    }
  }
}

async function post(path, body) {
  return json(path, { method: 'POST', headers: { 'X-Touchstone': 'page' }, body });
}

$('login').addEventListener('submit', async event => {
  event.preventDefault();
  try {
    await post('/api/v1/login', $('token').value);
    $('problem').textContent = '';
    $('token').value = '';
    open();
  } catch (e) {
    $('problem').textContent = e.message;
  }
});
$('logout').addEventListener('click', async () => {
  await post('/api/v1/logout');
  refresh();
});

async function overview() {
  const [jobs, agents] = await Promise.all([json('/api/v1/jobs'), json('/api/v1/agents')]);
  $('no-jobs').hidden = jobs.length > 0;
  $('no-agents').hidden = agents.length > 0;
  rows('jobs', jobs, job => {
    const link = document.createElement('a');
    link.href = `#/job/${job.id}`;
    link.className = statusClass(job);
    link.textContent = job.status.toLowerCase();
    link.title = job.message;
    return [link, { text: job.repository, title: job.repository }, job.branch, job.script, job.owner, job.agent ?? '',
      { text: job.attempt || '', name: 'number' }, { text: took(job), name: 'number' },
      { text: job.logBytes ? bytes(job.logBytes) : '', name: 'number' },
      new Date(job.acceptedMillis).toLocaleString()];
  });
  rows('agents', agents, agent => [agent.identity, agent.connected ? 'connected' : 'lost', agent.labels.join(' '),
    agent.runners.join(' '), { text: `${agent.busy} of ${agent.executors}`, name: 'number' }]);
}

async function jobBar(id) {
  const job = await json(`/api/v1/jobs/${id}`);
  $('status').textContent = job.status.toLowerCase() + (job.exitCode ? ` (exit code ${job.exitCode})` : '');
  $('status').className = statusClass(job);
  $('title').textContent = `${job.repository} ${job.branch} ${job.script}` + (job.attempt > 1 ? `, attempt ${job.attempt}` : '');
  $('message').textContent = job.message;
  $('message').hidden = !job.message;
  $('cancel').hidden = job.over;
  $('retry').hidden = !job.over;
  $('origin').hidden = !job.retryOf;
  const origin = $('origin').querySelector('a');
  origin.textContent = job.retryOf ?? '';
  origin.href = `#/job/${job.retryOf}`;
  document.title = `${job.status.toLowerCase()} · ${job.branch}`;
}

let view = null;
let shown = null;

function open() {
  const match = /^#\/job\/([A-Za-z0-9_.-]+)$/.exec(location.hash);
  view?.close();
  view = null;
  shown = match ? match[1] : null;
  $('login').hidden = true;
  $('overview').hidden = match !== null;
  $('job').hidden = match === null;
  $('cancel').textContent = 'cancel';
  if (match) {
    $('download').href = `/api/v1/jobs/${shown}/raw`;
    view = new LogView(shown);
  } else {
    document.title = 'builds';
  }
  refresh();
}

async function refresh() {
  if (document.hidden) {
    return;
  }
  try {
    await (shown ? jobBar(shown) : overview());
    connected(true);
  } catch (e) {
    connected(false, e.message);
  }
}

$('cancel').addEventListener('click', async () => {
  if ($('cancel').textContent === 'cancel') {
    $('cancel').textContent = 'really cancel?';
    setTimeout(() => { $('cancel').textContent = 'cancel'; }, 3000);
    return;
  }
  $('cancel').textContent = 'cancel';
  try {
    await post(`/api/v1/jobs/${shown}/cancel`);
  } catch (e) {
    connected(false, e.message);
  }
  refresh();
});
$('retry').addEventListener('click', async () => {
  $('retry').disabled = true;
  try {
    const job = await post(`/api/v1/jobs/${shown}/retry`);
    location.hash = `#/job/${job.id}`;
  } catch (e) {
    connected(false, e.message);
  } finally {
    $('retry').disabled = false;
  }
});
window.addEventListener('hashchange', open);
document.addEventListener('visibilitychange', refresh);
setInterval(refresh, 1000);
open();
