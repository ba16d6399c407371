/** A value as a field: quoted where it would be read otherwise. */
export function toField(value, { delim, quote }) {
  const text = toText(value);
  const needsQuotes = text.includes(delim) || text.includes(quote) || /[\r\n]/.test(text) || text !== text.trim();
  return needsQuotes ? quote + text.replaceAll(quote, quote + quote) + quote : text;
}

function toText(value) {
  if (value === undefined || value === null) return '';
  return value instanceof Date ? value.toISOString() : String(value);
}
