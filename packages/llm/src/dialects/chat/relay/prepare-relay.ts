import { refuse } from '../../../check/refuse.js';
import type { PreparedRelay, RelayTarget } from '../../dialect.js';
import { editMembers, findJson } from '../../../json/index.js';
import type { Quirks } from '../../../quirks.js';
import { editBody, type Edits } from './edit-body.js';
import { NO_IMAGE_URLS } from '../request/image-urls.js';
import { relayMessages } from './relay-messages.js';
import { relayNames } from './relay-names.js';
import { relayTools } from './relay-tools.js';
import { asList, asObject } from '../../../json/read-json.js';

/** Ours alone: no server gets them. */
const EXTENSIONS = ['use_vscode_tools', 'use_ide_tools', 'tool_execution', 'max_tool_rounds', 'session_id', 'thinking'];

/**
 * Makes a caller's body fit for an upstream of the same dialect, by edits of its text: what isn't named here keeps every byte. The model is
 * set, our extensions are left out, a stream is asked for its usage (F8), illegal tool names are mapped (F9), results of no call become text
 * (RQ6), and what the server's quirks demand is done. Throws `ApiError` for what the server is known to refuse.
 *
 * @param body what `raw` parses to; it has passed `checkRequest`
 */
export function prepareRelay(raw: string, body: unknown, { model, quirks, stream }: RelayTarget): PreparedRelay {
  const fields = asObject(body);
  if (quirks.no_image_urls) refuseImageUrls(asList(fields.messages));
  const { text: named, names } = relayNames(raw, fields, quirks.max_tool_name);
  const text = relayMessages(named, fields, quirks);
  const tools = relayTools(text, fields, quirks);
  const edits: Edits = { ...limitEdits(fields, quirks), ...streamEdits(text, fields, { quirks, stream }), ...tools.edits };
  for (const name of EXTENSIONS) if (name in fields) edits[name] = undefined;
  if (fields.model !== model) edits.model = JSON.stringify(model);
  return {
    text: editBody(text, fields, edits),
    names,
    swallowUsage: stream && asObject(fields.stream_options).include_usage !== true,
    onlyFirstCall: tools.onlyFirstCall,
    unenforced: tools.unenforced.length > 0 ? tools.unenforced : undefined,
  };
}

function streamEdits(
  text: string,
  { stream_options }: Readonly<Record<string, unknown>>,
  { quirks, stream }: { readonly quirks: Quirks; readonly stream: boolean },
): Edits {
  if (quirks.no_stream_options) return { stream_options: undefined };
  if (!stream || asObject(stream_options).include_usage === true) return {};
  const isGiven = typeof stream_options === 'object' && stream_options !== null;
  const span = isGiven ? [...findJson(text, ['stream_options'])].at(-1) : undefined;
  return { stream_options: editMembers(span ? text.slice(span.start, span.end) : '{}', { include_usage: 'true' }) };
}

function limitEdits(fields: Readonly<Record<string, unknown>>, { max_tokens_field: wanted }: Quirks): Edits {
  const other = wanted === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens';
  const limit = fields[other];
  if (wanted === undefined || !(other in fields)) return {};
  return { [other]: undefined, ...(typeof limit === 'number' && typeof fields[wanted] !== 'number' && { [wanted]: String(limit) }) };
}

function refuseImageUrls(messages: readonly unknown[]): void {
  for (const [place, message] of messages.entries()) {
    for (const [part, { image_url: image }] of asList(asObject(message).content).map(asObject).entries()) {
      const url = typeof image === 'string' ? image : asObject(image).url;
      if (typeof url === 'string' && /^https?:/i.test(url)) throw refuse(`messages[${place}].content[${part}].image_url`, NO_IMAGE_URLS);
    }
  }
}
