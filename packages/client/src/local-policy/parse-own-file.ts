/** What is refused in a file of the user's: the message says the file, the fault and what to do. */
export type Refuse = (fault: string) => never;

/**
 * Reads the JSON object of a file that the user wrote or decided, outside of any workspace. What is wrong in it is never guessed around: until
 * it is corrected everything is asked.
 *
 * @throws Error with a sentence for the user, where it is no JSON object
 */
export function parseOwnFile(text: string, file: string): { readonly fields: Readonly<Record<string, unknown>>; readonly refuse: Refuse } {
  const refuse: Refuse = (fault) => {
    throw new Error(`${file}: ${fault}. Correct it or remove the file; until then everything is asked.`);
  };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    refuse('it is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) refuse('it must be a JSON object');
  return { fields: value as Record<string, unknown>, refuse };
}
