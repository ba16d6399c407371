/** A JSON Schema as an object; carried, never looked into. */
export type JsonSchema = { readonly [key: string]: unknown };

/** Where the bytes of an image are: passed on to the provider, never fetched by us. */
export type ImageSource =
  { readonly kind: 'url'; readonly url: string } | { readonly kind: 'base64'; readonly mediaType: string; readonly data: string };

export interface TextPart {
  readonly kind: 'text';
  readonly text: string;
}

export interface ImagePart {
  readonly kind: 'image';
  readonly source: ImageSource;
}

/** What a model thought before it answered. `signature` lets the provider recognise its own thought. */
export interface ThinkingPart {
  readonly kind: 'thinking';
  readonly text: string;
  readonly signature?: string;
}

/** One use of a tool. `arguments` is JSON text, carried byte for byte: big integers, key order and escapes survive. */
export interface ToolCallPart {
  readonly kind: 'tool_call';
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** What came of the tool use with the same `id`. */
export interface ToolResultPart {
  readonly kind: 'tool_result';
  readonly id: string;
  readonly content: string;
  readonly isError: boolean;
}

export type Part = TextPart | ImagePart | ThinkingPart | ToolCallPart | ToolResultPart;

/** One message of a conversation in no vendor's dialect. Tool calls stand in `assistant`, their results in `tool` messages. */
export interface Message {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly parts: readonly Part[];
}

/** A tool as a model is told about it. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
}

/** Whether the model may, must or must not call a tool, or which one it must call. Left out: the provider's default. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string };

/** One question to a model, in no vendor's dialect. What is left out is left to the provider. */
export interface ModelRequest {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ModelTool[];
  readonly toolChoice?: ToolChoice;
  readonly parallelToolCalls?: boolean;
  readonly maxTokens?: number;
  readonly temperature?: number;
}
