import { ToolFailure } from './tool-failure.js';

/**
 * The text of a file; a byte order mark stays in it, so that writing it back gives the same bytes.
 *
 * @param path for the message
 * @throws ToolFailure `ENCODING_ERROR` for a NUL byte, which no text file has, and for what is not UTF-8
 */
export function decodeText(content: Uint8Array, path: string): string {
  const nul = content.indexOf(0);
  if (nul !== -1) throw new ToolFailure('ENCODING_ERROR', `${path} is a binary file: it has a NUL at byte ${String(nul)}.`);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    throw new ToolFailure('ENCODING_ERROR', `${path} is not valid UTF-8.`);
  }
}
