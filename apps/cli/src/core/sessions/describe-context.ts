import { formatCount } from '@codelab/client/view';
import { sanitiseLine } from '@codelab/tools/human';

type Fields = Readonly<Record<string, unknown>>;

/** What the gateway says of the context of a conversation, as text; what it doesn't say is left out. */
export function describeContext(context: unknown): string {
  const { tokens, instructions } = fieldsOf(context);
  const counts = fieldsOf(tokens);
  const parts = PARTS.flatMap(([name, title]) =>
    typeof counts[name] === 'number' ? [`${title.padEnd(16)}${formatCount(counts[name])}`] : [],
  );
  const files = Array.isArray(instructions) ? instructions.map(fieldsOf).map(describeFile) : [];
  return ['Tokens of the next request, about:', ...parts, ...(files.length === 0 ? [] : ['', 'Instructions:', ...files])].join('\n');
}

const PARTS = [
  ['system', 'system prompt'],
  ['instructions', 'instructions'],
  ['tools', 'tools'],
  ['history', 'conversation'],
  ['total', 'in all'],
] as const;

const USES: Readonly<Record<string, string>> = { by_file: 'with its files', on_request: 'when asked for' };

function describeFile({ path, use, tokens, omitted }: Fields): string {
  const facts = [
    ...(typeof tokens === 'number' ? [formatCount(tokens)] : []),
    ...(typeof use === 'string' && USES[use] !== undefined ? [USES[use]] : []),
    ...(typeof omitted === 'string' ? [sanitiseLine(omitted, 200)] : []),
  ];
  return `${sanitiseLine(typeof path === 'string' ? path : '?', 200)}  ${facts.join(' · ')}`;
}

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
