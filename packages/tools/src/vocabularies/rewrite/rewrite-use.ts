import { isJsonObject, type JsonObject } from '../../arguments/json.js';
import { VOCABULARY_NAMES, type VocabularyName } from '../vocabulary-names.js';
import { TONGUES } from './intents.js';

/** A use as the history keeps it: `vocabulary` and `name` are absent where the model made the canonical call itself. */
export interface StoredUse {
  readonly tool_name: string;
  /** JSON text. */
  readonly arguments: string;
  readonly vocabulary?: string | undefined;
  readonly name?: string | undefined;
}

/**
 * A use of another vocabulary in the words of this one, for a model that goes on with a conversation which began in other words. `undefined`
 * where it is in these words already, or they have none for it: then it stays what it was, which a model understands.
 */
export function rewriteUse(use: StoredUse, vocabulary: string): { readonly name: string; readonly arguments: string } | undefined {
  const to = known(vocabulary);
  const from = known(use.vocabulary ?? 'codelab');
  if (to === undefined || from === undefined || to === from) return undefined;
  const args = parse(use.arguments);
  const intent = args && TONGUES[from].hear(use.name ?? use.tool_name, args);
  const words = intent && TONGUES[to].say(intent);
  return words && { name: words.name, arguments: JSON.stringify(words.args) };
}

const known = (name: string): VocabularyName | undefined => VOCABULARY_NAMES.find((one) => one === name);

const parse = (json: string): JsonObject | undefined => {
  try {
    const value: unknown = JSON.parse(json);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
};
