import type { Facts } from '../overview/compose-overview.js';
import type { Manifest } from '../overview/manifest.js';
import { MANIFESTS, readManifest } from '../overview/read-manifest.js';
import { readReadme, type Readme } from '../overview/read-readme.js';
import { surveyFiles } from '../overview/survey-files.js';
import { failure, textOf } from '../phrases.js';
import type { Failed, Outcome, Report, ToolUse } from '../task.js';
import { toPaths } from './list-files.js';

const MAX_MANIFESTS = 3;
const MAX_LISTED = 2_000;
const README = /^readme(?:\.(?:md|markdown|rst|txt))?$/i;

/** Not to be found, or not to be read: it goes on without. */
const isPassedOver = ({ code }: Failed): boolean =>
  ['FILE_NOT_FOUND', 'FILE_TOO_LARGE', 'ENCODING_ERROR', 'INVALID_PATH', 'FAILED'].includes(code);

/** Lists the files of a project and reads its README and manifests. A report where that failed. */
export function* lookAround(doing: string, has: (tool: string) => boolean): Generator<ToolUse, Facts | Report, Outcome> {
  const listed: string[] = [];
  let isCut = false;
  for (const recursive of has('list_files') ? [false, true] : []) {
    const outcome = yield { tool: 'list_files', args: { path: '.', recursive, limit: MAX_LISTED }, optional: ['recursive', 'limit'] };
    if (!outcome.ok) return failure(doing, outcome);
    listed.push(...(toPaths(outcome.value) ?? []));
    isCut = outcome.value.truncated === true || /\n\[(?:cut: |first |[\d+ ]*more\]).*$/.test(outcome.text);
  }
  const paths = [...new Set(listed)];
  const exists = (path: string): boolean => paths.length === 0 || paths.includes(path) || paths.includes(`${path}/`);
  const read: string[] = [];
  const readmes = paths.length === 0 ? ['README.md'] : paths.filter((path) => README.test(path)).slice(0, 1);
  let readme: Readme | undefined;
  const manifests: Manifest[] = [];
  for (const path of [...readmes, ...MANIFESTS.filter(exists).slice(0, MAX_MANIFESTS)]) {
    const outcome = yield { tool: 'read_file', args: { path } };
    if (!outcome.ok && !isPassedOver(outcome)) return failure(doing, outcome);
    if (!outcome.ok) continue;
    const content = textOf(outcome.value.content) ?? outcome.text;
    read.push(path);
    if (readmes.includes(path)) readme = readReadme(content);
    const manifest = readManifest(path, content, (beside) => paths.length > 0 && exists(beside));
    if (manifest !== undefined) manifests.push(manifest);
  }
  return { readme, manifests, survey: surveyFiles(paths), read, isCut };
}
