import type { Thought } from '../canonical/message.js';

/** A file that goes with a message. `content` is what the client read of it, if it sent that along: text, or base64 of an image. */
export interface AttachedFile {
  readonly path: string;
  readonly lines?: unknown;
  readonly sha256?: string;
  readonly content?: string;
  /** The kind of an image; absent for text. */
  readonly media_type?: string;
}

/** What a person said, with the files that go with it. */
export interface UserItem {
  readonly role: 'user';
  readonly turn_id: string;
  readonly message_id: string;
  readonly content: string;
  readonly attachments?: readonly AttachedFile[];
  readonly at_ms: number;
}

/**
 * One use of a tool in the history. `arguments` is JSON text as the model wrote it, `tool_name` canonical. `provider_id` is what the provider
 * named the call, empty where it didn't, or used the name twice in the answer; sessions of older releases may lack it. Where a model called
 * a tool of another vocabulary than `codelab`, `vocabulary` and `name` say what it called, `arguments` are of that tool, and `tool_name` is the
 * canonical tool that stands for it.
 */
export interface HistoryToolCall {
  readonly call_id: string;
  readonly tool_name: string;
  readonly arguments: string;
  readonly provider_id?: string;
  readonly vocabulary?: string;
  readonly name?: string;
}

/** What a model answered. */
export interface AssistantItem {
  readonly role: 'assistant';
  readonly turn_id: string;
  readonly message_id: string;
  readonly content: string;
  readonly tool_calls: readonly HistoryToolCall[];
  /** What it thought before its calls: the provider wants it back unchanged while they are answered. Never shown. */
  readonly thinking?: readonly Thought[];
  readonly at_ms: number;
}

/** What came of one call: `content` is what the model reads. `edited_arguments`: a human had other arguments run. */
export interface ToolItem {
  readonly role: 'tool';
  readonly turn_id: string;
  readonly call_id: string;
  readonly tool_name: string;
  readonly content: string;
  readonly is_error: boolean;
  readonly edited_arguments?: string;
  /** base64 */
  readonly images?: readonly { readonly media_type: string; readonly data: string }[];
  readonly at_ms: number;
}

/** Something the servers put before the model and the human. */
export interface NoteItem {
  readonly role: 'note';
  readonly content: string;
  readonly at_ms: number;
}

/** One entry of a session's history, as stored (one JSON text each) and as REST shows it. */
export type HistoryItem = UserItem | AssistantItem | ToolItem | NoteItem;
