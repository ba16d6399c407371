/** `value` as an object to look into; anything else as an empty one. */
export function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/** `value` if it is a text with something in it. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** `value` if it is a list; anything else as an empty one. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

/** What `text` says, or `undefined` for what is no JSON: without an error, whose message would quote what a provider or a user wrote (L1). */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const asFlag = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined);

export const asNumber = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
