import { countText } from '../canonical/estimate-tokens.js';
import type { SaidItem } from '../history/history-item.js';

/** Around each item and each call. */
const BORDER_TOKENS = 12;
const IMAGE_TOKENS = 1_600;

/** How many tokens an item of a history takes in a request, roughly. */
export function itemTokens(item: SaidItem): number {
  const said = BORDER_TOKENS + countText(item.content);
  if (item.role === 'assistant') return item.tool_calls.reduce((sum, call) => sum + BORDER_TOKENS + countText(call.arguments, 3), said);
  if (item.role === 'tool') return said + (item.images?.length ?? 0) * IMAGE_TOKENS;
  if (item.role === 'note') return said;
  const files = item.attachments ?? [];
  return files.reduce((sum, file) => sum + (file.media_type === undefined ? countText(file.content ?? '') : IMAGE_TOKENS), said);
}
