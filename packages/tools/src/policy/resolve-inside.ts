/** A path of the workspace without `.` and `..`; `undefined` where it isn't one. */
export function resolveInside(base: string, path: string): string | undefined {
  if (/^[/\\~]|^[A-Za-z]:|\0/.test(path) || path.includes('\\')) return undefined;
  const segments: string[] = [];
  for (const segment of `${base}/${path}`.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) return undefined;
  }
  return segments.join('/');
}
