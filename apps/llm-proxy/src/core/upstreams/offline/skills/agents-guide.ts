import { composeGuide } from '../overview/compose-overview.js';
import { code, failure } from '../phrases.js';
import type { Play, Task } from '../task.js';
import { lookAround } from './look-around.js';

const PATH = 'AGENTS.md';
const REQUEST = /^(?:prepare|write|create|make|generate|add)\s+(?:an?\s+|the\s+)?`?AGENTS\.md`?(?=[,.!\n]|\s+for\s|\s*$)/i;
const DOING = `look at this repository and write ${code(PATH)}`;

/** `write AGENTS.md`, as long as the request may be (`/init` of the command line): what a project is and how to work with it, for agents. */
export function agentsGuide(request: string): Task | undefined {
  if (!REQUEST.test(request.trim())) return undefined;
  return { tools: ['read_file', 'write_file'], readonly: false, doing: DOING, play };
}

function* play(has: (tool: string) => boolean): Play {
  const known = yield { tool: 'read_file', args: { path: PATH } };
  if (known.ok) return { text: `${code(PATH)} is there already; I left it as it is: to improve it takes a language model.` };
  const facts = yield* lookAround(DOING, has);
  if ('text' in facts) return facts;
  const outcome = yield { tool: 'write_file', args: { path: PATH, content: composeGuide(facts) } };
  if (!outcome.ok) return failure(DOING, outcome);
  return {
    text: `Wrote ${code(PATH)} from the README, the manifests and the list of files. I have not read the code: add what agents must know of it.`,
  };
}
