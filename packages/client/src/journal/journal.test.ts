import { spawnSync } from 'node:child_process';
import { appendFile, readdir, readFile, stat, utimes, writeFile, mkdir, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { makeFolder } from '../../test/support.js';
import { claimFile } from './claim-file.js';
import type { CallFacts } from './journal-index.js';
import { Journal } from './journal.js';
import { openJournal } from './open-journal.js';

const cleanups: (() => Promise<unknown>)[] = [];
const problems: Error[] = [];
let folder: string;

const open = async (compactBytes?: number): Promise<Journal> => {
  const journal = await Journal.open(folder, {
    onProblem: (error) => problems.push(error),
    compactBytes,
  });
  cleanups.unshift(() => journal.close().catch(() => undefined)); // closed by the test already
  return journal;
};

const call = (callId: string, fields: Partial<CallFacts> = {}): CallFacts => ({
  callId,
  argsSha256: 'a'.repeat(64),
  toolName: 'write_file',
  unsafe: true,
  fence: 1,
  ...fields,
});

const file = (): string => join(folder, 'calls.ndjson');

beforeEach(async () => {
  folder = await makeFolder(cleanups);
  problems.length = 0;
});

afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
  expect(problems).toEqual([]);
});

test('a journal tells the next process how far each call got', async () => {
  const journal = await open();
  for (const id of ['received', 'started', 'done', 'settled']) journal.received(call(id));
  for (const id of ['started', 'done', 'settled']) await journal.begin(call(id));
  for (const id of ['done', 'settled']) await journal.end(id, { result: `{"of":"${id}"}` });
  journal.settled('settled');
  expect(journal.report().map(({ call_id, state }) => [call_id, state])).toEqual([
    ['received', 'received'],
    ['started', 'started'],
    ['done', 'done'],
    ['settled', 'done'],
  ]);
  await journal.close();

  const next = await open();
  expect(next.report().map(({ state }) => state)).toEqual(['received', 'unknown', 'done', 'done']);
  expect(next.unsettled().map(({ callId }) => callId)).toEqual(['done']);
  expect(await next.answerOf('done')).toEqual({ result: '{"of":"done"}' });
  expect(await next.answerOf('started')).toBeUndefined();
});

test(
  verifies('R2:child-journal', 'what children have had answered is not reported to their session, in the next process either'),
  async () => {
    const journal = await open();
    for (const id of ['own', 'settled', 'unsettled']) {
      await journal.begin({ ...call(id), child: id === 'own' ? undefined : true });
      await journal.end(id, { result: '{}' });
      if (id !== 'unsettled') journal.settled(id);
    }
    journal.received({ ...call('waiting'), child: true });
    const names = (one: Journal): string[] => one.report().map(({ call_id }) => call_id);
    expect(names(journal)).toEqual(['own', 'unsettled', 'waiting']);
    await journal.close();
    expect(names(await open(1))).toEqual(['own', 'unsettled', 'waiting']);
  },
);

test('calls without an end are reported before the others', async () => {
  const journal = await open();
  for (const id of ['waiting', ...Array.from({ length: 40 }, (_, n) => `done-${String(n)}`)]) {
    journal.received(call(id));
    if (id !== 'waiting') await journal.end(id, { result: '{}' });
  }
  const names = journal.report().map(({ call_id }) => call_id);
  expect([names.length, names[0], names[1], names.at(-1)]).toEqual([32, 'waiting', 'done-9', 'done-39']);
});

test.each(['"a text"', '-1.5', 'false', 'null', '[1,null]'])('the result %s is what the next process answers', async (result) => {
  const journal = await open();
  await journal.begin(call('c1'));
  await journal.end('c1', { result });
  await journal.close();
  expect(await (await open()).answerOf('c1')).toEqual({ result });
});

test(verifies('R2:journal-torn', 'a line that a crash cut short says nothing, and the next one is not glued to it'), async () => {
  const journal = await open();
  await journal.begin(call('c1'));
  await journal.end('c1', { result: '{}' });
  await journal.close();
  await truncate(file(), (await stat(file())).size - 5);

  const next = await open();
  expect(next.find('c1')).toMatchObject({ state: 'unknown' });
  await next.begin(call('c2'));
  await next.end('c2', { error: { code: 'GIT_ERROR', message: 'm' } });
  await next.close();
  await appendFile(file(), '\0\0\0\0{"is":"done","call":"c9"');

  const last = await open();
  expect(last.report().map(({ call_id, state }) => [call_id, state])).toEqual([
    ['c1', 'unknown'],
    ['c2', 'done'],
  ]);
  expect(await last.answerOf('c2')).toEqual({ error: { code: 'GIT_ERROR', message: 'm' } });
});

test('a long answer lies beside the journal, and comes back whole', async () => {
  const journal = await open();
  const result = JSON.stringify({ content: 'é'.repeat(1024 * 1024) });
  await journal.begin(call('../../evil'));
  await journal.end('../../evil', { result });
  expect((await stat(file())).size).toBeLessThan(1_000);
  expect(await readdir(join(folder, 'answers'))).toHaveLength(1);
  await journal.close();
  expect(await (await open()).answerOf('../../evil')).toEqual({ result });
});

test('of a safe call the journal keeps no answer', async () => {
  const journal = await open();
  await journal.begin(call('c1', { unsafe: false }));
  await journal.end('c1', { result: '{}' });
  await journal.close();
  const next = await open();
  expect(next.find('c1')).toMatchObject({ state: 'done', unsafe: false });
  expect(next.unsettled()).toEqual([]);
});

test('a call that is asked anew begins from nothing', async () => {
  const journal = await open();
  journal.received(call('c1'));
  journal.previewed('c1', 'b'.repeat(64), [{ path: 'a', sha256: '' }]);
  journal.approved('c1', 'b'.repeat(64));
  await journal.begin(call('c1'));
  await journal.end('c1', { error: { code: 'APPROVAL_MISMATCH', message: 'm' } });
  expect(journal.find('c1')).toMatchObject({ errorCode: 'APPROVAL_MISMATCH', shown: { operands: [{ path: 'a', sha256: '' }] } });
  journal.reopened('c1');
  await journal.close();
  const entry = (await open()).find('c1');
  expect(entry).toMatchObject({ state: 'received' });
  expect(entry).not.toHaveProperty('errorCode');
  expect(entry).not.toHaveProperty('shown');
  expect(entry).not.toHaveProperty('approvedSha256');
});

test('the number of the last question about a call is known to the next process, also from a journal that was written anew', async () => {
  const journal = await open();
  journal.received(call('first'), 1);
  journal.received(call('later'), 2);
  journal.received(call('later'), 3);
  journal.received(call('later'), 2);
  journal.previewed('later', 'b'.repeat(64), [{ path: 'a', sha256: '' }]);
  await journal.begin(call('anew'));
  await journal.end('anew', { error: { code: 'APPROVAL_MISMATCH', message: 'm' } });
  journal.reopened('anew', 2);
  await journal.close();
  const lines = (await readFile(file(), 'utf8')).trimEnd().split('\n').length;
  expect(lines).toBe(7);
  for (const compactBytes of [undefined, 1, undefined]) {
    const next = await open(compactBytes);
    expect(['first', 'later', 'anew'].map((id) => next.find(id)?.question)).toEqual([undefined, 3, 2]);
    expect(next.find('later')).toMatchObject({ state: 'received', shown: { operands: [{ path: 'a', sha256: '' }] } });
    await next.close();
  }
});

test('a journal that has grown large is written anew with its last calls and every answer in its place', async () => {
  const journal = await open(20_000);
  journal.received(call('waits'));
  await journal.begin(call('lost'));
  for (let n = 0; n < 60; n += 1) {
    await journal.begin(call(`c${n}`));
    await journal.end(`c${n}`, { result: JSON.stringify({ n, text: 'x'.repeat(400) }) });
    if (n % 2 === 0) journal.settled(`c${n}`);
  }
  await journal.close();
  const written = (await readFile(file(), 'utf8')).split('\n').length;

  const next = await open(1);
  expect((await readFile(file(), 'utf8')).split('\n').length).toBeLessThanOrEqual(written);
  expect(next.find('waits')).toMatchObject({ state: 'received' });
  expect(next.find('lost')).toMatchObject({ state: 'unknown' });
  for (let n = 0; n < 60; n += 1) expect(await next.answerOf(`c${n}`)).toEqual({ result: JSON.stringify({ n, text: 'x'.repeat(400) }) });
  expect(next.unsettled()).toHaveLength(30);
  await next.begin(call('after'));
  await next.end('after', { result: '{"still":"fine"}' });
  await next.close();
  expect(await (await open()).answerOf('after')).toEqual({ result: '{"still":"fine"}' });
});

test('calls beyond those that are kept are forgotten, running ones never', async () => {
  const journal = await open();
  await journal.begin(call('runs'));
  for (let n = 0; n < 600; n += 1) journal.received(call(`c${n}`));
  await journal.end('c0', { result: '{}' });
  expect(journal.find('runs')).toMatchObject({ state: 'started' });
  expect(journal.find('c1')).toBeUndefined();
  expect(journal.find('c599')).toBeDefined();
  expect(journal.report()).toHaveLength(32);
});

test('two claims of one file: the second is told who has it, until the first lets go', async () => {
  const first = await claimFile(file());
  expect(first.kind).toBe('held');
  expect(await claimFile(file())).toEqual({ kind: 'busy', pid: process.pid });
  if (first.kind === 'held') await first.release();
  const second = await claimFile(file());
  expect(second.kind).toBe('held');
  if (second.kind === 'held') await second.release();
});

test('of many claims at once at most one is held', async () => {
  const claims = await Promise.all(Array.from({ length: 8 }, () => claimFile(file())));
  const held = claims.filter((claim) => claim.kind === 'held');
  expect(held.length).toBeLessThanOrEqual(1);
  for (const claim of held) await claim.release();
});

test('the claim of a process that is gone, or of another that got its number, counts as none', async () => {
  const gone = spawnSync(process.execPath, ['-e', '']).pid;
  const directory = `${file()}.claims`;
  await mkdir(directory, { recursive: true });
  const { hostname } = await import('node:os');
  const dead = [{ pid: gone, birth: '1', host: hostname() }, { pid: process.pid, birth: 'another', host: hostname() }, 'not a claim'];
  for (const [at, claimant] of dead.entries()) await writeFile(join(directory, `${at}.claim`), JSON.stringify(claimant));
  const claim = await claimFile(file());
  expect(claim.kind).toBe('held');
  if (claim.kind === 'held') await claim.release();
  expect(await readdir(directory)).toEqual([]);
});

test('the claim of another host counts while it is refreshed', async () => {
  const directory = `${file()}.claims`;
  await mkdir(directory, { recursive: true });
  const foreign = join(directory, 'far.claim');
  await writeFile(foreign, JSON.stringify({ pid: 1, birth: '1', host: 'another-host' }));
  expect(await claimFile(file())).toEqual({ kind: 'busy', pid: 1 });
  const past = new Date(Date.now() - 120_000);
  await utimes(foreign, past, past);
  const claim = await claimFile(file());
  expect(claim.kind).toBe('held');
  if (claim.kind === 'held') await claim.release();
});

test('journals that nobody has written for weeks are cleared away when another is opened, unless a process has them', async () => {
  const options = { journalDir: folder, clientId: 'c', onProblem: (error: Error) => void problems.push(error) };
  const past = new Date(Date.now() - 40 * 24 * 60 * 60 * 1000);
  const names = new Map<string, string>();
  for (const sessionId of ['old', 'young', 'held']) {
    const before = await readdir(folder);
    const opened = await openJournal({ ...options, sessionId });
    if (opened.kind !== 'open') throw new Error('busy');
    await opened.cleared;
    names.set(
      sessionId,
      (await readdir(folder)).find((name) => !before.includes(name))!,
    );
    if (sessionId === 'held') cleanups.unshift(() => opened.close());
    else await opened.close();
  }
  for (const sessionId of ['old', 'held']) await utimes(join(folder, names.get(sessionId)!, 'calls.ndjson'), past, past);
  const fresh = await openJournal({ ...options, sessionId: 'fresh' });
  if (fresh.kind !== 'open') throw new Error('busy');
  cleanups.unshift(() => fresh.close());
  await fresh.cleared;
  const left = await readdir(folder);
  expect(left).not.toContain(names.get('old'));
  expect(left).toEqual(expect.arrayContaining([names.get('young'), names.get('held')]));
});
