import type { Clause } from '../clause.js';
import { plain, quoted } from '../clause.js';
import { code, failure, textOf } from '../phrases.js';
import type { Play, Task } from '../task.js';

const ASK = /^(?:(?:ask|prompt)\s+(?:me|the user|user|us)|спроси(?:\s+меня)?)(?![\p{L}\p{N}_])\s*/iu;
const CONFIRM = /^(?:confirm|ask for confirmation|get my (?:ok|okay|approval))(?![\p{L}\p{N}_])\s*(?:with\s+me\s*|it\s*|that\s*)?/iu;
const KOREAN = /(?:나에게|내게|저에게)?\s*(?:물어\s*봐|확인\s*(?:받|해))/;
const LEAD = /^(?:(?:to (?:confirm|choose|decide|pick|select)|for confirmation|whether|if|a question|about|:|,)\s*)+/iu;
const CHOICES = /[\s,:]*(?:(?:with\s+)?(?:the\s+)?(?:options|choices|actions|answers)|between)[\s:]+(.+)$/isu;
/** Answers after which nothing more is done. */
const NO = /^(?:no|nope|n|deny|denied|reject|rejected|cancel|stop|abort|нет|아니요?|취소)$/i;

/** `ask me "Go on?" with options yes, no`, `confirm with me, then …`: what comes after runs only if the answer isn't a no. */
export function askUser(clause: Clause): Task[] | undefined {
  const start = ASK.exec(clause.text) ?? CONFIRM.exec(clause.text);
  if (!start && !KOREAN.test(clause.text)) return undefined;
  const isConfirmation = !ASK.test(clause.text) || /confirm/i.test(clause.text);
  const rest = clause.text.slice(start?.[0].length ?? 0);
  const choices = CHOICES.exec(rest);
  const question = toQuestion(choices ? rest.slice(0, choices.index) : rest, clause);
  const actions = (choices && toActions(choices[1] ?? '', clause)) ?? (isConfirmation ? ['approve', 'deny'] : ['yes', 'no']);
  const doing = 'ask you';
  function* play(): Play {
    const outcome = yield { tool: 'prompt_user', args: { message: question, actions } };
    if (!outcome.ok) return failure(doing, outcome);
    const action = textOf(outcome.value.action) ?? outcome.text;
    return NO.test(action.trim())
      ? { text: `You answered ${code(action)}, so I stopped there.`, stop: true }
      : { text: `You answered ${code(action)}.` };
  }
  return [{ tools: ['prompt_user'], readonly: false, doing, play }];
}

function toQuestion(text: string, clause: Clause): string {
  const said = quoted({ ...clause, text })[0]?.text ?? plain(text.replace(LEAD, ''), clause).replace(/[\s,.:]+$/, '');
  if (said === '') return 'Do you want to continue?';
  return /[?.!]$/.test(said) ? said : `${said.charAt(0).toUpperCase()}${said.slice(1)}?`;
}

function toActions(text: string, clause: Clause): string[] | undefined {
  const named = text
    .split(/\s*,\s*(?:or\s+|and\s+)?|\s+(?:or|and|или)\s+|\s*\/\s*/i)
    .map((word) => plain(word, clause).replace(/[.?!]+$/, ''));
  const actions = [...new Set(named.filter((word) => word !== ''))];
  return actions.length > 0 ? actions : undefined;
}
