import type { Clause } from '../clause.js';
import { composeOverview } from '../overview/compose-overview.js';
import { MANIFESTS, readManifest } from '../overview/read-manifest.js';
import { readReadme, type Readme } from '../overview/read-readme.js';
import { surveyFiles } from '../overview/survey-files.js';
import type { Manifest } from '../overview/manifest.js';
import { failure, textOf } from '../phrases.js';
import type { Failed, Outcome, Play, Task } from '../task.js';
import { toPaths } from './list-files.js';

const THING = '(?:repo(?:sitory)?|project|codebase|code base|package|app(?:lication)?|workspace|program)';
const THIS = `(?:this|the|my|our)\\s+(?:[\\w-]+\\s+)?${THING}`;
const REQUESTS: readonly RegExp[] = [
  new RegExp(
    `^what(?:'s|\\s+is|\\s+does|\\s+do)?\\s+(?:${THIS}|this|it)(?:\\s+(?:do|does|about|for|good for|all about))?\\s*[?.!]*$`,
    'iu',
  ),
  new RegExp(`^(?:explain|describe|summari[sz]e|introduce|show|give|tell|present)\\s.{0,60}\\b${THING}\\b[^\\n]{0,40}$`, 'iu'),
  new RegExp(`^(?:an?\\s+)?(?:overview|summary|tour)(?:\\s+of\\s+${THIS})?\\s*[?.!]*$`, 'iu'),
  new RegExp(
    `^how\\s+(?:do|can|should|would)\\s+(?:i|we|you)\\s+(?:run|start|use|install|build|test|work with|get started with)\\s+(?:${THIS}|this|it)\\b`,
    'iu',
  ),
  /^(?:onboard me|get me started|what am i looking at|where (?:do|should) i start|give me (?:an? )?(?:overview|tour|summary))(?![\p{L}\p{N}_])/iu,
  /^что (?:делает|это за|такое) .{0,30}(?:репозитори|проект|код|программ)|^(?:о ч[её]м|опиши|расскажи).{0,30}(?:проект|репозитори)/iu,
  /(?:저장소|리포지토리|레포|프로젝트|코드베이스).{0,20}(?:무엇|뭐|뭘|무슨|설명|소개|요약)/u,
];
/** What another skill shows of a project. */
const OTHER =
  /(?<![\p{L}\p{N}_])(?:files?|folders?|director(?:y|ies)|tree|diff|changes|changed|branch(?:es)?|commits?|log|status|history|\S+\.\w+)(?![\p{L}\p{N}_])/iu;

const DOING = 'look at the README, the package manifest and the files of this repository';
const MAX_MANIFESTS = 3;
const MAX_LISTED = 2_000;
const README = /^readme(?:\.(?:md|markdown|rst|txt))?$/i;

/** `what does this repository do?` */
export function overview({ text }: Clause): Task[] | undefined {
  const short = text.trim();
  if (short.length > 200 || OTHER.test(short.replace(/[?.!]+$/, '')) || !REQUESTS.some((request) => request.test(short))) return undefined;
  return [{ tools: ['read_file'], readonly: true, doing: DOING, play }];
}

/** Not to be found, or not to be read: it goes on without. */
const isPassedOver = ({ code }: Failed): boolean =>
  ['FILE_NOT_FOUND', 'FILE_TOO_LARGE', 'ENCODING_ERROR', 'INVALID_PATH', 'FAILED'].includes(code);

function* play(has: (tool: string) => boolean): Play {
  const listed: string[] = [];
  let isCut = false;
  for (const recursive of has('list_files') ? [false, true] : []) {
    const outcome = yield { tool: 'list_files', args: { path: '.', recursive, limit: MAX_LISTED }, optional: ['recursive', 'limit'] };
    if (!outcome.ok) return failure(DOING, outcome);
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
    const outcome: Outcome = yield { tool: 'read_file', args: { path } };
    if (!outcome.ok && !isPassedOver(outcome)) return failure(DOING, outcome);
    if (!outcome.ok) continue;
    const content = textOf(outcome.value.content) ?? outcome.text;
    read.push(path);
    if (readmes.includes(path)) readme = readReadme(content);
    const manifest = readManifest(path, content, (beside) => paths.length > 0 && exists(beside));
    if (manifest !== undefined) manifests.push(manifest);
  }
  if (read.length === 0 && paths.length === 0) return { text: 'There is nothing here yet: no README, no package manifest and no files.' };
  return { text: composeOverview({ readme, manifests, survey: surveyFiles(paths), read, isCut }) };
}
