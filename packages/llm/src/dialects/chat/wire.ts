/** The parts of OpenAI's Chat Completions that we read and write. Everything read is unknown until it was looked at. */

export interface WireFunction {
  readonly name: string;
  readonly arguments: string;
}

export interface WireToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: WireFunction;
}

export type WireContentPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string; readonly detail?: string } };

export type WireMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: string | readonly WireContentPart[] }
  | {
      readonly role: 'assistant';
      readonly content: string | null;
      readonly reasoning_content?: string;
      readonly tool_calls?: readonly WireToolCall[];
    }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string };

export interface WireTool {
  readonly type: 'function';
  readonly function: { readonly name: string; readonly description: string; readonly parameters: object; readonly strict?: boolean };
}

export type WireToolChoice = 'auto' | 'none' | 'required' | { readonly type: 'function'; readonly function: { readonly name: string } };

export type WireResponseFormat =
  | { readonly type: 'json_object' }
  | {
      readonly type: 'json_schema';
      readonly json_schema: { readonly name: string; readonly schema: object; readonly strict?: boolean; readonly description?: string };
    };

/** The body of `POST /chat/completions`, always streamed, and with usage where the server knows how. */
export interface WireRequest {
  readonly model: string;
  readonly stream: true;
  readonly stream_options?: { readonly include_usage: true };
  readonly messages: readonly WireMessage[];
  readonly tools?: readonly WireTool[];
  readonly tool_choice?: WireToolChoice;
  readonly parallel_tool_calls?: boolean;
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
  readonly temperature?: number;
  readonly top_p?: number;
  readonly stop?: readonly string[];
  readonly user?: string;
  readonly reasoning_effort?: string;
  readonly response_format?: WireResponseFormat;
}
