import type { CommandVerdict, SimpleCommand } from './command-judgement.js';
import { judgeCommand } from './judge-command.js';

/** Commands that are described; an approver reads the line itself for the rest. */
const MAX_DESCRIBED = 20;

/** Characters of a command, and of a list of files or redirections, that are shown. */
const MAX_SHOWN = 200;

const VERDICTS: Readonly<Record<CommandVerdict, string>> = { automatic: 'harmless', ask: 'asks', refuse: 'is refused' };

/** What a terminal would obey or hide: control characters, marks of writing direction, characters without width, lone surrogates. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]|(?! )\p{Zs}/gu;

const show = (text: string): string => {
  const cut = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)} … (${String(text.length)} characters)` : text;
  return cut.replace(UNSEEN, (char) => (char === '\n' ? '⏎' : `\\u{${char.codePointAt(0)!.toString(16)}}`));
};

const describe = (command: SimpleCommand): readonly string[] => {
  const { words, literal, verdict, reason, text, wrappers, runs, redirects } = command;
  const name =
    literal && words.length > 0 ? words.map((word) => (/[\s"']/.test(word) || word === '' ? `"${word}"` : word)).join(' ') : text;
  return [
    `${show(name)}: ${VERDICTS[verdict]}, ${show(reason)}`,
    ...(wrappers.length > 0 ? [`  inside ${show(wrappers.join(', '))}`] : []),
    ...(runs.length > 0 ? [`  runs the code of ${show(runs.join(', '))}`] : []),
    ...(redirects.length > 0 ? [`  redirects ${show(redirects.join(' '))}`] : []),
  ];
};

/** What a command line does, for whoever has to approve it: a few lines without control characters. */
export function describeCommand(command: string): string {
  const { reason, verdict, commands } = judgeCommand(command);
  if (commands.length === 0) return `${VERDICTS[verdict]}: ${show(reason)}`;
  const lines = commands.slice(0, MAX_DESCRIBED).flatMap(describe);
  const rest = commands.length - MAX_DESCRIBED;
  return [...lines, ...(rest > 0 ? [`… and ${String(rest)} more commands`] : [])].join('\n');
}
