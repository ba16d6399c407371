/**
 * Whether a name fits a pattern: `*` stands for any characters, none included, and is the only wildcard; everything else stands for itself,
 * without regard to case. The whole name has to fit. Takes time in proportion to the name: each piece of the pattern is searched for once,
 * from where the last one ended.
 */
export function matchesName(pattern: string, name: string): boolean {
  const wanted = pattern.toLowerCase();
  const text = name.toLowerCase();
  const pieces = wanted.split('*');
  const [first = '', last = ''] = [pieces[0], pieces.at(-1)];
  if (pieces.length === 1) return text === wanted;
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(piece, at);
    if (found < 0 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}
