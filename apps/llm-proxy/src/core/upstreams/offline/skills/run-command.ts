import type { Clause } from '../clause.js';
import { plain, quoted } from '../clause.js';
import { code, excerpt, failure, textOf } from '../phrases.js';
import type { Play, Task } from '../task.js';

const VERB =
  /^(?:run|execute|exec|запусти|выполни)(?![\p{L}\p{N}_])\s*(?:(?:the|this|command|shell|script|команду)(?![\p{L}\p{N}_])\s*)*:?\s*/iu;
const KOREAN = /^(.+?)(?:을|를)?\s*실행/;

/** `run npm test`. */
export function runCommand(clause: Clause): Task[] | undefined {
  const verb = VERB.exec(clause.text)?.[0];
  const rest = verb === undefined ? KOREAN.exec(clause.text)?.[1] : clause.text.slice(verb.length);
  if (rest === undefined) return undefined;
  const command = (quoted({ ...clause, text: rest })[0]?.text ?? plain(rest, clause)).trim();
  if (command === '') return undefined;
  const doing = `run ${code(command)}`;
  function* play(): Play {
    const outcome = yield { tool: 'run_command', args: { command, cwd: '.' }, optional: ['cwd'] };
    if (!outcome.ok) return failure(doing, outcome);
    const { exit_code: exit, stdout, stderr, timed_out: timedOut } = outcome.value;
    const how = timedOut === true ? 'ran out of time' : typeof exit === 'number' ? `ended with ${exit}` : 'ended';
    const said = [textOf(stdout), textOf(stderr)]
      .filter((text) => text !== undefined && text.trim() !== '')
      .map((text) => `\n\n${excerpt(text ?? '')}`);
    const text = `${code(textOf(outcome.args.command) ?? command)} ${how}.${said.join('')}`;
    return exit === 0 || exit === undefined ? { text } : { text, failed: true };
  }
  return [{ tools: ['run_command'], readonly: false, doing, play }];
}
