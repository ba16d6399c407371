/** A file that a message names. */
export interface AttachmentSpec {
  /** In the workspace. */
  readonly path: string;
  /** As `10-20`; the whole file without. */
  readonly lines?: string;
}

/** A mention begins the text, or stands after a blank or an opening bracket or quote: an e-mail address is none. */
const MENTION = /(?<=^|[\s([{<'"«„“])@(?:"([^"\n]+)"|([^\s"@][^\s"]*))/gu;

/** Punctuation that belongs to the sentence, unless a file is called so. */
const SENTENCE_END = /[.,;:!?)\]}>'"»“”…]+$/u;

const LINES = /^(.+?):(\d{1,9}(?:-\d{1,9})?)$/;

const toSpec = (text: string): AttachmentSpec => {
  const [, path, lines] = LINES.exec(text) ?? [];
  return path === undefined || lines === undefined ? { path: text } : { path, lines };
};

/** How a mention can be read: as it stands, with lines, and without the end of its sentence. */
const readingsOf = (text: string): readonly AttachmentSpec[] => {
  const bare = text.replace(SENTENCE_END, '');
  return [text, bare].filter((each, at, all) => each !== '' && all.indexOf(each) === at).flatMap((each) => [{ path: each }, toSpec(each)]);
};

/**
 * The files that a message mentions, in its order, each once: `@path`, `@path:10-20`, `@"path with spaces"`. What is no file is left in
 * peace: `@scope/package`, `@somebody`.
 *
 * @param exists whether a path leads to a file of the workspace
 */
export async function parseMentions(text: string, exists: (path: string) => Promise<boolean>): Promise<readonly AttachmentSpec[]> {
  const found = new Map<string, AttachmentSpec>();
  for (const match of text.matchAll(MENTION)) {
    const [whole, quoted, plain = ''] = match;
    const rest = quoted === undefined ? '' : (/^:\d{1,9}(?:-\d{1,9})?/.exec(text.slice(match.index + whole.length))?.[0] ?? '');
    for (const spec of quoted === undefined ? readingsOf(plain) : [toSpec(quoted + rest)]) {
      if (!(await exists(spec.path))) continue;
      found.set(`${spec.path}\0${spec.lines ?? ''}`, spec);
      break;
    }
  }
  return [...found.values()];
}
