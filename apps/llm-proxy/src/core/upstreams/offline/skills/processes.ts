import type { Clause } from '../clause.js';
import { plain, quoted } from '../clause.js';
import { bareWord } from '../paths.js';
import { code, count, excerpt, failure, textOf } from '../phrases.js';
import type { Play, Task } from '../task.js';

const START = /^(?:start|launch)\s+(?:the\s+)?(?:process\s+|server\s+)?(.+?)(?:\s+(?:as|called|named)\s+(\S+))?$/is;
const STATUS = /^(?:(?:show|see|display|what\s+is|what's)\s+)*(?:the\s+)?(?:status|output)\s+of\s+(?:the\s+)?(?:process\s+)?(\S+?)\??$/i;
const LIST = /^(?:list|show|which|what)\s+(?:me\s+|the\s+|running\s+)*process(?:es)?(?:\s+(?:are\s+running|run))?\s*\??$/i;
const STOP = /^(?:stop|kill|end)\s+(?:the\s+)?(?:process\s+)?(\S+)\s*$/i;

/** `Running in the background as command_1.`: who names processes differently tells the name. */
const PLAIN_START = /running in the background as (\w+)/i;

/** `start npm run dev as dev`, `status of dev`, `list processes`, `stop dev`. */
export function processes(clause: Clause): Task[] | undefined {
  const { text } = clause;
  if (LIST.test(text)) return [listing()];
  const stopped = STOP.exec(text)?.[1];
  if (stopped !== undefined) return [stopping(bareWord(stopped))];
  const looked = STATUS.exec(text)?.[1];
  if (looked !== undefined) return [looking(bareWord(looked))];
  const [, rest, name] = START.exec(text) ?? [];
  if (rest === undefined) return undefined;
  const command = (quoted({ ...clause, text: rest })[0]?.text ?? plain(rest, clause)).trim();
  const id = bareWord(name ?? '') || command.replace(/[^A-Za-z0-9._-]+/g, '-').slice(0, 32);
  return command === '' || id === '' ? undefined : [starting(command, id)];
}

function starting(command: string, id: string): Task {
  const doing = `start ${code(command)} as ${code(id)}`;
  function* play(): Play {
    const outcome = yield { tool: 'process.start', args: { command, process_id: id } };
    if (!outcome.ok) return failure(doing, outcome);
    const named = PLAIN_START.exec(outcome.text)?.[1];
    return { text: `Started ${code(command)} as ${code(named ?? id)}.${outputOf(outcome.value)}` };
  }
  return { tools: ['process.start'], readonly: false, doing, play };
}

function looking(id: string): Task {
  const doing = `look at the process ${code(id)}`;
  function* play(): Play {
    const outcome = yield { tool: 'process.status', args: { process_id: id } };
    if (!outcome.ok) return failure(doing, outcome);
    if (outcome.value.status === undefined) return { text: `${code(id)}:\n\n${excerpt(outcome.text)}` };
    return { text: `${code(id)} is ${textOf(outcome.value.status) ?? 'there'}.${outputOf(outcome.value)}` };
  }
  return { tools: ['process.status'], readonly: true, doing, play };
}

function listing(): Task {
  const doing = 'list the processes';
  function* play(): Play {
    const outcome = yield { tool: 'process.list', args: {} };
    if (!outcome.ok) return failure(doing, outcome);
    const found = Array.isArray(outcome.value.processes) ? (outcome.value.processes as Readonly<Record<string, unknown>>[]) : [];
    const lines = found.map((each) => [each.process_id, each.status, each.command].map((part) => textOf(part) ?? '').join('  '));
    return {
      text: lines.length === 0 ? 'No processes were started.' : `${count(lines.length, 'process')}:\n\n${excerpt(lines.join('\n'))}`,
    };
  }
  return { tools: ['process.list'], readonly: true, doing, play };
}

function stopping(id: string): Task {
  const doing = `stop the process ${code(id)}`;
  function* play(): Play {
    const outcome = yield { tool: 'kill_process', args: { process_id: id } };
    return outcome.ok ? { text: `Stopped ${code(id)}.` } : failure(doing, outcome);
  }
  return { tools: ['kill_process'], readonly: false, doing, play };
}

function outputOf({ output }: Readonly<Record<string, unknown>>): string {
  const text = textOf(output) ?? '';
  return text.trim() === '' ? '' : `\n\n${excerpt(text)}`;
}
