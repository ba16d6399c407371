/** What a server does differently from its vendor. Everything is optional; absent means: like the vendor. */
export interface Quirks {
  /** The longest tool name that it takes; default 64. */
  readonly max_tool_name?: number;
  /** How ids of tool calls must look: `alphanumeric9` is Mistral's; `any` takes what it gave, at any length. Default: at most 40 characters. */
  readonly tool_call_ids?: 'any' | 'alphanumeric9';
  /** It wants the thoughts of earlier answers back as `reasoning_content`. */
  readonly reasoning_content?: boolean;
  /** It ignores or refuses `tool_choice` (Ollama): tools are filtered instead. */
  readonly no_tool_choice?: boolean;
  /** It refuses `parallel_tool_calls`. */
  readonly no_parallel_tool_calls?: boolean;
  /** It refuses `stream_options`. */
  readonly no_stream_options?: boolean;
  /** It takes no image by URL (Ollama). */
  readonly no_image_urls?: boolean;
  /** It wants a text, not null, in an assistant message without one (Ollama). */
  readonly content_text?: boolean;
  /** Which field limits the answer; default by the model's name. */
  readonly max_tokens_field?: 'max_tokens' | 'max_completion_tokens';
  /** It serves `/responses`: such requests are relayed. Default: only api.openai.com. */
  readonly responses?: boolean;
}
