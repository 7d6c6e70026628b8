'use strict';

const MAX_SHOWN_BYTES = 10000; // of one line
const LONG_LINE = 65536;
const LINES_PER_MARK = 128;
const CHUNK = 262144;
const MAX_CHUNKS = 128;
const SEARCHED = 1048576;
const MAX_TIMES = 4096; // of one answer
const MAX_SECTIONS = 10000; // later ones cannot be folded
const SECTION = [45, 45, 45, 62, 32]; // what a section begins with: '---> '

/** What is known of a log: where every LINES_PER_MARK-th line begins, and those of its chunks that were looked at last. */
class Log {
  constructor(id, changed) {
    this.id = id;
    this.changed = changed;
    this.size = 0; // bytes that have been looked through
    this.lines = 0; // that have ended
    this.lineStart = 0; // of the line that has not
    this.head = []; // the first bytes of that line
    this.sections = []; // the lines that sections begin with
    this.times = { offsets: [], seconds: [] };
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
    let begin = 0;
    let next = bytes.indexOf(10);
    while (next >= 0) {
      this.look(bytes, begin, next);
      this.endLine(this.size + next + 1);
      begin = next + 1;
      next = bytes.indexOf(10, begin);
    }
    this.look(bytes, begin, bytes.length);
    this.keep(this.size, bytes);
    this.size += bytes.length;
    if (this.size - this.lineStart > LONG_LINE && this.marks[this.marks.length - 1].line < this.lines) {
      this.marks.push({ line: this.lines, at: this.lineStart });
    }
  }

  /** Looks at the first bytes of the line that has not ended, which may come in pieces. */
  look(bytes, from, to) {
    for (let i = from; i < to && this.head.length < SECTION.length; i++) {
      this.head.push(bytes[i]);
      if (this.head.length === SECTION.length && this.sections.length < MAX_SECTIONS
          && SECTION.every((byte, at) => byte === this.head[at])) {
        this.sections.push(this.lines);
      }
    }
  }

  endLine(end) {
    this.head = [];
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

  /** Lines as HTML-free pieces: [{number, at, parts: [{text, style}]}]. */
  async read(first, count) {
    const last = Math.min(first + count, this.count);
    const low = lastUpTo(this.marks, first, mark => mark.line);
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
          found.push({ number: line, at: from.at + at, parts: piece.parts });
        }
        at = stop + 1;
      }
    }
    return found;
  }

  /** Learns when the bytes came that it has no times for. */
  async loadTimes() {
    let isMore = true;
    while (isMore) {
      const known = this.times.offsets;
      const from = known.length ? known[known.length - 1] + 1 : 0;
      const answer = await ask(`/api/v1/jobs/${this.id}/times?offset=${from}`, { signal: this.stopped.signal });
      const more = answer.ok ? await answer.json() : { offsets: [], seconds: [] };
      this.times = { offsets: known.concat(more.offsets), seconds: this.times.seconds.concat(more.seconds) };
      isMore = more.offsets.length >= MAX_TIMES;
    }
  }

  /** The time at which the byte at an offset came, in seconds since 1970; null if that is not known. */
  timeOf(offset) {
    const { offsets, seconds } = this.times;
    return offsets.length === 0 || offsets[0] > offset ? null : seconds[lastUpTo(offsets, offset, one => one)];
  }

  /** The line in which a text stands next, from an offset on and at last from the beginning; null if there is none. */
  async find(text, from, signal) {
    const wanted = plainText(new TextEncoder().encode(text));
    const all = this.size;
    for (const [begin, end] of [[from, all], [0, Math.min(all, from + wanted.length)]]) {
      for (let at = begin; at < end && !signal.aborted; at += SEARCHED) {
        const length = Math.min(SEARCHED + wanted.length, end - at);
        const answer = await ask(`/api/v1/jobs/${this.id}/log?offset=${at}&length=${length}`, { signal });
        if (!answer.ok) {
          throw new Error((await answer.json()).detail);
        }
        const found = plainText(new Uint8Array(await answer.arrayBuffer())).indexOf(wanted);
        if (found >= 0) {
          return { at: at + found, line: await this.lineAt(at + found) };
        }
      }
    }
    return null;
  }

  /** The number of the line that has the byte at an offset. */
  async lineAt(offset) {
    const mark = this.marks[lastUpTo(this.marks, offset, one => one.at)];
    let line = mark.line;
    if (offset - mark.at <= LINES_PER_MARK * LONG_LINE) {
      const bytes = await this.bytes(mark.at, offset);
      for (let next = bytes.indexOf(10); next >= 0; next = bytes.indexOf(10, next + 1)) {
        line++;
      }
    }
    return line;
  }

  stop() {
    this.stopped.abort();
  }
}

/** The index of the last element whose key is at most a number; 0 if there is none. */
function lastUpTo(list, number, key) {
  let low = 0;
  let high = list.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (key(list[middle]) <= number) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

/** One character for each byte, letters of ASCII in lower case: so an index is an offset. */
function plainText(bytes) {
  return new TextDecoder('latin1').decode(bytes).toLowerCase();
}

/**
 * Says which lines of a log are shown when sections are folded: a section is a line that begins with '---> ' and those up to the next. Rows are what is
 * shown, lines what the log has.
 */
class Folds {
  constructor(log) {
    this.log = log;
    this.folded = new Set(); // the first lines of folded sections
  }

  /** Changes whether a section is folded. */
  toggle(line) {
    if (!this.folded.delete(line)) {
      this.folded.add(line);
    }
  }

  setAll(isFolded) {
    this.folded = new Set(isFolded ? this.log.sections : []);
  }

  isSection(line) {
    const sections = this.log.sections;
    return sections.length > 0 && sections[lastUpTo(sections, line, one => one)] === line;
  }

  /** Shows a line, whatever was folded. */
  unfold(line) {
    const sections = this.log.sections;
    if (sections.length > 0) {
      this.folded.delete(sections[lastUpTo(sections, line, one => one)]);
    }
  }

  /** What is hidden, ascending: [{from, to}], of lines. */
  hidden() {
    const sections = this.log.sections;
    return [...this.folded].sort((a, b) => a - b).map(line => {
      const next = sections[lastUpTo(sections, line, one => one) + 1] ?? this.log.count;
      return { from: line + 1, to: Math.max(line + 1, next) };
    });
  }

  get rows() {
    return this.log.count - this.hidden().reduce((sum, part) => sum + part.to - part.from, 0);
  }

  rowOf(line) {
    return line - this.hidden().reduce((sum, part) => sum + Math.max(0, Math.min(part.to, line) - part.from), 0);
  }

  /** The spans of lines that are shown from a row on: [{first, count}]. */
  spans(row, count) {
    const spans = [];
    let at = 0; // row of `line`
    let line = 0;
    for (const part of [...this.hidden(), { from: this.log.count, to: this.log.count }]) {
      const skipped = Math.max(0, row - at);
      const first = line + skipped;
      const length = Math.min(part.from - first, row + count - Math.max(row, at));
      if (length > 0) {
        spans.push({ first, count: length });
      }
      at += part.from - line;
      line = part.to;
    }
    return spans;
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

