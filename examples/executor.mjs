// A whole executor, written from docs/protocol alone: hello, resuming, decisions, digests, a journal. It survives kill -9 at any moment, and
// passes `codelab conformance --listen`.
// Usage: node examples/executor.mjs ws://127.0.0.1:8000 TOKEN FOLDER STATE_FOLDER ["message"]
// It asks on the terminal about every call that has to be decided; EXAMPLE_APPROVES=everything approves all, and without a terminal nothing is.
import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import {
  appendFileSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { mkdir, open, readFile, realpath, rename } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import WebSocket from 'ws';

const [, , url, token, folder, stateFolder, message] = process.argv;
mkdirSync(stateFolder, { recursive: true });

// What is kept: who this is, and the journal.
const identityFile = join(stateFolder, 'identity.json');
if (!existsSync(identityFile)) writeFileSync(identityFile, JSON.stringify({ client_id: randomUUID(), session: `example-${randomUUID()}` }));
const { client_id, session } = JSON.parse(readFileSync(identityFile, 'utf8'));
const journalFile = join(stateFolder, 'journal.ndjson');
const journal = new Map(); // call_id → { call_id, args_sha256, fence, state: 'started' | 'done' | 'unknown', answer? }
if (existsSync(journalFile)) {
  for (const line of readFileSync(journalFile, 'utf8').split('\n').slice(0, -1)) {
    const entry = JSON.parse(line);
    if (entry.state === 'settled') journal.delete(entry.call_id);
    else journal.set(entry.call_id, entry.state === 'started' ? { ...entry, state: 'unknown' } : entry); // begun by a process before this one
  }
}
const note = (entry) => {
  const file = openSync(journalFile, 'a', 0o600);
  writeSync(file, `${JSON.stringify(entry)}\n`);
  fsyncSync(file); // `begin` must be on the disk before the effect
  closeSync(file);
  journal.set(entry.call_id, entry);
};
const settled = (call_id) => {
  if (journal.delete(call_id)) appendFileSync(journalFile, `${JSON.stringify({ call_id, state: 'settled' })}\n`);
};

// RFC 8785: names sorted by UTF-16 units, no blanks; JSON.stringify writes numbers and strings as it demands.
const canonical = (value) => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`;
};
const sha256 = (data) => createHash('sha256').update(data).digest('hex');
const digestOf = (args) => sha256(canonical(args));

// The tools. No path leaves the folder, no link is followed. (A link that is swapped in between is for packages/workspace.)
const failure = (code, text) => Object.assign(new Error(text), { toolCode: code });
const inside = async (path) => {
  if (isAbsolute(path) || path.split('/').includes('..')) throw failure('PATH_OUTSIDE_WORKSPACE', `outside: ${path}`);
  const root = await realpath(folder);
  let parent = dirname(join(root, path));
  while (!existsSync(parent)) parent = dirname(parent);
  if ((await realpath(parent)) !== parent) throw failure('INVALID_PATH', `a link leads to ${path}`);
  return join(root, path);
};
const read = async (path) => readFile(await inside(path), { flag: constants.O_RDONLY | constants.O_NOFOLLOW });
const hash = (path) => read(path).then(sha256, (error) => (error.code === 'ENOENT' ? '' : 'no file'));
const tools = {
  read_file: async ({ path }) => ({ content: (await read(path)).toString('utf8'), encoding: 'utf-8' }),
  write_file: async ({ path, content }) => {
    const target = await inside(path);
    if ((await hash(path)) === 'no file') throw failure('INVALID_PATH', `${path} can not be written`);
    await mkdir(dirname(target), { recursive: true });
    const temporary = join(dirname(target), `.${basename(target)}.${randomUUID()}`);
    const file = await open(temporary, 'wx');
    await file.writeFile(content);
    await file.datasync();
    await file.close();
    await rename(temporary, target);
    return { success: true, bytes_written: Buffer.byteLength(content) };
  },
  run_command: ({ command, timeout_ms = 60_000 }, signal) =>
    new Promise((resolve, reject) => {
      const [began, output] = [Date.now(), { stdout: '', stderr: '' }];
      const child = spawn('sh', ['-c', command], { cwd: folder, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
      for (const stream of ['stdout', 'stderr']) child[stream].on('data', (data) => (output[stream] += data.toString('utf8')));
      const stop = () => process.kill(-child.pid, 'SIGKILL');
      const timer = setTimeout(stop, timeout_ms);
      signal.addEventListener('abort', stop);
      child.once('error', reject);
      child.once('close', (exit_code) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
        const duration_ms = Date.now() - began;
        if (signal.aborted) reject(failure(signal.reason, 'stopped'));
        else resolve({ exit_code, ...output, duration_ms, timed_out: duration_ms >= timeout_ms, truncated: false });
      });
    }),
};

const calls = new Map(); // call_id → { frame, phase: 'asking' | 'ready' | 'running', operands, stop, decision? }; later the journal has it
const unanswered = message === undefined ? [] : [{ type: 'user_message', message_id: randomUUID(), content: message }];
let [socket, epoch, last, isExecutor, attempt] = [undefined, 'none', 0, false, 0];
let unsafe = Promise.resolve(); // unsafe calls run one after another

const send = (frame) => socket?.readyState === WebSocket.OPEN && socket.send(JSON.stringify(frame));
const answer = ({ call_id, fence, answer: body }) => send({ type: 'tool_result', call_id, fence, ...body });
const isOpen = (call) => calls.get(call.frame.call_id) === call;

async function run(call, args) {
  if (!isOpen(call) || call.phase !== 'ready') return; // given up, or answered, while it waited for its turn
  const { call_id, tool_name, idempotency, operands = [], deadline_ms } = call.frame;
  call.phase = 'running';
  let timer;
  try {
    for (const operand of [...call.operands, ...operands]) {
      if ((await hash(operand.path)) !== operand.sha256) throw failure('APPROVAL_MISMATCH', `${operand.path} is not as it was decided on`);
    }
    const { args_sha256, fence } = call.frame;
    if (idempotency === 'unsafe') note({ call_id, args_sha256, fence, state: 'started' });
    send({ type: 'tool_ack', call_id, fence, state: 'started' });
    timer = setTimeout(() => call.stop.abort('TIMEOUT'), deadline_ms);
    finish(call, { result: await tools[tool_name](args, call.stop.signal) });
  } catch (error) {
    const codes = { ENOENT: 'FILE_NOT_FOUND', ELOOP: 'INVALID_PATH', ENOTDIR: 'INVALID_PATH', EISDIR: 'INVALID_PATH' };
    finish(call, { error: { code: error.toolCode ?? codes[error.code] ?? 'PERMISSION_DENIED', message: error.message } });
  }
  clearTimeout(timer);
}

function finish(call, body) {
  const { call_id, args_sha256, fence } = call.frame;
  note({ call_id, args_sha256, fence, state: 'done', answer: body });
  calls.delete(call_id);
  answer(journal.get(call_id));
}

function start(call, args, args_sha256) {
  call.phase = 'ready';
  if (digestOf(args) !== args_sha256)
    return finish(call, { error: { code: 'APPROVAL_MISMATCH', message: 'these are not the arguments decided on' } });
  if (!Object.hasOwn(tools, call.frame.tool_name))
    return finish(call, { error: { code: 'TOOL_NOT_FOUND', message: call.frame.tool_name } });
  if (call.frame.idempotency === 'safe') void run(call, args);
  else unsafe = unsafe.then(() => run(call, args));
}

async function ask(call) {
  const { call_id, tool_name, args, args_sha256 } = call.frame;
  if (tool_name === 'write_file')
    call.operands = [{ path: args.path, sha256: await hash(args.path) }].filter((each) => each.sha256 !== 'no file');
  send({ type: 'tool_preview', call_id, preview: { kind: 'text', text: `${tool_name} ${JSON.stringify(args)}` }, operands: call.operands });
  if (digestOf(args) !== args_sha256) return; // nobody can approve this by a digest that would run
  if (!process.stdin.isTTY && process.env.EXAMPLE_APPROVES !== 'everything') return; // another client may decide
  const terminal = process.env.EXAMPLE_APPROVES ? undefined : createInterface({ input: process.stdin, output: process.stderr });
  const yes = terminal === undefined ? 'y' : await terminal.question(`Run ${tool_name} ${JSON.stringify(args)}? [y/N] `);
  terminal?.close();
  call.decision = { type: 'hitl_decision', call_id, decision: yes.trim().toLowerCase() === 'y' ? 'approve' : 'reject', args_sha256 };
  if (isOpen(call)) send(call.decision); // it runs when approval_resolved comes
}

function giveUp(call) {
  if (call !== undefined && call.phase !== 'running') calls.delete(call.frame.call_id);
}

function onCall(frame) {
  const { call_id, fence, state } = frame;
  const known = calls.get(call_id);
  const kept = journal.get(call_id);
  if (state === 'answered') return giveUp(known);
  if (!isExecutor || frame.runs_at === 'server') return; // only `executor: you` runs a call
  if (known !== undefined) known.frame = frame;
  if (known?.phase === 'running') return void send({ type: 'tool_ack', call_id, fence, state: 'started' });
  if (kept?.state === 'done') {
    const isAskedAnew = kept.answer.error?.code === 'APPROVAL_MISMATCH' && state === 'waiting_approval';
    if (!isAskedAnew) return answer({ ...kept, fence });
    settled(call_id);
  }
  const call = known ?? { frame, phase: 'asking', operands: [], stop: new AbortController() };
  calls.set(call_id, call);
  if (kept?.state === 'unknown') return finish(call, { error: { code: 'OUTCOME_UNKNOWN', message: 'the client died while it ran' } });
  send({ type: 'tool_ack', call_id, fence, state: 'received' });
  if (state === 'ready' && call.phase === 'asking') start(call, frame.args, frame.args_sha256);
  else if (state === 'waiting_approval' && known === undefined) void ask(call);
  else if (call.decision !== undefined) send(call.decision); // it may be lost
}

const on = {
  welcome(frame) {
    if (!frame.recovered) {
      last = frame.seq;
      for (const call of [...calls.values()]) giveUp(call); // what is open comes again
    }
    [epoch, isExecutor, attempt] = [frame.epoch, frame.executor === 'you', 0];
    for (const entry of journal.values()) if (entry.state === 'done') answer(entry);
    for (const request of unanswered) send(request);
  },
  executor_changed({ executor }) {
    isExecutor = executor === 'you';
    if (!isExecutor) for (const call of [...calls.values()]) giveUp(call);
  },
  tool_call: onCall,
  approval_resolved({ call_id, outcome, args, args_sha256 }) {
    const call = calls.get(call_id);
    if (call?.phase !== 'asking') return;
    if (outcome === 'approved' || outcome === 'edited') start(call, args ?? call.frame.args, args_sha256);
    else giveUp(call);
  },
  tool_cancel({ call_id }) {
    const call = calls.get(call_id);
    if (call?.phase === 'running') call.stop.abort('CANCELLED');
    else if (call?.phase === 'ready') finish(call, { error: { code: 'CANCELLED', message: 'it did not begin' } });
    else giveUp(call);
  },
  tool_result_ack: ({ call_id }) => settled(call_id),
  message_accepted({ message_id }) {
    const at = unanswered.findIndex((request) => request.message_id === message_id);
    if (at !== -1) unanswered.splice(at, 1);
  },
  assistant_message: ({ token: text }) => void process.stdout.write(text),
  turn_ended({ status }) {
    process.stdout.write(`\n[turn ${status}]\n`);
    if (message !== undefined) socket.close(1000);
  },
  drain: ({ retry_after_ms }) => void setTimeout((leaving) => leaving.close(4000), retry_after_ms, socket),
  error({ code, message: text, reply_to, reply_to_type, retryable }) {
    process.stderr.write(`${code}: ${text}\n`);
    if (reply_to_type !== 'tool_result' || !journal.has(reply_to)) return;
    if (retryable) setTimeout(() => journal.has(reply_to) && answer(journal.get(reply_to)), 1_000);
    else settled(reply_to);
  },
};

function receive(frame, from) {
  if (from !== socket || socket.readyState !== WebSocket.OPEN) return; // behind a gap nothing counts
  const { type, seq, prev_seq, redelivered } = frame;
  if (seq !== undefined && type !== 'welcome') {
    if (seq > last && (prev_seq ?? seq - 1) > last) return socket.close(4000); // a gap: come back with `resume`
    if (seq <= last && !(type === 'tool_call' && redelivered)) return;
    if (seq > last) send({ type: 'ack', seq: (last = seq) });
  }
  on[type]?.(frame); // an unknown frame is passed over
}

function connect() {
  const mine = (socket = new WebSocket(new URL(`/ws/${session}`, url), { headers: { authorization: `Bearer ${token}` } }));
  socket.on('open', () => {
    const known = [...journal.values()].slice(-32).map(({ call_id, args_sha256, state }) => ({ call_id, args_sha256, state }));
    send({
      ...{ type: 'hello', protocol_versions: ['2.0'], client_id, client: { name: 'example', version: '1' }, tools: Object.keys(tools) },
      resume: { epoch, seq: last, calls: known },
    });
  });
  socket.on('message', (data) => receive(JSON.parse(data), mine));
  socket.on('error', (error) => process.stderr.write(`${error.message}\n`));
  socket.on('close', (code) => {
    if (code === 1000 || (code >= 4500 && code < 5000)) return;
    attempt += 1;
    const bound = Math.min(15_000, 250 * 2 ** (attempt - 1));
    setTimeout(connect, bound * (0.5 + Math.random() / 2));
  });
}
connect();
