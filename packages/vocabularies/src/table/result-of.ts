import type { CanonicalTool, ResultOf } from '@codelab/tools';
import type { Outcome } from './row.js';

/** The result of a call with its type: the runtime has judged it by the schema of its tool before a row sees it. Fields that aren't essential may be missing. */
export const resultOf = <Tool extends CanonicalTool>(_tool: Tool, { result }: Extract<Outcome, { ok: true }>): Partial<ResultOf<Tool>> =>
  result as unknown as Partial<ResultOf<Tool>>;
