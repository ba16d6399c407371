const TEXT_MEMBERS = ['"content":"', '"reasoning_content":"'];

/**
 * Recognises the events of a stream that are plainly pieces of text, so that nobody need look inside: compact JSON with a text, no finish
 * reason, and none of the members that mean something else. Those of one stream differ in their text alone, so that the one before is
 * the measure of the next.
 */
export class PlainText {
  /** What the last one was like up to its text, and from the quote that ends it. */
  private head = '';
  private tail = '';

  /** @param latin1 the event stands in it from `from` to `to`, with its end */
  has(latin1: string, from: number, to: number): boolean {
    if (this.head !== '' && latin1.startsWith(this.head, from)) {
      const close = endOfText(latin1, from + this.head.length);
      if (close + this.tail.length === to && latin1.startsWith(this.tail, close)) return true;
    }
    const event = latin1.slice(from, to);
    if (!isPlain(event)) return false;
    const member = TEXT_MEMBERS.find((name) => event.includes(name)) ?? '';
    const start = event.indexOf(member) + member.length;
    this.head = event.slice(0, start);
    this.tail = event.slice(endOfText(event, start));
    return true;
  }
}

/** A member's name can't stand in a text: the quotes there are escaped. */
function isPlain(event: string): boolean {
  return (
    event.startsWith('data: {') &&
    event.endsWith('}\n\n') &&
    event.includes('"choices":[{"index":0,') &&
    event.includes('"finish_reason":null') &&
    TEXT_MEMBERS.some((name) => event.includes(name)) &&
    !event.includes('"tool_calls"') &&
    !event.includes('"usage":{') &&
    !event.includes('"error"') &&
    !event.includes('"function_call"')
  );
}

/** The place of the quote that ends the text which stands from `start`; the end of `latin1` if there is none. */
function endOfText(latin1: string, start: number): number {
  for (let close = latin1.indexOf('"', start); close !== -1; close = latin1.indexOf('"', close + 1)) {
    let slashes = 0;
    while (latin1.charCodeAt(close - 1 - slashes) === 92) slashes += 1;
    if (slashes % 2 === 0) return close;
  }
  return latin1.length;
}
