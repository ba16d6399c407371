import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { CLI } from '../start-system.js';

const APPS = new URL('../../../apps/', import.meta.url);
const LOADER = new URL('../../../scripts/compiled/load-compiled.mjs', import.meta.url).href;

/** What a program prints in a Node of its own: the flags of this one are those of tests. */
async function run(program: string, words: readonly string[] = []): Promise<string> {
  const running = promisify(execFile)(process.execPath, ['--input-type=module', '-e', program, ...words]);
  running.child.stdin?.end();
  return (await running).stdout.trim();
}

/** What a program prints that has loaded a file so. */
const printed = (file: string, then: string): Promise<string> =>
  run(
    `import { loadCompiled } from '${LOADER}';\nimport { writeFileSync } from 'node:fs';\nconst loaded = loadCompiled(${JSON.stringify(file)});\n${then}`,
  );

test.each(['gateway', 'agent-runtime', 'llm-proxy'])(
  verifies('G2:compiled-services', 'the build keeps what is compiled of %s'),
  async (app) => {
    const file = fileURLToPath(new URL(`${app}/dist/service.cjs`, APPS));
    expect(await printed(file, 'console.log(loaded.isCompiled)')).toBe('true');
  },
);

test(verifies('G2:compiled-services', 'the build keeps what is compiled of each part of `codelab` that a command loads'), async () => {
  const loader = new URL('../../../scripts/compiled/load-chunks.mjs', import.meta.url).href;
  const program = `import { chunksOf } from '${loader}';
    import { writeSync } from 'node:fs';
    const chunks = chunksOf(${JSON.stringify(dirname(CLI))});
    await chunks.load('command.cjs').ended;
    const loaded = chunks.loaded();
    const late = loaded.filter(({ compiled }) => !compiled.isCompiled).map(({ file }) => file);
    writeSync(1, JSON.stringify([loaded.length > 20, late]));`; // the editor's protocol has taken console.log
  expect(await run(program, ['acp', '--url', 'ws://127.0.0.1:1'])).toBe('[true,[]]');
});

test(verifies('G2:compiled-services', 'a text that was changed to one as long is compiled anew'), async () => {
  const folder = await mkdtemp(join(tmpdir(), 'codelab-compiled-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'service.cjs');
  const runs = 'loaded.run(); console.log(loaded.isCompiled)';
  await writeFile(file, 'console.log("one", __filename === require.resolve("./service.cjs"));');
  expect(await printed(file, `${runs}; writeFileSync('${file}.cache', loaded.toCache());`)).toBe('one true\nfalse');
  expect(await printed(file, runs)).toBe('one true\ntrue');
  await writeFile(file, 'console.log("two", __filename === require.resolve("./service.cjs"));');
  expect(await printed(file, runs)).toBe('two true\nfalse');
  await writeFile(`${file}.cache`, 'no');
  expect(await printed(file, runs)).toBe('two true\nfalse');
});
