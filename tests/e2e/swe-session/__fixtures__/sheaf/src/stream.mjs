import { TextDecoder } from 'node:util';
import { readOptions } from './options.mjs';
import { Records } from './records.mjs';
import { Tokeniser } from './tokenise.mjs';

/** The records of a text that comes in chunks, strings or bytes, each as soon as it is whole. Throws `SheafError`. */
export async function* parseStream(chunks, given) {
  const options = readOptions(given);
  const tokeniser = new Tokeniser(options);
  const records = new Records(options);
  const decoder = new TextDecoder('utf-8');
  let isFirst = true;
  for await (const chunk of chunks) {
    let text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    if (text === '') continue;
    if (isFirst && text.startsWith('\uFEFF')) text = text.slice(1);
    isFirst = false;
    yield* records.from(tokeniser.write(text));
  }
  yield* records.from(tokeniser.write(decoder.decode()));
  yield* records.from(tokeniser.end());
}
