import type { SentEvent } from './parse-events.js';

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});

const word = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** A stream of Chat Completions in words, such as `call 0 id name`, with arguments behind it if they came along; throws where a client would break on it (F2, F3). */
export function digestChat(events: readonly SentEvent[]): readonly string[] {
  const calls: string[] = [];
  let isFirst = true;
  return events.flatMap(({ comment, data }) => {
    if (comment !== undefined) return [`: ${comment}`];
    if (data === '[DONE]') return ['done'];
    const chunk = fieldsOf(data);
    if (chunk.error !== undefined) return [`error ${word(fieldsOf(chunk.error).type)} ${word(fieldsOf(chunk.error).code)}`];
    const [choice] = chunk.choices as unknown[];
    if (choice === undefined) return [usageOf(fieldsOf(chunk.usage))];
    const { delta, finish_reason: finish } = fieldsOf(choice);
    const words = digestDelta(fieldsOf(delta), calls, isFirst);
    isFirst = false;
    return finish === null || finish === undefined ? words : [...words, `finish ${word(finish)}`];
  });
}

const usageOf = ({ prompt_tokens: input, completion_tokens: output, prompt_tokens_details: details }: Fields): string =>
  `usage ${word(input)} ${word(output)}${fieldsOf(details).cached_tokens ? ` cached ${word(fieldsOf(details).cached_tokens)}` : ''}`;

function digestDelta(delta: Fields, calls: string[], isFirst: boolean): string[] {
  if (isFirst && delta.role !== 'assistant') throw new Error('the first chunk has no role');
  const { content, reasoning_content: thought, tool_calls: parts } = delta;
  if (typeof content === 'string' && content !== '' && parts !== undefined) throw new Error('content and calls in one chunk');
  return [
    ...(isFirst ? ['role'] : []),
    ...(typeof thought === 'string' && thought !== '' ? [`think ${thought}`] : []),
    ...(typeof content === 'string' && content !== '' ? [`text ${content}`] : []),
    ...((parts ?? []) as unknown[]).map((part) => digestCall(fieldsOf(part), calls)),
  ];
}

function digestCall({ index, id, type, function: called }: Fields, calls: string[]): string {
  const { name, arguments: args } = fieldsOf(called);
  if (id === undefined) {
    if (index !== calls.length - 1) throw new Error(`a delta of call ${word(index)} after call ${calls.length - 1}`);
    return `args ${word(index)} ${word(args)}`;
  }
  if (index !== calls.length) throw new Error(`call number ${calls.length} has the index ${word(index)}`);
  if (type !== 'function' || typeof name !== 'string' || typeof args !== 'string') throw new Error(`a call begins without all that it needs: ${word(called)}`);
  calls.push(word(id));
  return `call ${index} ${word(id)} ${name}${args === '' ? '' : ` ${args}`}`;
}

/** A stream of Messages in words, such as `start 0 tool_use id name`; throws where the SDK would (F5). */
export function digestMessages(events: readonly SentEvent[]): readonly string[] {
  let open = -1;
  let blocks = 0;
  return events.flatMap(({ event, data }) => {
    const { type, index, ...fields } = fieldsOf(data);
    if (event !== type) throw new Error(`the event ${word(type)} is named ${word(event)}`);
    const at = `${word(index)}`;
    switch (type) {
      case 'ping':
        return ['ping'];
      case 'message_start':
        return ['message_start'];
      case 'content_block_start': {
        if (open !== -1 || index !== blocks) throw new Error(`block ${at} starts when ${blocks} is next and ${open} is open`);
        open = blocks;
        blocks += 1;
        const { type: kind, id, name, input } = fieldsOf(fields.content_block);
        if (kind === 'tool_use' && JSON.stringify(input) !== '{}') throw new Error('a call starts with an input');
        return [kind === 'tool_use' ? `start ${at} tool_use ${word(id)} ${word(name)}` : `start ${at} ${word(kind)}`];
      }
      case 'content_block_delta': {
        if (index !== open) throw new Error(`a delta of block ${at} while ${open} is open`);
        const delta = fieldsOf(fields.delta);
        const text = delta.text ?? delta.partial_json ?? delta.thinking ?? delta.signature;
        return [`${word(delta.type).replace('_delta', '')} ${at} ${word(text)}`];
      }
      case 'content_block_stop':
        if (index !== open) throw new Error(`block ${at} ends while ${open} is open`);
        open = -1;
        return [`stop ${at}`];
      case 'message_delta': {
        const { usage, delta } = fields as { readonly usage?: Fields; readonly delta: Fields };
        if (open !== -1 || typeof usage?.output_tokens !== 'number') throw new Error('the end comes too early, or without usage');
        return [`finish ${word(delta.stop_reason)} ${word(usage.input_tokens)} ${word(usage.output_tokens)}`];
      }
      case 'message_stop':
        return ['message_stop'];
      case 'error':
        return [`error ${word(fieldsOf(fields.error).type)}`];
      default:
        throw new Error(`an event that no client knows: ${word(type)}`);
    }
  });
}
