/** Gives the value of an environment variable. */
export type VariableLookup = (name: string) => string | undefined;

const REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/** A text with its variables put in, or the names of those that are not set. */
export type Expanded = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly missing: readonly string[] };

/**
 * Puts the values of `${NAME}` and `${NAME:-default}` into a text; the default counts where the variable is not set or empty. A value is
 * not looked through again. Anything else with a dollar stays as it is.
 */
export function expandVariables(text: string, lookup: VariableLookup): Expanded {
  const missing = new Set<string>();
  const expanded = text.replace(REFERENCE, (_, name: string, fallback: string | undefined) => {
    const value = lookup(name);
    if (fallback !== undefined) return value === undefined || value === '' ? fallback : value;
    if (value === undefined) missing.add(name);
    return value ?? '';
  });
  return missing.size === 0 ? { ok: true, text: expanded } : { ok: false, missing: [...missing] };
}

/** The names of the variables that a text refers to, each once. */
export const variablesIn = (text: string): readonly string[] => [...new Set(Array.from(text.matchAll(REFERENCE), ([, name]) => name!))];
