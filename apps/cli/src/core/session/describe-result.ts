import { isJsonObject, type JsonObject } from '@codelab/tools';

/** Characters of a result that are kept for people. */
const MAX_CHARACTERS = 64_000;

/** Fields that are text by themselves: what a command printed, the content of a file, a diff. */
const TEXTS = ['stdout', 'stderr', 'output', 'content', 'diff'] as const;

/** What came out of a call, for people: its texts as they are, else the fields; cut in the middle at 64,000 characters. */
export function describeResult(result: JsonObject): string {
  const texts = TEXTS.map((name) => result[name]).filter((value): value is string => typeof value === 'string' && value !== '');
  if (Array.isArray(result.outputs)) return cut(describeCell(result));
  const text = texts.length > 0 ? texts.join('\n') : JSON.stringify(result, null, 2);
  return cut(text);
}

/** What a cell put out, images by their size. */
function describeCell({ outputs, error }: JsonObject): string {
  const parts = (outputs as readonly unknown[]).filter(isJsonObject).map(({ type, text, width, height }) => {
    if (typeof text === 'string') return text.endsWith('\n') ? text : `${text}\n`;
    return `[${[textOf(type), ...(typeof width === 'number' && typeof height === 'number' ? [`${width}×${height}`] : [])].join(' ')}]\n`;
  });
  const { traceback, name, value } = isJsonObject(error) ? error : {};
  return `${parts.join('')}${typeof traceback === 'string' ? traceback : name === undefined ? '' : `${textOf(name)}: ${textOf(value)}`}`.trimEnd();
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function cut(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text;
  const half = MAX_CHARACTERS / 2;
  return `${text.slice(0, half)}\n⋯ ${text.length - MAX_CHARACTERS} characters are left out here ⋯\n${text.slice(-half)}`;
}
