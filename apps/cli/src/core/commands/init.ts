import type { SlashCommand } from './slash-command.js';

/** What the agent is told. Its first line becomes the title of a conversation that begins with it. */
const PROMPT = `Prepare AGENTS.md, the guide to this repository for coding agents.

It stands at the root, and tells agents who see this repository for the first time what they need on every task and can't see at a glance.

Look first:
- README, CONTRIBUTING, the manifests and their scripts, the settings of linters, formatters, types and tests, and what CI runs.
- Instructions that are there already: AGENTS.md, CLAUDE.md, GEMINI.md, .cursor/rules, .cursorrules, .github/copilot-instructions.md, .codelab/rules.
- The layout, then a few typical sources and a test of each kind, so that you know what the code does, not only what its documents say.

Say, in this order and only as far as it is true here:
1. What the project is, in one or two sentences.
2. The commands to install, build, check and test, and how to run a single test: exact ones, from the files that define them.
3. How the parts work together: where things are, and what takes several files to understand. No list of every file.
4. The conventions that the code keeps and a newcomer would miss: names, errors, tests, commits.
5. Traps: what must not be edited, what has to be generated again, what looks wrong and is meant so.

Keep it under 60 short lines of plain Markdown. Leave out what any engineer does anyway ("write clear code"), and what you have not found: nothing is invented.

If AGENTS.md is there, improve it: correct what is wrong, add what is missing, and keep what people wrote on purpose. Change no other file.

At the end say in two or three sentences what you wrote, and what you could not find out.`;

/** What `/init` sends. `text`: what matters above all; '' for nothing. */
export const initMessage = (text: string): string => (text === '' ? PROMPT : `${PROMPT}\n\nAbove all: ${text}`);

export const init = {
  name: 'init',
  takes: '[what matters]',
  does: 'has the agent write AGENTS.md, or improve it: what agents should know of this folder',
  run: (state, text) => ({ state, effects: [{ kind: 'send', content: initMessage(text), model: state.chosenModel, waits: true }] }),
} as const satisfies SlashCommand;
