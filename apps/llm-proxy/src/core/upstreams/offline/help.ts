import type { OfferedTools } from './offered-tools.js';

/** Said plainly, so that nobody takes it for more than it is. */
export const WHO_I_AM =
  "I am CodeLab's built-in offline model: a set of rules, not a language model. To talk to one, set OPENAI_API_KEY for llm-proxy (and " +
  'OPENAI_BASE_URL for another OpenAI-compatible server, such as Ollama), CODELAB_MODEL to name the model, and start it again.';

const EXAMPLES: readonly (readonly [tools: readonly string[], example: string])[] = [
  [['read_file'], 'read README.md'],
  [['read_file'], 'read a.txt and b.txt'],
  [['list_files'], 'list files in src'],
  [['search_in_project'], 'search for "TODO" in src'],
  [['git.diff'], 'show the diff'],
  [['git.status'], 'git status'],
  [['write_file'], 'create notes.txt with "Hello"'],
  [['read_file', 'write_file'], 'replace "colour" with "color" in notes.txt'],
  [['read_file', 'write_file'], 'append "one more line" to notes.txt'],
  [['delete_file'], 'delete notes.txt'],
  [['move_file'], 'move notes.txt to old.txt'],
  [['apply_patch'], 'apply this patch: (and a diff)'],
  [['apply_patch_review'], 'review and apply this patch: (and a diff)'],
  [['prompt_user'], 'ask me "Go on?", then create done.txt with "yes"'],
  [['run_command'], 'run npm test'],
  [['run_persistent'], 'start npm run dev as dev'],
  [['kill_process'], 'stop dev'],
  [['git.branch'], 'create branch feature/x'],
  [['git.commit'], 'commit all with message "Add notes"'],
];

/** What can be asked for with the tools at hand. */
export function helpText(tools: OfferedTools): string {
  const possible = EXAMPLES.filter(([names]) => tools.has(names)).map(([, example]) => `- ${example}`);
  if (possible.length === 0) return `${WHO_I_AM}\n\nNo tool that I know was offered to me, so I can do nothing here.`;
  return `${WHO_I_AM}\n\nI understand requests such as:\n\n${possible.join('\n')}\n\nSeveral may stand in one message, joined by "and" or "then".`;
}
