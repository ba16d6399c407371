import { LIMITS } from '@codelab/protocol';
import type { JsonObject, JsonValue } from '../arguments/json.js';
import { parsePatch } from '../patch/parse-patch.js';
import { pathsOfPatch } from '../patch/patch.js';
import type { CanonicalDefinition } from '../tools/tool-definition.js';

/** A longer path is refused by every executor, and not worth matching. */
const isUsable = (path: unknown): path is string => typeof path === 'string' && path.length <= 2 * LIMITS.MAX_PATH_CHARACTERS;

const pathsOfDiff = (diff: JsonValue | undefined): readonly string[] | undefined => {
  try {
    const paths = typeof diff === 'string' ? pathsOfPatch(parsePatch(diff)) : undefined;
    return paths?.every(isUsable) ? paths : undefined;
  } catch {
    return undefined; // not a patch: the executor will refuse it, and until then nothing is known of it
  }
};

/**
 * The workspace paths that a call names, as it names them; for a patch those inside it. `undefined` where they can't be known: a command,
 * a patch that doesn't parse, an argument that is no path.
 */
export function pathsOfCall({ paths: about }: CanonicalDefinition, args: JsonObject): readonly string[] | undefined {
  if (about === 'none') return [];
  if (about === 'unknown') return undefined;
  if (about.diff !== undefined) return pathsOfDiff(args[about.diff]);
  const single = (about.named ?? []).map((name) => args[name]).filter((path) => path !== undefined && path !== null);
  const more = about.list === undefined ? [] : (args[about.list] ?? []);
  if (!Array.isArray(more)) return undefined;
  const paths: readonly unknown[] = [...single, ...(more as readonly unknown[])];
  if (!paths.every(isUsable)) return undefined;
  if (paths.length === 0) return about.orWhole ? ['.'] : undefined;
  return paths;
}
