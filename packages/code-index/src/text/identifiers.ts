const IDENTIFIER = /[A-Za-z_$][\w$]{3,63}/g;
/** Identifiers of one file that count: those that it has most often. */
const MAX_IDENTIFIERS = 128;

/** A short name of an identifier; two that share one only blur a rank. */
export function hashName(name: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < name.length; index += 1) hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

/** The identifiers that a text has most often, as hashes: what it may refer to. */
export function referencesIn(text: string): Uint32Array {
  const counts = new Map<string, number>();
  for (const name of text.match(IDENTIFIER) ?? []) counts.set(name, (counts.get(name) ?? 0) + 1);
  const names = [...counts];
  if (names.length > MAX_IDENTIFIERS) names.sort((one, other) => other[1] - one[1]);
  return Uint32Array.from(names.slice(0, MAX_IDENTIFIERS), ([name]) => hashName(name));
}
