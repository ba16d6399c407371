import { refuse } from '../../../check/refuse.js';
import type { ListedModel } from '../../dialect.js';

/** Nobody tells us when a model came out. */
const CREATED_AT = new Date(0).toISOString();

const [USUAL_LIMIT, MAX_LIMIT] = [20, 1_000];

export const encodeModel = ({ id, displayName = id, contextTokens, maxOutputTokens }: ListedModel): object => ({
  ...{ type: 'model', id, display_name: displayName, created_at: CREATED_AT },
  ...{ context_window: contextTokens, max_input_tokens: contextTokens, max_tokens: maxOutputTokens },
});

/** A page after or before the id that the caller has. */
export function encodeModels(models: readonly ListedModel[], query: URLSearchParams): object {
  const limit = readLimit(query.get('limit'));
  const place = (id: string | null) => (id === null ? -1 : models.findIndex((model) => model.id === id));
  const [after, before] = [place(query.get('after_id')), place(query.get('before_id'))];
  const start = before === -1 ? after + 1 : Math.max(0, before - limit);
  const page = models.slice(start, before === -1 ? start + limit : before);
  return {
    data: page.map(encodeModel),
    has_more: before === -1 ? start + page.length < models.length : start > 0,
    first_id: page[0]?.id ?? null,
    last_id: page.at(-1)?.id ?? null,
  };
}

function readLimit(text: string | null): number {
  if (text === null) return USUAL_LIMIT;
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT) return limit;
  throw refuse('limit', `must be a whole number from 1 to ${MAX_LIMIT}`);
}
