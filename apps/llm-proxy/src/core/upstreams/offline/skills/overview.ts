import type { Clause } from '../clause.js';
import { composeOverview } from '../overview/compose-overview.js';
import type { Play, Task } from '../task.js';
import { lookAround } from './look-around.js';

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

/** `what does this repository do?` */
export function overview({ text }: Clause): Task[] | undefined {
  const short = text.trim();
  if (short.length > 200 || OTHER.test(short.replace(/[?.!]+$/, '')) || !REQUESTS.some((request) => request.test(short))) return undefined;
  return [{ tools: ['read_file'], readonly: true, doing: DOING, play }];
}

function* play(has: (tool: string) => boolean): Play {
  const facts = yield* lookAround(DOING, has);
  if ('text' in facts) return facts;
  if (facts.read.length === 0 && facts.survey.files === 0)
    return { text: 'There is nothing here yet: no README, no package manifest and no files.' };
  return { text: composeOverview(facts) };
}
