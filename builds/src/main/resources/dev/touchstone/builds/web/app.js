'use strict';

const ROW_PIXELS = 18;
const MAX_PIXELS = 8000000; // beyond this, browsers round; the scroll bar then stands for more than one line a pixel step
const SPARE_ROWS = 20;

const $ = id => document.getElementById(id);

/** Shows the lines of a log that are in sight, and few others: the document stays small however long the log is. */
class LogView {
  constructor(id) {
    this.log = new Log(id, () => this.grown());
    this.folds = new Folds(this.log);
    this.found = null;
    this.search = new AbortController();
    this.timesAt = 0; // length of the log when its times were asked for
    this.askedAt = 0;
    this.first = -1;
    this.drawn = '';
    this.drawing = false;
    this.again = false;
    $('space').style.height = '0'; // else the log before ends the following by its scroll event
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
    this.onClick = event => this.click(event);
    this.onTimes = () => this.redraw();
    this.onFold = () => {
      this.folds.setAll($('fold').checked);
      this.redraw();
    };
    this.onFind = event => {
      event.preventDefault();
      this.next();
    };
    $('find').value = '';
    $('found').textContent = '';
    $('fold').checked = false;
    $('rows').addEventListener('click', this.onClick);
    $('times').addEventListener('change', this.onTimes);
    $('fold').addEventListener('change', this.onFold);
    $('search').addEventListener('submit', this.onFind);
    $('log').addEventListener('scroll', this.onScroll);
    $('follow').addEventListener('change', this.onFollow);
    window.addEventListener('resize', this.onResize);
    this.log.follow();
  }

  get scale() {
    return Math.max(1, this.folds.rows * ROW_PIXELS / MAX_PIXELS);
  }

  isAtEnd() {
    const log = $('log');
    return log.scrollTop + log.clientHeight >= log.scrollHeight - ROW_PIXELS;
  }

  grown() {
    $('space').style.height = `${Math.min(MAX_PIXELS, this.folds.rows * ROW_PIXELS)}px`;
    $('lines').textContent = `${this.log.count.toLocaleString('en')} lines, ${bytes(this.log.size)}`;
    if ($('follow').checked && !this.isAtEnd()) {
      this.moving = true;
      $('log').scrollTop = $('log').scrollHeight;
    }
    this.draw();
  }

  /** Draws again what may look different though the log is the same. */
  redraw() {
    this.drawn = '';
    this.grown();
  }

  click(event) {
    const number = event.target.closest('button')?.dataset.line;
    if (number !== undefined) {
      this.folds.toggle(Number(number));
      $('follow').checked = false;
      this.redraw();
    }
  }

  /** Looks for the next place of the text in the field. */
  async next() {
    const text = $('find').value;
    if (!text) {
      return;
    }
    this.search.abort();
    this.search = new AbortController();
    $('found').textContent = 'searching';
    try {
      const found = await this.log.find(text, this.found ? this.found.at + 1 : 0, this.search.signal);
      if (this.search.signal.aborted) {
        return;
      }
      this.found = found;
      $('found').textContent = found ? `line ${(found.line + 1).toLocaleString('en')}` : 'not found';
      if (found) {
        this.folds.unfold(found.line);
        this.show(found.line);
      }
    } catch (e) {
      if (!this.search.signal.aborted && !this.log.stopped.signal.aborted) {
        $('found').textContent = e.message;
      }
    }
  }

  /** Scrolls to a line. */
  show(line) {
    $('follow').checked = false;
    this.redraw();
    const log = $('log');
    const rows = Math.floor(log.clientHeight / ROW_PIXELS);
    const row = Math.max(0, this.folds.rowOf(line) - Math.floor(rows / 2));
    const reach = Math.max(1, log.scrollHeight - log.clientHeight);
    log.scrollTop = this.scale > 1 ? row / Math.max(1, this.folds.rows - rows) * reach : row * ROW_PIXELS;
    this.redraw();
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
      const most = Math.max(0, this.folds.rows - rows + 1);
      const reach = Math.max(1, log.scrollHeight - log.clientHeight);
      const top = this.scale > 1 ? Math.round(log.scrollTop / reach * most) : Math.floor(log.scrollTop / ROW_PIXELS);
      const first = Math.max(0, top - SPARE_ROWS);
      const wanted = `${first} ${rows} ${this.log.count}`;
      if (wanted === this.drawn && this.log.over) {
        break;
      }
      try {
        const lines = [];
        for (const part of this.folds.spans(first, rows + 2 * SPARE_ROWS)) {
          lines.push(...await this.log.read(part.first, part.count));
        }
        await this.times(lines);
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

  /** Has the times of lines at hand, asked for once a second at most, if they are shown. */
  async times(lines) {
    const last = lines[lines.length - 1];
    const isOld = !this.log.over || this.timesAt === 0 || this.timesAt < this.log.size;
    if ($('times').checked && last && isOld && Date.now() - this.askedAt > 1000) {
      this.askedAt = Date.now();
      this.timesAt = this.log.size;
      await this.log.loadTimes();
    }
  }

  row(line) {
    const row = document.createElement('div');
    row.className = this.found?.line === line.number ? 'row found' : 'row';
    const number = document.createElement('b');
    number.textContent = line.number + 1;
    row.append(number);
    if ($('times').checked) {
      const time = document.createElement('time');
      const second = this.log.timeOf(line.at);
      time.textContent = second === null ? '' : new Date(second * 1000).toLocaleTimeString('en-GB');
      row.append(time);
    }
    if (this.folds.isSection(line.number)) {
      const isFolded = this.folds.folded.has(line.number);
      const fold = document.createElement('button');
      fold.type = 'button';
      fold.className = 'fold';
      fold.dataset.line = line.number;
      fold.ariaLabel = isFolded ? 'unfold' : 'fold';
      fold.ariaExpanded = String(!isFolded);
      row.append(fold);
    }
    row.append(...line.parts.map(span));
    return row;
  }

  close() {
    this.log.stop();
    this.search.abort();
    $('rows').removeEventListener('click', this.onClick);
    $('times').removeEventListener('change', this.onTimes);
    $('fold').removeEventListener('change', this.onFold);
    $('search').removeEventListener('submit', this.onFind);
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
  const [jobs, agents] = await Promise.all([json(`/api/v1/jobs?before=${before}`), json('/api/v1/agents')]);
  $('no-jobs').hidden = jobs.length > 0 || before !== '';
  $('older').hidden = jobs.length < 500;
  $('older').dataset.before = jobs.length ? jobs[jobs.length - 1].id : '';
  $('newest').hidden = before === '';
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
let before = ''; // id of the job whose older ones are listed
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
$('older').addEventListener('click', () => {
  before = $('older').dataset.before;
  refresh();
});
$('newest').addEventListener('click', () => {
  before = '';
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
