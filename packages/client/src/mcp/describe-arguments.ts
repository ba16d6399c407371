import type { ToolArguments } from '../calls/tool-executor.js';

/** Arguments as people read them: one after the other, strings with their real line breaks. */
export const describeArguments = (args: ToolArguments): string =>
  Object.entries(args)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? indented(value) : JSON.stringify(value, undefined, 2)}`)
    .join('\n') || '(no arguments)';

const indented = (text: string): string => (text.includes('\n') ? `\n${text.replace(/^/gm, '  ')}` : text);
