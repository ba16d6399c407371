import type { Clause } from '../clause.js';
import { bareWord } from '../paths.js';
import { code, count, excerpt, failure, textOf } from '../phrases.js';
import type { Play, Task } from '../task.js';

const LIST =
  /^(?:(?:list|show|git|what|which)\s+)*(?:me\s+|the\s+|all\s+|my\s+|local\s+)*branch(?:es)?(?:\s+(?:are\s+there|exist))?\s*\??$/i;
const CREATE = /^(?:git\s+)?(?:create|make|add)\s+(?:(?:an?|the|new|git)\s+)*branch\s+(?:(?:called|named)\s+)?(\S+)\s*$/i;
const SWITCH = /^(?:git\s+)?(?:switch|check\s*out|checkout|change)\s+(?:to\s+)?(?:(?:the|git)\s+)*(?:branch\s+)?(\S+?)(?:\s+branch)?\s*$/i;
const DELETE = /^(?:git\s+)?(?:delete|remove)\s+(?:(?:the|git)\s+)*branch\s+(?:(?:called|named)\s+)?(\S+)\s*$/i;

/** `list branches`, `create branch x`, `switch to branch x`, `delete branch x`. */
export function branches({ text }: Clause): Task[] | undefined {
  if (LIST.test(text)) return [listing()];
  const ACTIONS = [
    ['create', CREATE, 'Created the branch'],
    ['switch', SWITCH, 'Switched to the branch'],
    ['delete', DELETE, 'Deleted the branch'],
  ] as const;
  for (const [action, pattern, done] of ACTIONS) {
    const name = bareWord(pattern.exec(text)?.[1] ?? '');
    if (name !== '') return [changing(action, name, done)];
  }
  return undefined;
}

function listing(): Task {
  const doing = 'list the branches';
  function* play(): Play {
    const outcome = yield { tool: 'git.branch', args: { action: 'list' } };
    if (!outcome.ok) return failure(doing, outcome);
    const found = Array.isArray(outcome.value.branches) ? (outcome.value.branches as { name?: unknown; current?: unknown }[]) : undefined;
    if (found === undefined) return { text: `The branches:\n\n${excerpt(outcome.text)}` };
    const lines = found.map(({ name, current }) => `${current === true ? '* ' : '  '}${textOf(name) ?? ''}`);
    return { text: `${count(found.length, 'branch')}:\n\n${excerpt(lines.join('\n'))}` };
  }
  return { tools: ['git.branch'], readonly: true, doing, play };
}

function changing(action: string, name: string, done: string): Task {
  const doing = `${action}${action === 'switch' ? ' to' : ''} the branch ${code(name)}`;
  function* play(): Play {
    const outcome = yield { tool: 'git.branch', args: { action, name } };
    return outcome.ok ? { text: `${done} ${code(name)}.` } : failure(doing, outcome);
  }
  return { tools: ['git.branch'], readonly: false, doing, play };
}
