import { CST, Lexer } from 'yaml';

/** No configuration is nested so deep; some hundreds more end a process that composes them, and nothing catches that. */
const MAX_FLOW = 50;
const MAX_ON_LINE = 50;
const MAX_INDENT = 200;

/** Whether a text of YAML, or JSON, is nested no deeper than any configuration. Looks at its tokens one after the other. */
export function isShallowYaml(text: string): boolean {
  let flow = 0;
  let onLine = 0;
  let isLineStart = true;
  for (const token of new Lexer().lex(text)) {
    const type = CST.tokenType(token);
    if (type === 'newline') onLine = 0;
    else if (type === 'flow-seq-start' || type === 'flow-map-start') flow += 1;
    else if (type === 'flow-seq-end' || type === 'flow-map-end') flow = Math.max(0, flow - 1);
    else if (type === 'seq-item-ind' || type === 'explicit-key-ind' || type === 'map-value-ind') onLine += flow === 0 ? 1 : 0;
    else if (type === 'space' && isLineStart && token.length > MAX_INDENT) return false;
    if (flow > MAX_FLOW || onLine > MAX_ON_LINE) return false;
    isLineStart = type === 'newline';
  }
  return true;
}
