import { isJsonObject, maskSecrets, maskSecretsInJson, type JsonObject } from '@codelab/tools';
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server';
import type { CallFault } from '../approvals/decision.js';

/** What may not leave this machine: fingerprints of secrets that may be shown, and secrets that have no shape. */
export interface Masking {
  readonly allowed: ReadonlySet<string>;
  readonly known: readonly string[];
}

/** A call that has no result, as a model reads it. */
export const toErrorResult = ({ code, message }: CallFault, { allowed, known }: Masking): CallToolResult => ({
  isError: true,
  content: [{ type: 'text', text: `Error [${code}]: ${maskSecrets(message, allowed, known).text}` }],
});

/** The result of a tool: a text that a person can read, and the same as data. Secrets are masked in both (L1). */
export function toToolResult(toolName: string, result: JsonObject, { allowed, known }: Masking): CallToolResult {
  if (toolName === 'media.read') return toMedia(result);
  const masked = JSON.parse(maskSecretsInJson(JSON.stringify(result), allowed, known).text) as JsonObject; // masks keep the shape
  return { content: [{ type: 'text', text: textOf(toolName, masked) }], structuredContent: { ...masked } };
}

/** A value that is a text or a number. */
const wordsOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? ''));

/** An image as an image; a PDF file as a resource with its content. */
function toMedia({ data, ...facts }: JsonObject): CallToolResult {
  const [blob, mimeType] = [wordsOf(data), wordsOf(facts['media_type'])];
  const block: ContentBlock = mimeType.startsWith('image/')
    ? { type: 'image', data: blob, mimeType }
    : { type: 'resource', resource: { uri: 'codelab:media', mimeType, blob } };
  return { content: [block, { type: 'text', text: JSON.stringify(facts) }], structuredContent: { ...facts } };
}

/** The field that is the answer, for tools whose result is a text. */
const TEXTS: Readonly<Record<string, string>> = { read_file: 'content', 'git.diff': 'diff', 'process.output': 'data' };

function textOf(toolName: string, result: JsonObject): string {
  const field = TEXTS[toolName];
  if (field !== undefined && typeof result[field] === 'string') return withNotes(result[field], result);
  if (toolName === 'run_command') return commandText(result);
  if (toolName === 'list_files' && Array.isArray(result['entries'])) return withNotes(result['entries'].map(entryLine).join('\n'), result);
  return JSON.stringify(result, undefined, 2);
}

const withNotes = (text: string, { truncated }: JsonObject): string => {
  const body = text === '' ? '(empty)' : text;
  return truncated === true ? `${body}\n(there is more)` : body;
};

const entryLine = (entry: unknown): string =>
  isJsonObject(entry) ? `${wordsOf(entry['path'])}${entry['type'] === 'directory' ? '/' : ''}` : wordsOf(entry);

function commandText(result: JsonObject): string {
  const { stdout, stderr, exit_code: code, signal, timed_out: timedOut, truncated } = result;
  const end = timedOut === true ? 'timed out' : code === null ? `ended by ${wordsOf(signal ?? 'a signal')}` : `exit code ${wordsOf(code)}`;
  const parts = [wordsOf(stdout).trimEnd(), wordsOf(stderr) === '' ? '' : `[stderr]\n${wordsOf(stderr).trimEnd()}`];
  return [...parts, `[${end}${truncated === true ? ', output cut in the middle' : ''}]`].filter((part) => part !== '').join('\n');
}
