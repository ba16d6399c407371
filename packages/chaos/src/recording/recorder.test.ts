import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ChaosEvent } from './chaos-event.js';
import { readRecording } from './read-recording.js';
import { openRecorder } from './recorder.js';

let directory: string;
beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'codelab-recording-'))));
afterEach(() => rmSync(directory, { recursive: true }));

const path = () => join(directory, 'inner', 'run.jsonl');

test('what is recorded is read back in the order of its time, with the time of another process kept', async () => {
  const recorder = openRecorder(path());
  recorder.record({ kind: 'note', text: 'second' });
  recorder.record({ kind: 'note', text: 'first', at: 0 });
  recorder.close();
  recorder.record({ kind: 'note', text: 'after the end' });
  expect((await readRecording(path())).map((event) => event.kind === 'note' && event.text)).toEqual(['first', 'second']);
});

test('a listener hears each event with its time until it is taken away', () => {
  const recorder = openRecorder(path());
  const heard: ChaosEvent[] = [];
  const stop = recorder.listen((event) => heard.push(event));
  recorder.record({ kind: 'phase', what: 'storm' });
  stop();
  recorder.record({ kind: 'phase', what: 'over' });
  expect(heard).toEqual([{ kind: 'phase', what: 'storm', at: expect.any(Number) as number }]);
  recorder.close();
});

test('a recorder holds one buffer and no more', () => {
  const recorder = openRecorder(path());
  for (let round = 0; round < 50; round += 1) recorder.record({ kind: 'note', text: 'x'.repeat(10_000) });
  expect(readFileSync(path(), 'utf8').length).toBeGreaterThan(250_000);
  recorder.flush();
  expect(readFileSync(path(), 'utf8').trimEnd().split('\n')).toHaveLength(recorder.count);
  recorder.close();
});

test('a run that was killed leaves half a line, which is left out; a broken line elsewhere is an error', async () => {
  const recorder = openRecorder(path());
  recorder.record({ kind: 'note', text: 'whole' });
  recorder.close();
  appendFileSync(path(), '{"kind":"note","te');
  expect(await readRecording(path())).toHaveLength(1);
  appendFileSync(path(), '\n{"kind":"note","text":"x","at":1}\n');
  await expect(readRecording(path())).rejects.toThrow('Line 2 of');
});
