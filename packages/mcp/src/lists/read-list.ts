/** Pages of one list that are asked for. */
const MAX_PAGES = 200;

/** How large one list may be altogether, in characters of JSON. */
const MAX_CHARACTERS = 16_000_000;

export interface ReadListOptions {
  /** Asks for one page. */
  readonly page: (cursor: string | undefined) => Promise<unknown>;
  /** The field of a page that holds its items. */
  readonly field: string;
  /** How many items are kept. */
  readonly max: number;
  /** What the items are called in a note. */
  readonly what: string;
  /** Whether an item counts; those that do not are neither kept nor counted. */
  readonly wanted?: (item: unknown) => boolean;
}

/** The items of a list, unchecked, and what is to be said about it. */
export interface ReadList {
  readonly items: readonly unknown[];
  readonly notes: readonly string[];
}

/** Reads a list page by page, whatever the server does: bounded in pages, items and size; a cursor that comes twice ends it. */
export async function readList({ page, field, max, what, wanted = () => true }: ReadListOptions): Promise<ReadList> {
  const items: unknown[] = [];
  const notes: string[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  let characters = 0;
  for (let count = 0; ; count += 1) {
    const answer = (await page(cursor)) as Readonly<Record<string, unknown>> | null;
    const found: unknown = answer?.[field];
    if (!isList(found)) {
      notes.push(`Its list of ${what} is not a list.`);
      break;
    }
    const kept = found.filter(wanted);
    items.push(...kept.slice(0, max + 1 - items.length));
    characters += JSON.stringify(found).length;
    const next = answer?.['nextCursor'];
    if (items.length > max) {
      const total = next === undefined && count === 0 ? `${kept.length.toLocaleString('en')}` : `more than ${max}`;
      notes.push(`It offers ${total} ${what}; the first ${max} are used.`);
      break;
    }
    if (typeof next !== 'string' || next === '') break;
    if (seen.has(next) || count + 1 >= MAX_PAGES || characters > MAX_CHARACTERS) {
      notes.push(`Its list of ${what} does not end; what came until then is used.`);
      break;
    }
    seen.add(next);
    cursor = next;
  }
  return { items: items.slice(0, max), notes };
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
