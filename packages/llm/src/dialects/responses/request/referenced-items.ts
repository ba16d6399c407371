import { asList, asObject } from '../../chat/wire.js';

/** Keeps the items of answers for callers that refer to them later by id: the AI SDK does so with texts and thoughts. */
export type ItemKeeper = (id: string, item: object) => void;

/** The ids of earlier items that a request refers to instead of holding them (`item_reference`). Cheap; never throws. */
export function referencedItems(body: unknown): readonly string[] {
  return asList(asObject(body).input).flatMap((item) => {
    const { type, id } = asObject(item);
    return type === 'item_reference' && typeof id === 'string' ? [id] : [];
  });
}
