const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** Without a character of UTF-8 that is cut in two at the end. */
export const withoutCutEnd = (bytes: Buffer): Buffer => {
  let start = bytes.length - 1;
  while (start > bytes.length - 4 && isContinuation(bytes[start])) start -= 1;
  const lead = bytes[start] ?? 0;
  const size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return start + size > bytes.length ? bytes.subarray(0, start) : bytes;
};

/** Without the rest of a character at the beginning. */
export const withoutCutStart = (bytes: Buffer): Buffer => {
  let start = 0;
  while (start < 3 && isContinuation(bytes[start])) start += 1;
  return bytes.subarray(start);
};
