/** An answer of Redis: text, a number, nothing, a list, or the error that it sent. */
export type RespValue = string | number | null | Error | readonly RespValue[];

/** One command in Redis' wire format. */
export function encodeCommand(words: readonly string[]): string {
  return `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`;
}

/** Reads one answer from `bytes` at `offset`; undefined while it isn't complete. */
export function decodeReply(bytes: Buffer, offset = 0): { readonly value: RespValue; readonly next: number } | undefined {
  const end = bytes.indexOf('\r\n', offset);
  if (end < 0) return undefined;
  const text = bytes.toString('utf8', offset + 1, end);
  const next = end + 2;
  switch (bytes.toString('latin1', offset, offset + 1)) {
    case '+':
      return { value: text, next };
    case '-':
      return { value: new Error(text), next };
    case ':':
      return { value: Number(text), next };
    case '$':
      return decodeBulk(bytes, next, Number(text));
    case '*':
      return decodeList(bytes, next, Number(text));
    default:
      return { value: new Error('this is not Redis'), next: bytes.length };
  }
}

function decodeBulk(bytes: Buffer, start: number, length: number) {
  if (length < 0) return { value: null, next: start };
  if (bytes.length < start + length + 2) return undefined;
  return { value: bytes.toString('utf8', start, start + length), next: start + length + 2 };
}

function decodeList(bytes: Buffer, start: number, count: number) {
  const value: RespValue[] = [];
  let next = start;
  for (let index = 0; index < count; index += 1) {
    const item = decodeReply(bytes, next);
    if (item === undefined) return undefined;
    value.push(item.value);
    next = item.next;
  }
  return { value, next };
}
