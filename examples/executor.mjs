// A whole executor, written from docs/protocol alone: hello, resuming, decisions, digests, a journal. It survives kill -9 at any moment.
// Usage: node examples/executor.mjs ws://127.0.0.1:8000 TOKEN FOLDER STATE_FOLDER ["message"]
// It asks on the terminal about every call that has to be decided; without one nothing is approved.
import { createHash, randomUUID } from 'node:crypto';
import { appendFileSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import WebSocket from 'ws';

const [, , url, token, folder, stateFolder, message] = process.argv;
mkdirSync(stateFolder, { recursive: true });

// What is kept: who this is, how far the log was read, and the journal.
const identityFile = join(stateFolder, 'identity.json');
if (!existsSync(identityFile)) writeFileSync(identityFile, JSON.stringify({ client_id: randomUUID(), session: `example-${randomUUID()}` }));
const { client_id, session } = JSON.parse(readFileSync(identityFile, 'utf8'));
const journalFile = join(stateFolder, 'journal.ndjson');
const journal = new Map(); // call_id → { call_id, args_sha256, state: 'started' | 'done', answer? }
if (existsSync(journalFile)) {
  for (const line of readFileSync(journalFile, 'utf8').split('\n').slice(0, -1)) {
    const entry = JSON.parse(line);
    if (entry.state === 'settled') journal.delete(entry.call_id);
    else journal.set(entry.call_id, entry);
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
const digestOf = (args) => createHash('sha256').update(canonical(args)).digest('hex');

const failure = (code, text) => Object.assign(new Error(text), { toolCode: code });
const inside = (path) => {
  if (isAbsolute(path) || path.split('/').includes('..')) throw failure('PATH_OUTSIDE_WORKSPACE', `outside: ${path}`);
  return join(folder, path); // a real client also looks where links lead
};
const tools = {
  read_file: async ({ path }) => ({ content: await readFile(inside(path), 'utf8'), encoding: 'utf-8' }),
  write_file: async ({ path, content }) => {
    await mkdir(dirname(inside(path)), { recursive: true });
    await writeFile(inside(path), content);
    return { success: true, bytes_written: Buffer.byteLength(content) };
  },
};

const calls = new Map(); // call_id → { frame, phase: 'asking' | 'running' | 'answering' }
const unanswered = message === undefined ? [] : [{ type: 'user_message', message_id: randomUUID(), content: message }];
let [socket, epoch, last, isExecutor, attempt] = [undefined, 'none', 0, false, 0];
let unsafe = Promise.resolve(); // unsafe calls run one after another

const send = (frame) => socket?.readyState === WebSocket.OPEN && socket.send(JSON.stringify(frame));
const answer = (call_id, fence, body) => send({ type: 'tool_result', call_id, fence, ...body });

async function run(call, args) {
  const { call_id, tool_name, idempotency } = call.frame;
  call.phase = 'running';
  if (idempotency === 'unsafe') note({ call_id, args_sha256: digestOf(args), state: 'started' });
  send({ type: 'tool_ack', call_id, fence: call.frame.fence, state: 'started' });
  let body;
  try {
    body = { result: await tools[tool_name](args) };
  } catch (error) {
    body = {
      error: { code: error.toolCode ?? (error.code === 'ENOENT' ? 'FILE_NOT_FOUND' : 'PERMISSION_DENIED'), message: error.message },
    };
  }
  finish(call, body);
}

function finish(call, body) {
  const { call_id, args_sha256, fence } = call.frame;
  note({ call_id, args_sha256, state: 'done', answer: body });
  call.phase = 'answering';
  answer(call_id, fence, body);
}

function start(call, args, sha256) {
  if (digestOf(args) !== sha256)
    return finish(call, { error: { code: 'APPROVAL_MISMATCH', message: 'these are not the arguments decided on' } });
  if (!Object.hasOwn(tools, call.frame.tool_name))
    return finish(call, { error: { code: 'TOOL_NOT_FOUND', message: call.frame.tool_name } });
  call.phase = 'running';
  if (call.frame.idempotency === 'safe') void run(call, args);
  else unsafe = unsafe.then(() => run(call, args));
}

async function ask({ frame }) {
  const { call_id, tool_name, args, args_sha256 } = frame;
  send({ type: 'tool_preview', call_id, preview: { kind: 'text', text: `${tool_name} ${JSON.stringify(args)}` } });
  if (!process.stdin.isTTY && process.env.EXAMPLE_APPROVES !== 'everything') return; // another client may decide
  const terminal = process.env.EXAMPLE_APPROVES ? undefined : createInterface({ input: process.stdin, output: process.stderr });
  const yes = terminal === undefined ? 'y' : await terminal.question(`Run ${tool_name} ${JSON.stringify(args)}? [y/N] `);
  terminal?.close();
  const decision = yes.trim().toLowerCase() === 'y' ? 'approve' : 'reject';
  send({ type: 'hitl_decision', call_id, decision, args_sha256 }); // it runs when approval_resolved comes
}

function onCall(frame) {
  const { call_id, fence, state } = frame;
  const known = calls.get(call_id);
  const kept = journal.get(call_id);
  if (state === 'answered') return void calls.delete(call_id);
  if (!isExecutor || frame.runs_at === 'server') return; // only `executor: you` runs a call
  if (known !== undefined) known.frame = frame;
  if (known?.phase === 'running') return void send({ type: 'tool_ack', call_id, fence, state: 'started' });
  if (kept?.state === 'done') {
    const isAskedAnew = kept.answer.error?.code === 'APPROVAL_MISMATCH' && state === 'waiting_approval';
    if (!isAskedAnew) return void answer(call_id, fence, kept.answer);
    settled(call_id);
  } else if (kept?.state === 'started') {
    calls.set(call_id, { frame });
    return finish(calls.get(call_id), { error: { code: 'OUTCOME_UNKNOWN', message: 'the client died while it ran' } });
  }
  const call = { frame, phase: 'asking' };
  calls.set(call_id, call);
  send({ type: 'tool_ack', call_id, fence, state: 'received' });
  if (state === 'waiting_approval') void ask(call);
  else start(call, frame.args, frame.args_sha256);
}

const on = {
  welcome(frame) {
    if (!frame.recovered || frame.epoch !== epoch) last = frame.recovered ? 0 : frame.seq;
    [epoch, isExecutor, attempt] = [frame.epoch, frame.executor === 'you', 0];
    for (const { call_id, state, answer: body } of journal.values()) if (state === 'done') answer(call_id, undefined, body);
    for (const request of unanswered) send(request);
  },
  executor_changed: ({ executor }) => void (isExecutor = executor === 'you'),
  tool_call: onCall,
  approval_resolved({ call_id, outcome, args, args_sha256 }) {
    const call = calls.get(call_id);
    if (call?.phase !== 'asking') return;
    if (outcome === 'approved' || outcome === 'edited') start(call, args ?? call.frame.args, args_sha256);
    else calls.delete(call_id);
  },
  tool_cancel: () => {}, // these tools are short: the true result follows
  tool_result_ack({ call_id }) {
    settled(call_id);
    if (calls.get(call_id)?.phase === 'answering') calls.delete(call_id);
  },
  message_accepted: ({ message_id }) =>
    void unanswered.splice(
      unanswered.findIndex((request) => request.message_id === message_id),
      1,
    ),
  assistant_message: ({ token: text }) => void process.stdout.write(text),
  turn_ended({ status }) {
    process.stdout.write(`\n[turn ${status}]\n`);
    if (message !== undefined) socket.close(1000);
  },
  error({ code, message: text, reply_to, reply_to_type, retryable }) {
    process.stderr.write(`${code}: ${text}\n`);
    if (reply_to_type === 'tool_result' && !retryable) settled(reply_to);
  },
};

function receive(frame) {
  const { type, seq, prev_seq, redelivered } = frame;
  if (seq !== undefined && type !== 'welcome') {
    if (seq > last && (prev_seq ?? seq - 1) > last) return socket.close(4000); // a gap: come back with `resume`
    if (seq <= last && !(type === 'tool_call' && redelivered)) return;
    if (seq > last) send({ type: 'ack', seq: (last = seq) });
  }
  on[type]?.(frame); // an unknown frame is passed over
}

function connect() {
  socket = new WebSocket(new URL(`/ws/${session}`, url), { headers: { authorization: `Bearer ${token}` } });
  socket.on('open', () => {
    const known = [...journal.values()].slice(-32).map(({ call_id, args_sha256, state }) => ({ call_id, args_sha256, state }));
    send({
      ...{ type: 'hello', protocol_versions: ['2.0'], client_id, client: { name: 'example', version: '1' }, tools: Object.keys(tools) },
      resume: { epoch, seq: last, calls: known },
    });
  });
  socket.on('message', (data) => receive(JSON.parse(data)));
  socket.on('error', (error) => process.stderr.write(`${error.message}\n`));
  socket.on('close', (code) => {
    if (code === 1000 || code === 1005 || (code >= 4500 && code < 5000)) return;
    attempt += 1;
    const bound = Math.min(15_000, 250 * 2 ** (attempt - 1));
    setTimeout(connect, bound * (0.5 + Math.random() / 2));
  });
}
connect();
