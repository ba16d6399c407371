const ESCAPED = /[\\^$.*+?()[\]{}|]/g;

const toPattern = (glob: string, flags: string): RegExp => {
  const source = glob
    .split('/')
    .filter((segment, index, all) => segment !== '' && segment !== '.' && !(segment === '**' && all[index - 1] === '**'))
    .map((segment) =>
      segment === '**' ? '**' : segment.replace(ESCAPED, (char) => (char === '*' ? '[^/]*' : char === '?' ? '[^/]' : `\\${char}`)),
    )
    .reduce((whole, segment, index, all) => {
      const last = index === all.length - 1;
      if (segment === '**') return whole + (last ? '.*' : '(?:.*/)?');
      return whole + segment + (last ? '' : '/');
    }, '');
  return new RegExp(`^${source}$`, flags);
};

const normalise = (path: string): string =>
  path
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.')
    .join('/');

/** Whether a workspace path matches a rule's glob: `*` and `?` stay within a segment, `**` spans any number of them. */
export const matchGlob = (glob: string, path: string, { ignoreCase }: { readonly ignoreCase: boolean }): boolean =>
  toPattern(glob, ignoreCase ? 'sui' : 'su').test(normalise(path));
