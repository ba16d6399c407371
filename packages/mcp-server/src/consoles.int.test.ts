import { chmod, chown, mkdir, readdir, rename, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { FakeClock, eventually, verifies } from '@codelab/testkit';
import type { ApprovalQuestion } from './approvals/decision.js';
import { useServedFolder } from './__fixtures__/served-folder.js';
import { consoleFolder } from './consoles/console-folder.js';
import { askConsoles } from './consoles/ask-consoles.js';
import type { Person, PersonDecision } from './consoles/open-console.js';

const folder = useServedFolder();
const write = { path: 'b.txt', content: 'two\n' };

/** Somebody at a console: hears questions, and answers when they are told to. */
class Watcher implements Person {
  readonly asked: ApprovalQuestion[] = [];
  cleared = 0;
  private settle: ((decision: PersonDecision | undefined) => void) | undefined;

  decide(question: ApprovalQuestion, signal: AbortSignal): Promise<PersonDecision | undefined> {
    this.asked.push(question);
    return new Promise((resolve) => {
      this.settle = resolve;
      signal.addEventListener('abort', () => {
        this.cleared += 1;
        resolve(undefined);
      });
    });
  }

  answer(): Promise<{ action: string }> {
    return Promise.resolve({ action: 'blue' });
  }

  async says(decision: PersonDecision | undefined): Promise<void> {
    await eventually('is asked', () => this.settle !== undefined);
    this.settle?.(decision);
  }
}

test(verifies('H1:mcp-serve-console', 'the first decision of those who watch counts, and clears the prompts of the others'), async () => {
  const [one, other] = [new Watcher(), new Watcher()];
  await folder.watch(one);
  await folder.watch(other);
  const program = await folder.connect({ sdk: 'v1' });
  const answer = program.call('write_file', write);
  await eventually('both are asked', () => one.asked.length + other.asked.length === 2);
  expect(one.asked[0]).toMatchObject({ toolName: 'write_file', client: 'tester', risk: 'medium', preview: { kind: 'diff' } });
  await other.says({ decision: 'approve' });
  expect(await answer).toMatchObject({ isError: false });
  await eventually('the other prompt is gone', () => one.cleared === 1);
  await one.says({ decision: 'reject' });
  expect(await folder.read('b.txt')).toBe('two\n');
});

test(verifies('H3:mcp-serve-console', 'a rejection, an absence and a time that is over are different facts'), async () => {
  const watcher = new Watcher();
  await folder.watch(watcher);
  const program = await folder.connect({ sdk: 'v1' });
  const rejected = program.call('write_file', write);
  await watcher.says({ decision: 'reject', feedback: 'not now' });
  expect((await rejected).text).toMatch(/\[DENIED_BY_USER\].*not now/);

  const leaving = new Watcher();
  const desk = await folder.watch(leaving);
  const left = program.call('write_file', write);
  await eventually('both are asked', () => leaving.asked.length === 1 && watcher.asked.length === 2);
  await desk.close();
  await watcher.says(undefined);
  expect((await left).text).toContain('[CLIENT_DISCONNECTED]');
});

test(verifies('H3:mcp-serve-console', 'a person who says nothing in time has refused nothing'), async () => {
  const clock = new FakeClock();
  const silent: Person = { decide: () => new Promise(() => undefined), answer: () => new Promise(() => undefined) };
  await folder.watch(silent);
  const question = { kind: 'question' as const, callId: 'c', message: 'm', actions: ['a'], client: 'x' };
  const { signal } = new AbortController();
  const asked = askConsoles({
    folder: consoleFolder(folder.dataDir, folder.root),
    question,
    read: () => 'read',
    signal,
    timeoutMs: 50,
    clock,
  });
  await eventually('it waits', () => clock.pending === 1);
  await clock.advance(50);
  expect(await asked).toEqual({ kind: 'timed_out' });
});

test(verifies('H2:mcp-serve-console', 'what a console was not shown it does not approve'), async () => {
  const watcher = new Watcher();
  const desk = await folder.watch(watcher);
  const question = {
    ...{ kind: 'approval' as const, callId: 'c', toolName: 'write_file', title: 'Write', argsText: '{"path":"a"}', argsSha256: 'ff' },
    ...{ reason: 'r', risk: 'low' as const, proposals: [], preview: undefined, operands: [], client: 'x' },
  };
  const { signal } = new AbortController();
  const clock = new FakeClock();
  const asked = await askConsoles({
    folder: consoleFolder(folder.dataDir, folder.root),
    question,
    read: (line) => line,
    signal,
    timeoutMs: 1e6,
    clock,
  });
  expect(asked).toEqual({ kind: 'disconnected' });
  expect(watcher.asked).toEqual([]);
  await desk.close();
});

test(verifies('H1:mcp-serve-console', 'an approval for the project makes a rule that holds from then on'), async () => {
  const watcher = new Watcher();
  await folder.watch(watcher);
  const program = await folder.connect({ sdk: 'v1' });
  const answer = program.call('write_file', write);
  await eventually('is asked', () => watcher.asked.length === 1);
  await watcher.says({ decision: 'approve', remember: { scope: 'project', rule: { ...watcher.asked[0]!.proposals[0]!.rule } } });
  expect(await answer).toMatchObject({ isError: false });
  expect(await program.call('write_file', { ...write, content: 'three\n' })).toMatchObject({ isError: false });
  expect(watcher.asked).toHaveLength(1);
});

test(verifies('H1:mcp-serve-question', 'a question of the model is answered at a console'), async () => {
  await folder.watch(new Watcher());
  const program = await folder.connect({ sdk: 'v1' });
  expect(await program.call('prompt_user', { message: 'Which?', actions: ['red', 'blue'] })).toMatchObject({ data: { action: 'blue' } });
});

test(verifies('H1:mcp-serve-console', 'a program whose forms are not trusted is decided about at a console'), async () => {
  const watcher = new Watcher();
  await folder.serve({ approve: 'console' });
  await folder.watch(watcher);
  const program = await folder.connect({ sdk: 'v2 of 2025', onForm: () => ({ action: 'accept', content: { decision: 'approve' } }) });
  const answer = program.call('write_file', write);
  await watcher.says({ decision: 'reject' });
  expect(await answer).toMatchObject({ isError: true, text: expect.stringContaining('[DENIED_BY_USER]') });
});

test(verifies('L2:mcp-serve-cancel', 'a call that is given up clears the prompt at the console'), async () => {
  const watcher = new Watcher();
  await folder.watch(watcher);
  const program = await folder.connect({ sdk: 'v1' });
  const stop = new AbortController();
  const answer = program.call('write_file', write, { signal: stop.signal });
  await eventually('is asked', () => watcher.asked.length === 1);
  stop.abort('enough');
  await expect(answer).rejects.toThrow();
  await eventually('the prompt is gone', () => watcher.cleared === 1);
});

let impostor: Server | undefined;
afterEach(async () => {
  await new Promise((resolve) => (impostor ? impostor.close(resolve) : resolve(undefined)));
  impostor = undefined;
});

test(verifies('H1:mcp-serve-console-owner', 'a socket that another user could have made, or write to, approves nothing'), async () => {
  const consoles = consoleFolder(folder.dataDir, folder.root);
  await folder.watch(new Watcher());
  const [name] = await readdir(consoles);
  expect((await stat(join(consoles, name!))).mode & 0o777).toBe(0o600);
  expect((await stat(consoles)).mode & 0o777).toBe(0o700);
  await rename(join(consoles, name!), join(consoles, 'gone'));

  const file = join(consoles, 'x.sock');
  let heard = 0;
  impostor = createServer((socket) => {
    heard += 1;
    socket.on('error', () => socket.destroy());
    socket.once('data', (line: Buffer) => {
      const { argsSha256 } = JSON.parse(line.toString()) as { argsSha256: string };
      socket.end(`${JSON.stringify({ kind: 'approval', decision: 'approve', argsSha256 })}\n`);
    });
  });
  await new Promise<void>((resolve) => impostor!.listen(file, () => resolve()));
  const program = await folder.connect({ sdk: 'v1' });
  const refused = { isError: true, text: expect.stringContaining('[DENIED_BY_POLICY]') };
  await chmod(file, 0o666);
  expect(await program.call('write_file', write)).toMatchObject(refused);
  await chmod(file, 0o600);
  await chmod(consoles, 0o777);
  expect(await program.call('write_file', write)).toMatchObject(refused);
  await chmod(consoles, 0o700);
  if (process.getuid?.() === 0) {
    await chown(file, 65_534, 65_534);
    expect(await program.call('write_file', write)).toMatchObject(refused);
    await chown(file, 0, 0);
  }
  expect(heard).toBe(0);
  expect(await program.call('write_file', write)).toMatchObject({ isError: false }); // it was the modes that kept it out
});

test('a console works below a path that is too long for a socket', async () => {
  const deep = join(folder.dataDir, 'x'.repeat(120));
  await mkdir(deep, { recursive: true });
  const { openConsole } = await import('./consoles/open-console.js');
  const watcher = new Watcher();
  const desk = await openConsole(deep, watcher);
  const question = { kind: 'question' as const, callId: 'c', message: 'm', actions: ['blue'], client: 'x' };
  const { signal } = new AbortController();
  const asked = await askConsoles({ folder: deep, question, read: (line) => line, signal, timeoutMs: 60_000, clock: new FakeClock() });
  expect(asked).toBe('{"kind":"question","action":"blue"}');
  await desk.close();
  expect(await readdir(deep)).toEqual([]);
});
