import { asObject, parseJson } from '../json/read-json.js';
import type { HistoryToolCall } from './history-item.js';

/** A result that is not longer stays: a reference would save nothing. */
export const SHORT_RESULT_CHARACTERS = 400;

/** Arguments that are longer are not looked at for what a call was about. */
const MAX_READ_ARGUMENTS = 64 * 1024;
const MAX_SUBJECT_CHARACTERS = 100;

/** What a call is about, in the order of preference: the vocabularies' names for it. */
const SUBJECTS = ['path', 'file_path', 'filepath', 'command', 'pattern', 'query', 'url', 'dirPath', 'name'];

/** The first file of a patch, in either form. */
const FILE_OF_PATCH = /^(?:\*\*\* (?:Update|Add|Delete) File: |\+\+\+ (?:b\/)?(?!\/dev\/null))(\S.{0,99})/m;

/** Tools that can be called again without a second thought. */
const READS = /read|view|list|ls$|search|grep|glob|diff|status|log$/i;

/** Of a result that can't be had again its first line stays: it says whether an edit was made, and how a command ended. */
const MAX_FIRST_LINE_CHARACTERS = 120;

/** What a model reads in the place of a result: which one it was, how long, and how to get it back or else how it began. */
export function referenceTo(call: HistoryToolCall, content: string, toModelName: (tool: string) => string): string {
  const name = call.name ?? toModelName(call.tool_name);
  const subject = subjectOf(call.arguments);
  const [first = ''] = content.split('\n', 1);
  const rest = READS.test(name) ? 'read it again if needed' : `it began: ${first.slice(0, MAX_FIRST_LINE_CHARACTERS)}`;
  return `[result of ${name}${subject === '' ? '' : ` ${subject}`} (${sizeOf(content)}) was left out; ${rest}]`;
}

/** `1,240 lines`, or of one line `12,000 characters`. */
function sizeOf(content: string): string {
  const lines = countLines(content);
  return lines > 1 ? `${lines.toLocaleString('en')} lines` : `${content.length.toLocaleString('en')} characters`;
}

function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < text.length - 1; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

/** The path, command or the like of a call, in one line; '' where none is seen. */
export function subjectOf(argumentsText: string): string {
  if (argumentsText.length > MAX_READ_ARGUMENTS) return '';
  const args = asObject(parseJson(argumentsText));
  if (typeof args.patch === 'string') return FILE_OF_PATCH.exec(args.patch)?.[1] ?? '';
  const name = SUBJECTS.find((subject) => typeof args[subject] === 'string' && args[subject] !== '');
  const [line = ''] = String(name === undefined ? '' : args[name]).split('\n', 1);
  return line.length > MAX_SUBJECT_CHARACTERS ? `${line.slice(0, MAX_SUBJECT_CHARACTERS)}…` : line;
}

/** What stands where something was left out, at most. */
export const MARK_CHARACTERS = 120;

/** A text that is longer than `limit` characters: three parts of its head and two of its tail, and how much is missing between them. */
export function headAndTail(text: string, limit: number): string {
  if (text.length <= limit + MARK_CHARACTERS) return text;
  const head = text.slice(0, Math.ceil(limit * 0.6)).replace(/[\uD800-\uDBFF]$/, '');
  const tail = text.slice(text.length - Math.floor(limit * 0.4)).replace(/^[\uDC00-\uDFFF]/, '');
  const missing = text.length - head.length - tail.length;
  return `${head}\n[… ${missing.toLocaleString('en')} characters were left out: it is too long to be shown at once …]\n${tail}`;
}
