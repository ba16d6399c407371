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
  /** The same in parts, for clients. A single part without `content` has all of that above. */
  readonly items?: readonly ResultPart[];
  readonly at_ms: number;
}

/** A part of a result, as people can be shown it. */
export interface ResultPart {
  readonly name: string;
  readonly description: string;
  readonly content?: string;
  readonly uri?: string;
  /** The address of a picture. */
  readonly icon?: string;
}

/** Something the servers put before the model and the human. */
export interface NoteItem {
  readonly role: 'note';
  readonly content: string;
  readonly at_ms: number;
}

/**
 * From here on the model is shown less of what stands before: long results of tools before item `up_to` (counted from 0 over the whole history)
 * by a reference, and every text before this item that is longer than `limit` characters by its head and its tail. Nothing of it is lost.
 */
export interface CutItem {
  readonly role: 'cut';
  readonly up_to: number;
  readonly limit?: number;
  readonly at_ms: number;
}

/** From here on the model is shown `content` in the place of every item before `up_to`. */
export interface SummaryItem {
  readonly role: 'summary';
  readonly up_to: number;
  readonly content: string;
  /** No model wrote it: it was put together from the items. */
  readonly mechanical?: true;
  readonly at_ms: number;
}

/** From here on the model is shown nothing of what stands before. */
export interface ClearItem {
  readonly role: 'clear';
  readonly at_ms: number;
}

/** An item that changes what a model is shown of the others. People are shown all of them. */
export type ViewItem = CutItem | SummaryItem | ClearItem;

/** One entry of a session's history, as stored (one JSON text each) and as REST shows it. */
export type HistoryItem = UserItem | AssistantItem | ToolItem | NoteItem | ViewItem;

/** What was said and done: everything but what changes how it is shown. */
export type SaidItem = Exclude<HistoryItem, ViewItem>;

export const isViewItem = (item: HistoryItem): item is ViewItem => item.role === 'cut' || item.role === 'summary' || item.role === 'clear';
