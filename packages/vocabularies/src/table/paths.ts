/** A path of the workspace, `.` for its root, or an error for the model. */
export type WorkspacePath = { readonly ok: true; readonly path: string } | { readonly ok: false; readonly message: string };
export type ToWorkspacePath = (given: string) => WorkspacePath;

/** The root that is shown where the client names none. */
export const VIRTUAL_ROOT = '/workspace';

const isDrive = (root: string): boolean => /^[a-zA-Z]:([\\/]|$)/.test(root);

/** Decodes `file:///home/x%20y` to `/home/x y`; other texts stay. */
const withoutScheme = (given: string): string | undefined => {
  if (!/^file:\/\//i.test(given)) return given;
  try {
    const { host, pathname } = new URL(given);
    const path = decodeURIComponent(pathname);
    if (host !== '' && host !== 'localhost') return undefined;
    return /^\/[a-zA-Z]:/.test(path) ? path.slice(1) : path;
  } catch {
    return undefined;
  }
};

/**
 * The way from a path of a model to one of the workspace (vocabularies, rule 4): relative, or absolute under the shown root, or a `file://`
 * URL of such. By segments, so that `/app2` is not under `/app`; drive letters compare without case, and `\` is `/` where the root has a
 * drive. All else, `~` and `..` is outside. The path rules of the executor hold for what comes out.
 */
export function pathsUnder(root: string): ToWorkspacePath {
  const drive = isDrive(root);
  const split = (path: string): string[] =>
    (drive ? path.replaceAll('\\', '/') : path).split('/').filter((part) => part !== '' && part !== '.');
  const rootParts = split(root);
  const same = (a: string | undefined, b: string | undefined): boolean => a === b || (drive && a?.toLowerCase() === b?.toLowerCase());
  return (given) => {
    const outside = { ok: false, message: `Error [PATH_OUTSIDE_WORKSPACE]: ${given} is outside of ${root}` } as const;
    const path = withoutScheme(given);
    if (path === undefined || path.startsWith('~')) return outside;
    const parts = split(path);
    if (parts.includes('..')) return outside;
    if (!path.startsWith('/') && !isDrive(path) && !(drive && path.startsWith('\\'))) return { ok: true, path: parts.join('/') || '.' };
    if (!rootParts.every((part, place) => same(part, parts[place]))) return outside;
    return { ok: true, path: parts.slice(rootParts.length).join('/') || '.' };
  };
}

/** A canonical path as the model is shown it in full: `src/a.ts` → `/home/dev/app/src/a.ts`. */
export const absoluteUnder =
  (root: string) =>
  (path: string): string => {
    const separator = isDrive(root) && root.includes('\\') ? '\\' : '/';
    const base = root.replace(/[\\/]+$/, '');
    return path === '.' || path === '' ? base || separator : base + separator + (separator === '\\' ? path.replaceAll('/', '\\') : path);
  };
