import { splitClauses, type Clause } from './clause.js';
import { plain } from './clause.js';
import { agentsGuide } from './skills/agents-guide.js';
import { applyPatch, findDiff } from './skills/apply-patch.js';
import { arrangeFiles } from './skills/arrange-files.js';
import { askUser } from './skills/ask-user.js';
import { branches } from './skills/branches.js';
import { commit, showDiff, showGit } from './skills/git.js';
import { listFiles } from './skills/list-files.js';
import { overview } from './skills/overview.js';
import { processes } from './skills/processes.js';
import { readFiles } from './skills/read-files.js';
import { appendText, replaceText } from './skills/rewrite-file.js';
import { runCommand } from './skills/run-command.js';
import { search } from './skills/search.js';
import { web } from './skills/web.js';
import { writeFile } from './skills/write-file.js';
import type { Task } from './task.js';

/** A request, understood as far as it goes. */
export interface Plan {
  /** One after another; the tasks of a stage run side by side. */
  readonly stages: readonly (readonly Task[])[];
  /** Wishes that no rule understands. */
  readonly unknown: readonly string[];
}

type Skill = (clause: Clause) => Task[] | undefined;

/** The first one that understands a wish has it: narrow ones stand before wide ones. */
const SKILLS: readonly Skill[] = [
  web,
  overview,
  commit,
  branches,
  runCommand,
  processes,
  askUser,
  replaceText,
  appendText,
  arrangeFiles,
  writeFile,
  showDiff,
  showGit,
  listFiles,
  search,
  readFiles,
];

const APPLY = /^(?:apply|review|use|примени|проверь)(?![\p{L}\p{N}_])|적용|검토/iu;

/** Takes a request apart. Readonly wishes stand in one stage unless the request says `then`; each other one has a stage of its own. */
export function makePlan(request: string): Plan {
  const guide = agentsGuide(request);
  if (guide) return { stages: [[guide]], unknown: [] };
  const pasted = findDiff(request);
  const stages: Task[][] = [];
  const unknown: string[] = [];
  let before: readonly Task[] | undefined;
  for (const clause of splitClauses(pasted?.words ?? request)) {
    const isPatch = pasted !== undefined && APPLY.test(clause.text);
    const tasks = isPatch ? [] : SKILLS.reduce<Task[] | undefined>((found, skill) => found ?? skill(clause), undefined);
    if (tasks === undefined) unknown.push(plain(clause.text, clause));
    if (tasks === undefined || tasks.length === 0) continue;
    const isReading = tasks.every(({ readonly }) => readonly);
    const joins = isReading && !clause.after && before?.every(({ readonly }) => readonly) === true;
    if (joins) stages.at(-1)?.push(...tasks);
    else stages.push(...(isReading ? [tasks] : tasks.map((task) => [task])));
    before = stages.at(-1);
  }
  if (pasted) stages.push([applyPatch(pasted)]);
  return { stages, unknown };
}
