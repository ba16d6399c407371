/** A resource that a message mentions: `@server:uri`, or `@"server:uri with blanks"`. */
export interface ResourceMention {
  readonly server: string;
  readonly uri: string;
}

const MENTION = /(?<=^|[\s([{<'"«„“])@(?:"([^"\n]+)"|([^\s"@][^\s"]*))/gu;
const SENTENCE_END = /[.,;:!?)\]}>'»”…]+$/u;

/**
 * The resources that a message mentions, each once. What follows a server's name is taken as it stands, but for the end of a sentence that is in
 * no known uri.
 *
 * @param servers the names of servers that are there
 * @param isKnown whether a server has listed exactly this uri
 */
export function findResourceMentions(
  text: string,
  servers: ReadonlySet<string>,
  isKnown: (mention: ResourceMention) => boolean,
): readonly ResourceMention[] {
  const found = new Map<string, ResourceMention>();
  for (const [, quoted, plain] of text.matchAll(MENTION)) {
    const word = quoted ?? plain ?? '';
    const at = word.indexOf(':');
    const server = word.slice(0, at);
    if (at <= 0 || !servers.has(server)) continue;
    const asItStands = { server, uri: word.slice(at + 1) };
    const bare = { server, uri: asItStands.uri.replace(SENTENCE_END, '') };
    const mention = quoted !== undefined || isKnown(asItStands) ? asItStands : bare;
    if (mention.uri !== '') found.set(`${server}:${mention.uri}`, mention);
  }
  return [...found.values()];
}
