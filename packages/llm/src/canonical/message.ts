/** A JSON Schema as an object; carried, never looked into. */
export type JsonSchema = { readonly [key: string]: unknown };

/** Where the bytes of an image are: passed on to the provider, never fetched by us. */
export type ImageSource =
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'base64'; readonly mediaType: string; readonly data: string };

/** Asks the provider to cache everything up to and with the part that it stands on. `ttl` left out: the provider's default. */
export interface CacheMark {
  readonly ttl?: '5m' | '1h';
}

export interface TextPart {
  readonly kind: 'text';
  readonly text: string;
  readonly cache?: CacheMark;
}

export interface ImagePart {
  readonly kind: 'image';
  readonly source: ImageSource;
  /** How closely a model looks: OpenAI's word, carried. */
  readonly detail?: string;
  readonly cache?: CacheMark;
}

/** What a model thought before it answered. `signature` lets the provider recognise its own thought. */
export interface ThinkingPart {
  readonly kind: 'thinking';
  readonly text: string;
  readonly signature?: string;
}

/** A thought that the provider shows to nobody: opaque, and only of use to the provider that made it. */
export interface RedactedThinkingPart {
  readonly kind: 'redacted_thinking';
  readonly data: string;
}

/** What a model thought, as an answer keeps it. */
export type Thought = ThinkingPart | RedactedThinkingPart;

/** One use of a tool. `arguments` is JSON text, carried byte for byte: big integers, key order and escapes survive. */
export interface ToolCallPart {
  readonly kind: 'tool_call';
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  /** The provider's own id, where `id` is the one that somebody else knows. */
  readonly providerId?: string;
  readonly cache?: CacheMark;
}

/** What came of the tool use with the same `id`: text, and the images that go with it. */
export interface ToolResultPart {
  readonly kind: 'tool_result';
  readonly id: string;
  readonly content: string;
  readonly images?: readonly ImagePart[];
  readonly isError: boolean;
  readonly cache?: CacheMark;
}

export type Part = TextPart | ImagePart | ThinkingPart | RedactedThinkingPart | ToolCallPart | ToolResultPart;

/**
 * One message of a conversation in no vendor's dialect. Tool calls stand in `assistant`, their results in `tool` messages. A `system`
 * message may stand anywhere; those before the first other message are the system prompt.
 */
export interface Message {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly parts: readonly Part[];
}

/** Whether an answer must follow its schema to the letter. `if_possible`: where the provider takes the schema as strict. */
export type Strictness = boolean | 'if_possible';

/** A tool as a model is told about it. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
  /** Whether the arguments must follow the schema to the letter. */
  readonly strict?: Strictness;
  readonly cache?: CacheMark;
  /** The vendor's type of a tool that the vendor defined and the caller runs, such as `text_editor_20250728`, with its settings. */
  readonly vendor?: { readonly type: string; readonly [setting: string]: unknown };
}

/** Whether the model may, must or must not call a tool, or which one it must call. Left out: the provider's default. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string };

/**
 * Whether and how much a model thinks. `budgetTokens` is Anthropic's measure, `effort` OpenAI's; codecs convert. `adaptive`: the model
 * decides.
 */
export type Thinking =
  | { readonly kind: 'off' }
  | { readonly kind: 'on'; readonly budgetTokens?: number; readonly effort?: string }
  | { readonly kind: 'adaptive'; readonly effort?: string };

/** The form of the answer's text. */
export type ResponseFormat =
  | { readonly kind: 'json' }
  | {
      readonly kind: 'json_schema';
      readonly name: string;
      readonly schema: JsonSchema;
      readonly strict?: Strictness;
      readonly description?: string;
    };

/** One question to a model, in no vendor's dialect. What is left out is left to the provider. */
export interface ModelRequest {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ModelTool[];
  readonly toolChoice?: ToolChoice;
  readonly parallelToolCalls?: boolean;
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  /** Texts that end the answer where they come. */
  readonly stop?: readonly string[];
  /** Names the end user to the provider. */
  readonly user?: string;
  readonly thinking?: Thinking;
  readonly responseFormat?: ResponseFormat;
}
