const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i;
const DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** What a field looks like; text where that is not certain. */
export function castField(text, { quoted }) {
  if (quoted) return text;
  if (text === '') return undefined;
  if (text === 'true' || text === 'false') return text === 'true';
  if (NUMBER.test(text)) return Number(text);
  if (DATE.test(text)) {
    const date = new Date(text);
    return Number.isNaN(date.getTime()) ? text : date;
  }
  return text;
}

/** The function that `cast` asks for. */
export function toCast(cast) {
  if (typeof cast === 'function') return cast;
  return cast === true ? castField : (text) => text;
}
