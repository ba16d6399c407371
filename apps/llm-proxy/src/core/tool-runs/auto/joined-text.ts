/** The text of several rounds as one: a blank line stands between what was said in two of them. */
export class JoinedText {
  private messageId: string | undefined;
  /** The end of what was said so far; '' before anything was. */
  private tail = '';

  /** The next piece of a message, with what separates it from the message before. */
  add(messageId: string, token: string): string {
    if (token === '') return '';
    const text = messageId === this.messageId ? token : this.separator() + token;
    this.messageId = messageId;
    this.tail = (this.tail + text).slice(-2);
    return text;
  }

  /** A remark of ours, in a paragraph of its own. */
  remark(text: string): string {
    this.messageId = undefined;
    return this.add('', text);
  }

  private separator(): string {
    if (this.tail === '' || this.tail.endsWith('\n\n')) return '';
    return this.tail.endsWith('\n') ? '\n' : '\n\n';
  }
}
