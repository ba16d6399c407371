import { isAbsolute, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The path in the workspace, with `/`, of a `file:` URI or an absolute path; undefined for what is no file, and for one outside of it. Only the text
 * of the path is looked at: who reads the file holds to the workspace (W1).
 */
export function pathInWorkspace(uri: string, root: string): string | undefined {
  const path = toPath(uri);
  if (path === undefined) return undefined;
  const inside = relative(root, path);
  return inside === '' || inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside) ? undefined : inside.split(sep).join('/');
}

function toPath(uri: string): string | undefined {
  if (isAbsolute(uri)) return uri;
  if (!/^file:\/\//i.test(uri)) return undefined;
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined; // of another host, or with a slash in a name
  }
}
