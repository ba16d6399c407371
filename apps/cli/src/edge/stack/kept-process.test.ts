import { expect, test } from 'vitest';
import { createLogger } from '@codelab/service-shell';
import { CommandError } from '../../core/command-error.js';
import { KeptProcess, type Launch, type Life } from './kept-process.js';

const logger = createLogger('test', 'silent');

/** A process whose every life the test begins and ends. */
class ScriptedProcess {
  readonly signals: string[] = [];
  lives = 0;
  die: () => void = () => {};
  private outcomes: (Error | 'ready')[] = [];

  constructor(...outcomes: (Error | 'ready')[]) {
    this.outcomes = outcomes;
  }

  readonly launch: Launch = (): Promise<Life> => {
    const outcome = this.outcomes.shift() ?? 'ready';
    if (outcome !== 'ready') return Promise.reject(outcome);
    this.lives += 1;
    const ended = new Promise<void>((resolve) => (this.die = resolve));
    const end = (signal: string) => {
      this.signals.push(signal);
      this.die();
    };
    return Promise.resolve({ pid: 100 + this.lives, ended, end });
  };
}

test('a process that dies is started again and said to have changed', async () => {
  const script = new ScriptedProcess();
  let changed: (pid: number | undefined) => void;
  const change = new Promise<number | undefined>((resolve) => (changed = resolve));
  const kept = new KeptProcess('example', script.launch, logger, () => changed(kept.pid));
  await kept.begin();
  expect(kept.pid).toBe(101);
  script.die();
  expect(await change).toBe(102);
  await kept.stop(1_000);
  expect([script.signals, script.lives]).toEqual([['SIGTERM'], 2]);
});

test('bad luck at the start is tried again; three times is no luck', async () => {
  const once = new KeptProcess('example', new ScriptedProcess(new Error('died')).launch, logger, () => {});
  await once.begin();
  await once.stop(1_000);
  const never = new KeptProcess('example', new ScriptedProcess(new Error('1'), new Error('2'), new Error('3')).launch, logger, () => {});
  await expect(never.begin()).rejects.toThrow('3');
  await never.stop(1_000);
});

test('what trying again cannot mend ends the start at once', async () => {
  const script = new ScriptedProcess(new CommandError('Port 8000 is in use.'));
  const kept = new KeptProcess('example', script.launch, logger, () => {});
  await expect(kept.begin()).rejects.toThrow('Port 8000 is in use.');
  await kept.stop(1_000);
  expect(script.lives).toBe(0);
});

test('a stop while the process is down starts nothing more', async () => {
  const script = new ScriptedProcess();
  const kept = new KeptProcess('example', script.launch, logger, () => {});
  await kept.begin();
  script.die();
  await kept.stop(1_000);
  expect([script.lives, kept.pid]).toEqual([1, undefined]);
});

test('a stop while the process starts ends the start', async () => {
  const launch: Launch = (abort) => new Promise((_, reject) => abort.addEventListener('abort', () => reject(new Error('aborted'))));
  const kept = new KeptProcess('example', launch, logger, () => {});
  const begun = kept.begin();
  await Promise.all([kept.stop(1_000), expect(begun).rejects.toThrow('aborted')]);
});
