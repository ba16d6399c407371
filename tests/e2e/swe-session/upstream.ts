import { checkRequest, type RecordedRequest, type Reply, startScriptedProvider, type ScriptedProvider } from '@codelab/testkit';
import { readConversation } from './conversation.js';
import { answerAsEngineer, isErrand } from './engineer.js';

/** Tokens of the model's window, the answer with them. */
export const WINDOW = 16_000;

/** Bytes to a token: what source code comes to with the tokenizers of today. */
const BYTES_PER_TOKEN = 4;

/** What a request is for. */
export type RequestKind = 'step' | 'summary' | 'errand';

/** One request as the provider saw it. */
export interface Seen {
  readonly kind: RequestKind;
  readonly bytes: number;
  readonly tokens: number;
  /** It did not fit, and was answered with an error. */
  readonly refused: boolean;
}

/** A provider with a small window, and an engineer behind it. */
export interface SmallUpstream extends Pick<ScriptedProvider, 'baseUrl' | 'origin' | 'close'> {
  readonly seen: readonly Seen[];
  /** What was wrong with requests: nothing, unless a test fails. */
  readonly faults: readonly string[];
  /** Called with each request that is taken; its answer waits for what comes back. */
  onRequest: (kind: RequestKind) => Promise<void> | void;
}

/** Starts a provider that counts the tokens of each request, refuses what does not fit, in the words of its vendor, and what breaks its rules. */
export async function startSmallUpstream(): Promise<SmallUpstream> {
  const seen: Seen[] = [];
  const faults: string[] = [];
  const provider = await startScriptedProvider({
    script: async (request, n) => {
      const [kind, bytes] = [kindOf(request), Buffer.byteLength(request.text)];
      const tokens = Math.ceil(bytes / BYTES_PER_TOKEN);
      const refusal = refusalOf(request, tokens);
      seen.push({ kind, bytes, tokens, refused: refusal !== undefined });
      try {
        checkRequest(request);
        checkNames(request);
      } catch (error) {
        faults.push((error as Error).message);
      }
      if (refusal !== undefined) return refusal;
      await upstream.onRequest(kind);
      const reply = answerAsEngineer(request.body, n);
      const answer = Math.ceil(JSON.stringify([reply.text, reply.toolCalls]).length / BYTES_PER_TOKEN);
      return { ...reply, usage: { prompt_tokens: tokens, completion_tokens: answer } };
    },
  });
  const { baseUrl, origin } = provider;
  const upstream: SmallUpstream = { baseUrl, origin, seen, faults, onRequest: () => undefined, close: () => provider.close() };
  return upstream;
}

function kindOf({ body }: RecordedRequest): RequestKind {
  const conversation = readConversation(body);
  if (conversation.isSummary) return 'summary';
  return isErrand(conversation) ? 'errand' : 'step';
}

/** Tools that every vocabulary has by the same name. */
const SHARED_NAMES: ReadonlySet<string> = new Set(['codebase', 'view_repo_map', 'run_cell', 'restart_kernel']);

/** A model is shown its own calls by the names that it knows: Claude Code's are written with capitals, those of `agent` are not. */
function checkNames({ body }: RecordedRequest): void {
  const { tools, exchanges } = readConversation(body);
  const names = [...tools, ...exchanges.map(({ name }) => name)].filter((name) => name !== '' && !SHARED_NAMES.has(name));
  const own = names.filter((name) => /^[A-Z]/.test(name));
  if (own.length > 0 && own.length < names.length) throw new Error(`names of two vocabularies: ${[...new Set(names)].join(' ')}`);
}

/** Both vendors count the answer that a request leaves room for. */
function refusalOf({ path, body }: RecordedRequest, tokens: number): Reply | undefined {
  const answer = (body.max_tokens ?? body.max_completion_tokens ?? 0) as number;
  if (tokens + answer <= WINDOW) return undefined;
  const counted = `${String(tokens)} + ${String(answer)} > ${String(WINDOW)}`;
  if (path.includes('/messages')) {
    const message =
      tokens > WINDOW
        ? `prompt is too long: ${String(tokens)} tokens > ${String(WINDOW)} maximum`
        : `input length and \`max_tokens\` exceed context limit: ${counted}, decrease input length or \`max_tokens\` and try again`;
    return { status: 400, body: { type: 'error', error: { type: 'invalid_request_error', message } } };
  }
  const message = `This model's maximum context length is ${String(WINDOW)} tokens. However, you requested ${String(tokens + answer)} tokens (${String(tokens)} in the messages, ${String(answer)} in the completion). Please reduce the length of the messages or completion.`;
  return { status: 400, body: { error: { message, type: 'invalid_request_error', param: 'messages', code: 'context_length_exceeded' } } };
}
