import { isJsonObject, type JsonObject } from '@codelab/tools';
import { cutLines } from '../../render/cut.js';
import { canonicalError } from '../../table/composite.js';
import { defineRow, type ResultImage } from '../../table/row.js';
import { takes } from '../../table/takes.js';
import { failed, itemsResult } from '../items.js';
import { textIn } from '../../render/text-in.js';

/** Runs code in a notebook kernel. */
export const runCell = defineRow<{ readonly code: string; readonly timeout_ms: number }>({
  name: 'run_cell',
  displayName: 'Run cell',
  description:
    'Runs code in the notebook kernel of the workspace, in which variables carry over. Shows what it prints, its value and its images.',
  parameters: takes(['code'], {
    code: { type: 'string', minLength: 1, maxLength: 1_048_576, description: 'The code.' },
    timeout_ms: {
      type: 'integer',
      minimum: 1,
      maximum: 600_000,
      default: 120_000,
      description: 'Milliseconds after which it is interrupted.',
    },
  }),
  policy: 'ask',
  readonly: false,
  idempotency: 'unsafe',
  needs: ['kernel.execute'],
  stands: 'kernel.execute',
  next: ({ code, timeout_ms }, [outcome]) => {
    if (outcome === undefined) return { call: { tool: 'kernel.execute', args: { code, timeout_ms } } };
    if (!outcome.ok) return failed(canonicalError(outcome.code, outcome.message));
    const { texts, images } = outputsOf(outcome.result);
    const text = texts.join('').replace(/\n+$/, '');
    const content = text === '' ? '(no output)' : cutLines(text.split('\n'), () => 'print less');
    return { ...itemsResult({ name: 'Cell', description: 'Output of the cell', content }), images };
  },
});

function outputsOf({ outputs, error }: JsonObject): { readonly texts: readonly string[]; readonly images: readonly ResultImage[] } {
  const texts: string[] = [];
  const images: ResultImage[] = [];
  for (const output of Array.isArray(outputs) ? outputs : []) {
    if (!isJsonObject(output)) continue;
    const { type, text, data } = output;
    if (typeof type === 'string' && type.startsWith('image/') && typeof data === 'string') images.push({ mediaType: type, data });
    else if (typeof text === 'string') texts.push(type === 'stdout' || type === 'stderr' || text.endsWith('\n') ? text : `${text}\n`);
  }
  if (isJsonObject(error))
    texts.push(`${(texts.at(-1) ?? '\n').endsWith('\n') ? '' : '\n'}${textIn(error, 'name')}: ${textIn(error, 'value')}`);
  return { texts, images };
}
