import type { GetPromptResult, ReadResourceResult } from '@modelcontextprotocol/client';
import { cleanText } from '../lists/clean-text.js';
import { boundBlock, boundText, MAX_BINARY, MAX_RESULT, withinTotal } from './bound-result.js';

type Contents = ReadResourceResult['contents'][number];

const MAX_CONTENTS = 200;
const MAX_MESSAGES = 200;

/** What a resource holds, no larger than a result may be. What is left out is replaced by a text that says so. */
export function boundResource(result: ReadResourceResult): ReadResourceResult {
  let total = 0;
  const contents: Contents[] = [];
  for (const item of result.contents.slice(0, MAX_CONTENTS)) {
    const bounded = boundContents(item);
    total += JSON.stringify(bounded).length;
    if (total > MAX_RESULT) {
      contents.push({ uri: item.uri.slice(0, 2_048), text: '[the rest was left out: the resource is larger than 4 MB]' });
      break;
    }
    contents.push(bounded);
  }
  return { contents };
}

function boundContents(item: Contents): Contents {
  const { uri, mimeType } = item;
  const head = { uri: uri.slice(0, 2_048), mimeType: mimeType?.slice(0, 200) };
  if ('text' in item) return { ...head, text: boundText(item.text) };
  return item.blob.length <= MAX_BINARY ? { ...head, blob: item.blob } : { ...head, text: '[binary content left out: more than 3 MB]' };
}

/** A prompt, no larger than a result may be. */
export function boundPrompt(result: GetPromptResult): GetPromptResult {
  const messages = result.messages.slice(0, MAX_MESSAGES).map(({ role, content }) => ({ role, content: boundBlock(content) }));
  const kept = withinTotal(
    messages.map(({ content }) => content),
    MAX_RESULT,
  );
  const bounded = messages.slice(0, kept.length).map((message, index) => ({ ...message, content: kept[index]! }));
  return { messages: bounded, description: result.description === undefined ? undefined : cleanText(result.description, 2_048) };
}
