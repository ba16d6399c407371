/** Files that programs write for programs. */
const GENERATED_NAMES =
  /(?:^|\/)(?:package-lock\.json|pnpm-lock\.yaml|yarn\.lock|Cargo\.lock|poetry\.lock|uv\.lock|composer\.lock|Gemfile\.lock|go\.sum|[^/]*\.(?:min\.(?:js|css)|map|svg|snap|lock|csv|tsv|log|ipynb|pbxproj)|[^/]*(?:\.pb\.go|_pb2\.py|\.g\.cs|\.designer\.cs|\.generated\.[a-z]+))$/i;
const GENERATED = /\bDO NOT EDIT\b|@generated\b/;
/** A line of so many characters was not written by a person. */
const LONG_LINE = 2_000;

/** Whether a text is for people: no data, nothing that a program wrote or squeezed. */
export function isWorthIndexing(path: string, text: string): boolean {
  if (GENERATED_NAMES.test(path) || GENERATED.test(text.slice(0, 600))) return false;
  let [long, from] = [0, 0];
  while (from < text.length) {
    const found = text.indexOf('\n', from);
    const end = found === -1 ? text.length : found;
    if (end - from > LONG_LINE) long += end - from;
    from = end + 1;
  }
  return long * 2 < text.length;
}
