import { sanitiseLine } from '@codelab/tools/human';

/** What an MCP tool gave, for people. */
export interface McpResultWords {
  /** All of it: texts as they are, the rest as one line each. */
  readonly text: string;
  /** Its beginning. */
  readonly summary: string;
  /** The tool says that it failed. */
  readonly failed: boolean;
}

/** Characters of a summary: it stands behind the name of the call and its arguments. */
const MAX_SUMMARY = 60;

type Loose = Readonly<Record<string, unknown>>;

/** Puts the result of an MCP tool into words; undefined for what is no such result. */
export function describeMcpResult(result: unknown): McpResultWords | undefined {
  const { content, structuredContent, isError } = result as Loose;
  if (!Array.isArray(content)) return undefined;
  const parts = content.map((block: unknown) => describeBlock(block as Loose));
  const isSaid = parts.length > 0 || structuredContent === undefined;
  const text = isSaid ? parts.join('\n') : JSON.stringify(structuredContent, undefined, 2);
  const first = text.split('\n').find((line) => line.trim() !== '') ?? '';
  const more = content.length > 1 ? ` (+${content.length - 1})` : '';
  return { text, summary: `${sanitiseLine(first, MAX_SUMMARY)}${more}`, failed: isError === true };
}

function describeBlock(block: Loose): string {
  switch (block['type']) {
    case 'text':
      return String(block['text']);
    case 'image':
    case 'audio':
      return `[${block['type']} ${String(block['mimeType'])}, ${sizeOf(block['data'])}]`;
    case 'resource': {
      const { uri, text, mimeType, blob } = block['resource'] as Loose;
      return typeof text === 'string' ? `${String(uri)}:\n${text}` : `[${String(uri)} ${textOf(mimeType)}, ${sizeOf(blob)}]`;
    }
    case 'resource_link':
      return `→ ${String(block['uri'])} ${textOf(block['name'])}`;
    default:
      return JSON.stringify(block);
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const sizeOf = (base64: unknown): string => `${Math.ceil((String(base64).length * 3) / 4 / 1024)} KB`;
