import { formatCount } from '@codelab/client/view';
import type { PickerEntry } from '../picker/picker.js';

/** A model, as `GET /v1/models` lists it; what it doesn't say is absent. */
export interface ModelSummary {
  readonly id: string;
  readonly displayName?: string;
  /** Whose it is. */
  readonly upstream?: string;
  /** Tokens of its window. */
  readonly contextWindow?: number;
}

/** The models as they are picked: `claude-x   Claude X · anthropic · 200k`. */
export const modelEntries = (models: readonly ModelSummary[]): readonly PickerEntry[] =>
  models.map(({ id, displayName, upstream, contextWindow }) => ({
    value: id,
    label: id,
    detail: [
      ...(displayName === undefined || displayName === id ? [] : [displayName]),
      ...(upstream === undefined ? [] : [upstream]),
      ...(contextWindow === undefined ? [] : [formatCount(contextWindow)]),
    ].join(' · '),
  }));
