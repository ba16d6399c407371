/** The fields of a hash: of a command as an object, of a script as a flat list. */
export type Fields = Readonly<Record<string, string>>;

/** A hash as Redis answered it, either way. */
export function toFields(reply: unknown): Fields {
  if (!Array.isArray(reply)) return (reply ?? {}) as Fields;
  const flat = reply as string[];
  const fields: Record<string, string> = {};
  for (let index = 0; index + 1 < flat.length; index += 2) fields[flat[index] ?? ''] = flat[index + 1] ?? '';
  return fields;
}

/** A number that a hash holds as text; 0 where there is none. */
export const toNumber = (text: string | undefined): number => (text === undefined || text === '' ? 0 : Number(text));
