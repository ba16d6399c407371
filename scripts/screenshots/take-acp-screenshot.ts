/**
 * Takes the picture of `codelab acp` in a client that others wrote, acpx, at a real terminal with a scripted model:
 * `node --conditions=codelab-source --import ./scripts/register-swc.mjs scripts/screenshots/take-acp-screenshot.ts`, after
 * `./codelab --version`.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startTerminal } from '@codelab/testkit';
import { agentOf } from '../../tests/e2e/use-editors.js';
import { CLI } from '../../tests/e2e/start-system.js';
import { renderSvg } from './render-svg.js';
import { steadyCells } from './steady-cells.js';
import { REQUEST, startTide } from './tide.js';

const IMAGES = fileURLToPath(new URL('../../docs/images/', import.meta.url));
const ACPX = join(
  dirname(createRequire(new URL('../../tests/e2e/start-system.ts', import.meta.url)).resolve('acpx/package.json')),
  'dist/cli.js',
);
const COLUMNS = 96;

const tide = await startTide();
const ownHome = await mkdtemp(join(tmpdir(), 'codelab-acpx-'));
const { argv = [], env } = agentOf(tide.system);
const agent = [process.execPath, CLI, 'acp', ...argv].join(' ');
const words = [ACPX, '--cwd', tide.root, '--agent', agent, '--approve-all', 'exec', REQUEST];
const terminal = startTerminal(process.execPath, words, {
  columns: COLUMNS,
  rows: 400,
  cwd: tide.root,
  env: { ...env, HOME: ownHome, LANG: 'C.UTF-8' },
});
try {
  await terminal.exited;
  if (!terminal.screen().includes('end_turn')) throw new Error(`The turn did not end:\n${terminal.screen()}`);
  const rows = terminal.cells();
  const find = (text: string): number =>
    rows.findIndex((row) =>
      row
        .map((cell) => cell.text)
        .join('')
        .includes(text),
    );
  // from the second state of the plan to the change; what tests print is another thing each time
  const shown = rows.slice(find('[completed] Look') - 1, find('(+1 lines)') + 1);
  const home: readonly [RegExp, string] = [/\/\S*codelab-shots-[^/]+/, '~'];
  await mkdir(IMAGES, { recursive: true });
  await writeFile(`${IMAGES}acp.svg`, renderSvg('A turn of codelab acp in acpx', steadyCells(shown, [home]), COLUMNS));
} finally {
  await terminal.close();
  await tide.stop();
  await rm(ownHome, { recursive: true, force: true });
}
