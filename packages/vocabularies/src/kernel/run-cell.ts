import { isJsonObject, type JsonObject } from '@codelab/tools';
import { itemsResult, failed } from '../continue/items.js';
import { clip } from '../render/clip.js';
import { plainOutput } from '../render/plain-output.js';
import { textIn } from '../render/text-in.js';
import { canonicalError } from '../table/composite.js';
import { defineRow, type ResultImage } from '../table/row.js';
import { takes } from '../table/takes.js';

/** `run_cell`: code in a notebook kernel. The same row in every vocabulary: models know no other. */
export const runCell = defineRow<{ readonly code: string; readonly timeout_ms: number }>({
  name: 'run_cell',
  displayName: 'Run cell',
  description:
    'Runs code in the notebook kernel of the workspace, in which variables carry over from call to call. Shows what it prints, its last value and its ' +
    'images, such as plots. For looking into data and trying things; no input().',
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
    const { text, images } = outputsOf(outcome.result);
    const [before, error, ending] = [begunOf(outcome.result), errorOf(outcome.result), endingOf(outcome.result, timeout_ms)];
    const nothing = images.length > 0 || error !== undefined || ending !== undefined ? undefined : '(no output)';
    const shown =
      text === ''
        ? nothing
        : clip(text, { head: 20_000, tail: 10_000, mark: (left) => `[cut: ${String(left)} characters left out; print less]` });
    const content = [before, shown, error, ending].filter((part) => part !== undefined).join('\n') || `[${countOf(images.length)}]`;
    const isError = error !== undefined || ending !== undefined;
    return { ...itemsResult({ name: 'Cell', description: 'Output of the cell', content }), images, isError };
  },
});

const countOf = (images: number): string => (images === 1 ? '1 image' : `${String(images)} images`);

/** What every model takes. */
const IMAGE_TYPE = /^image\/(?:png|jpeg|gif|webp)$/;

function outputsOf({ outputs }: JsonObject): { readonly text: string; readonly images: readonly ResultImage[] } {
  const texts: string[] = [];
  const images: ResultImage[] = [];
  const all = (Array.isArray(outputs) ? outputs : []).filter(isJsonObject);
  const isOne = all.filter(({ data }) => typeof data === 'string').length === 1;
  for (const { type, text, data } of all) {
    if (typeof type === 'string' && typeof data === 'string') {
      const isShown = IMAGE_TYPE.test(type);
      if (isShown) images.push({ mediaType: type, data });
      if (!isShown || !isOne) texts.push(isShown ? `[image ${String(images.length)}]\n` : `[${type} can't be shown]\n`);
    } else if (typeof text === 'string') texts.push(type === 'stdout' || type === 'stderr' || text.endsWith('\n') ? text : `${text}\n`);
  }
  return { text: plainOutput(texts.join('')).replace(/\n+$/, ''), images };
}

/** What is new about the kernel, for who relies on its variables. */
function begunOf({ restarted, started }: JsonObject): string | undefined {
  const kernel = typeof started === 'string' ? started : undefined;
  if (restarted === true) return `[kernel was restarted: its variables are gone${kernel === undefined ? '' : `; ${kernel}`}]`;
  return kernel && `[${kernel}]`;
}

function errorOf({ error }: JsonObject): string | undefined {
  if (!isJsonObject(error)) return undefined;
  return typeof error.traceback === 'string'
    ? plainOutput(error.traceback).trimEnd()
    : `${textIn(error, 'name')}: ${textIn(error, 'value')}`;
}

function endingOf({ timed_out: timedOut, ended }: JsonObject, timeoutMs: number): string | undefined {
  const late = timedOut === true ? `stopped after ${String(timeoutMs / 1_000)} s: give it more with timeout_ms` : undefined;
  const over = ended === true ? 'the kernel has ended: its variables are gone, the next cell starts a new one' : undefined;
  const said = [late, over].filter((part) => part !== undefined);
  return said.length === 0 ? undefined : `[${said.join('; ')}]`;
}
