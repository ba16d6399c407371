const undouble = (stem: string): string => (/([bdfgmnprt])\1$/.test(stem) ? stem.slice(0, -1) : stem);

/**
 * A word without its ending, so that "parsing", "parses" and "parser" meet. Light on purpose: words of code are short, and two that fall
 * together cost more than two that don't.
 */
export function stem(word: string): string {
  if (word.length < 4) return word;
  let text = word;
  if (text.endsWith('ies') && text.length > 4) text = `${text.slice(0, -3)}y`;
  else if (/(?:ss|x|ch|sh|z)es$/.test(text)) text = text.slice(0, -2);
  else if (/[^sui]s$/.test(text)) text = text.slice(0, -1);
  if (text.length > 5 && text.endsWith('ing')) text = undouble(text.slice(0, -3));
  else if (text.length > 4 && text.endsWith('ed') && !text.endsWith('eed')) text = undouble(text.slice(0, -2));
  else if (text.length > 5 && /(?:[ts]ion|[ts]or)$/.test(text)) text = text.replace(/(?:ion|or)$/, '');
  else if (text.length > 5 && text.endsWith('er')) text = undouble(text.slice(0, -2));
  else if (text.length > 5 && text.endsWith('ly')) text = text.slice(0, -2);
  return text.length > 3 && text.endsWith('e') ? text.slice(0, -1) : text;
}
