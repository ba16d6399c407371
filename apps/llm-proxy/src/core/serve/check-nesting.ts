import { ApiError } from '@codelab/llm';

/** Deeper JSON than any client writes: what is parsed is walked by functions that call themselves. */
export const MAX_NESTING = 256;

/** More objects and lists than any conversation has: to parse tens of millions of them would block everybody for seconds. */
export const MAX_CONTAINERS = 1_000_000;

const [QUOTE, BACKSLASH] = [34, 92];

/** Throws `ApiError` where a JSON text is nested deeper than `MAX_NESTING`, or has more than `MAX_CONTAINERS`. Looks at brackets only: whether it is JSON is seen later. */
export function checkNesting(text: string): void {
  if (text.length <= 2 * MAX_NESTING) return;
  for (let at = 0, depth = 0, containers = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === 123 || code === 91) {
      if (++containers > MAX_CONTAINERS)
        throw new ApiError('invalid_request', `the body has more than ${MAX_CONTAINERS} objects and lists`);
      if (++depth > MAX_NESTING) throw new ApiError('invalid_request', `the body is nested deeper than ${MAX_NESTING} levels`);
    } else if (code === 125 || code === 93) depth -= 1;
  }
}

/** The place of the quote that ends the string which begins at `at`, or the end of the text. */
function endOfString(text: string, at: number): number {
  for (let close = text.indexOf('"', at + 1); close !== -1; close = text.indexOf('"', close + 1)) {
    let slashes = 0;
    while (text.charCodeAt(close - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return close;
  }
  return text.length;
}
