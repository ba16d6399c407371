import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { checkClient } from '@codelab/conformance';
import { verifies } from '@codelab/testkit';
import { notPassed } from '../conformance-kit.js';

const EXAMPLE = fileURLToPath(new URL('../../../examples/executor.mjs', import.meta.url));

/** Somebody who does what the kit says. */
class Person {
  readonly told: string[] = [];
  private client: ChildProcess | undefined;

  constructor(private readonly state: string) {}

  readonly hear = (sentence: string): void => {
    this.told.push(sentence);
    if (/^(Stop|Kill) your client/.test(sentence)) this.client?.kill('SIGKILL');
    const start = /address (\S+), session \S+, token (\S+), folder ([^;]+); (.*)/.exec(sentence);
    if (start === null) return;
    const [, url, token, folder, decides] = start;
    const env = { ...process.env, EXAMPLE_APPROVES: decides?.startsWith('it approves') === true ? 'everything' : '' };
    this.client = spawn(process.execPath, [EXAMPLE, url!, token!, folder!, this.state], { env, stdio: 'ignore' });
  };

  leave(): void {
    this.client?.kill('SIGKILL');
  }
}

test(
  verifies(
    'L3:conformance-by-hand',
    'a client that is run by hand goes from check to check by itself, and its person is told what else to do',
  ),
  async () => {
    const state = await mkdtemp(join(tmpdir(), 'codelab-by-hand-'));
    const person = new Person(state);
    const only = ['executor.runs', 'approval', 'journal.ended', 'log.gap', 'end.stay-away-4501', 'end.drain'];
    try {
      const results = await checkClient({ tell: person.hear, only });
      expect(notPassed(results)).toEqual([]);
      expect(person.told.map((sentence) => sentence.replace(/: .*;/, ':'))).toEqual([
        'Start your client: it approves by itself what it is asked.',
        'Stop your client now.',
        'Start your client: it has no human, and approves nothing.',
        'Stop your client now.',
        'Start your client: it approves by itself what it is asked.',
        'Kill your client now (kill -9).',
        'Start your client: it approves by itself what it is asked.',
        'Start your client: it approves by itself what it is asked.',
      ]);
    } finally {
      person.leave();
      await rm(state, { recursive: true, force: true });
    }
  },
);
