import type { RawJson } from '../../json/index.js';

/** The parts of Anthropic's Messages API that we write. */

export interface WireCacheControl {
  readonly type: 'ephemeral';
  readonly ttl?: '5m' | '1h';
}

interface Cacheable {
  readonly cache_control?: WireCacheControl;
}

export interface WireText extends Cacheable {
  readonly type: 'text';
  readonly text: string;
}

export interface WireImage extends Cacheable {
  readonly type: 'image';
  readonly source:
    | { readonly type: 'base64'; readonly media_type: string; readonly data: string }
    | { readonly type: 'url'; readonly url: string };
}

export interface WireToolUse extends Cacheable {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: RawJson;
}

export interface WireToolResult extends Cacheable {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly content?: string | readonly (WireText | WireImage)[];
  readonly is_error?: true;
}

export type WireThought =
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'redacted_thinking'; readonly data: string };

export type WireBlock = WireText | WireImage | WireToolUse | WireToolResult | WireThought;

export interface WireMessage {
  readonly role: 'user' | 'assistant';
  readonly content: readonly WireBlock[];
}

export interface WireTool extends Cacheable {
  readonly name: string;
  /** A tool that Anthropic defined; then there is no schema. */
  readonly type?: string;
  readonly description?: string;
  readonly input_schema?: object;
  readonly strict?: boolean;
}

export type WireToolChoice =
  | { readonly type: 'none' }
  | { readonly type: 'auto' | 'any'; readonly disable_parallel_tool_use?: boolean }
  | { readonly type: 'tool'; readonly name: string; readonly disable_parallel_tool_use?: boolean };

export type WireThinking =
  | { readonly type: 'enabled'; readonly budget_tokens: number }
  | { readonly type: 'adaptive'; readonly display: 'summarized' }
  | { readonly type: 'disabled' };

/** The body of `POST /v1/messages`, always streamed. */
export interface WireRequest {
  readonly model: string;
  readonly max_tokens: number;
  readonly stream: true;
  readonly system?: readonly WireText[];
  readonly messages: readonly WireMessage[];
  readonly tools?: readonly WireTool[];
  readonly tool_choice?: WireToolChoice;
  readonly thinking?: WireThinking;
  readonly output_config?: { readonly effort?: string; readonly format?: object };
  readonly temperature?: number;
  readonly top_p?: number;
  readonly top_k?: number;
  readonly stop_sequences?: readonly string[];
  readonly metadata?: { readonly user_id: string };
}
