import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeRepository, type Repository } from '../make-repository.js';
import { FILE_CASES } from './file-cases.js';
import { GIT_CASES } from './git-cases.js';
import { PROCESS_CASES } from './process-cases.js';
import { IGNORED_FILES, SEED_FILES, type ToolCase } from './tool-case.js';
import type { OpenDriver, ToolDriver } from './tool-driver.js';

/** Every case of the suite. */
export const TOOL_CASES: readonly ToolCase[] = [...FILE_CASES, ...GIT_CASES, ...PROCESS_CASES];

const put = async (root: string, files: Readonly<Record<string, string | null>>): Promise<void> => {
  for (const [path, text] of Object.entries(files)) {
    const file = join(root, path);
    if (text === null) await rm(file, { recursive: true });
    else {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }
  }
};

/** Brings a repository back to its first commit, whatever a case did to it. */
const reset = async (repository: Repository): Promise<void> => {
  const { root } = repository;
  const git = (...argv: string[]): Promise<string> => repository.git(...argv);
  await git('checkout', '-q', '-f', '-B', 'main', 'start');
  await git('clean', '-q', '-f', '-d', '-x');
  for (const branch of (await git('for-each-ref', '--format=%(refname:short)', 'refs/heads')).split('\n').filter(Boolean))
    if (branch !== 'main') await git('branch', '-q', '-D', branch);
  await put(root, IGNORED_FILES);
};

const check = async (expected: ToolCase, root: string, driver: ToolDriver): Promise<void> => {
  const answer = await driver.run(expected.tool, expected.args);
  if (expected.error === undefined) {
    expect(answer).toEqual({ ok: true, result: expect.objectContaining(expected.result ?? {}) as unknown });
  } else {
    expect(answer).toMatchObject({ ok: false, code: expected.error });
    for (const word of expected.words ?? []) expect(answer).toMatchObject({ message: expect.stringContaining(word) as unknown });
  }
  for (const [path, text] of Object.entries(expected.after ?? {}))
    expect([path, await readFile(join(root, path), 'utf8').catch(() => null)]).toEqual([path, text]);
};

/** The suite of all tools, on real files and real git, by one way to run them. */
export function runToolSuite(way: string, open: OpenDriver): void {
  describe(way, () => {
    let repository: Repository;
    let driver: ToolDriver;

    beforeAll(async () => {
      repository = await makeRepository({ extra: SEED_FILES });
      await repository.git('tag', 'start');
      await repository.git('config', 'user.name', 'test');
      await repository.git('config', 'user.email', 'test@localhost');
      driver = await open(repository.root);
    }, 60_000);

    afterAll(async () => {
      await driver.close();
      await repository.remove();
    });

    beforeEach(() => reset(repository));

    test.each(TOOL_CASES.map((each) => [each.name, each] as const))('%s', async (_name, each) => {
      await put(repository.root, each.before ?? {});
      for (const argv of each.git ?? []) await repository.git(...argv);
      await check(each, repository.root, driver);
    });
  });
}
