import type { Body } from '../fields.js';
import type { ClientDefinition, ServerDefinition } from '../define-frame.js';
import { ack } from './ack.frame.js';
import { approvalResolved, approvalUpdated } from './approval.frames.js';
import { assistantMessage } from './assistant-message.frame.js';
import { auth } from './auth.frame.js';
import { cancel } from './cancel.frame.js';
import { drain, error } from './connection.frames.js';
import { hello } from './hello.frame.js';
import { hitlDecision } from './hitl-decision.frame.js';
import { messageAccepted } from './message-accepted.frame.js';
import { queueRemove } from './queue-remove.frame.js';
import {
  agentStatus,
  agentSwitched,
  modeSwitched,
  agentThought,
  executorChanged,
  queueUpdated,
  todosUpdated,
  toolStatus,
} from './session-facts.frames.js';
import { switchAgent } from './switch-agent.frame.js';
import { toolAck } from './tool/tool-ack.frame.js';
import { toolCall } from './tool/tool-call.frame.js';
import { toolCancel } from './tool/tool-cancel.frame.js';
import { toolOutput, toolOutputRelayed } from './tool/tool-output.frame.js';
import { toolPreview } from './tool/tool-preview.frame.js';
import { toolResultAck } from './tool/tool-result-ack.frame.js';
import { toolResult } from './tool/tool-result.frame.js';
import { toolUse } from './tool/tool-use.frame.js';
import { turnEnded, turnStarted, turnSteered } from './turn.frames.js';
import { userMessage } from './user-message.frame.js';
import { welcome } from './welcome.frame.js';
import { toolsChanged } from './tools-changed.frame.js';
import { workspaceFacts } from './workspace-facts.frame.js';

type Table<Definition extends { readonly type: string }> = { readonly [Type in Definition['type']]: Extract<Definition, { type: Type }> };

const tabulate = <const Definitions extends readonly { readonly type: string }[]>(definitions: Definitions): Table<Definitions[number]> =>
  Object.fromEntries(definitions.map((definition) => [definition.type, definition])) as Table<Definitions[number]>;

/** What a client may send. */
export const CLIENT_FRAMES = tabulate([
  auth,
  hello,
  userMessage,
  toolAck,
  toolPreview,
  toolOutput,
  toolResult,
  hitlDecision,
  cancel,
  queueRemove,
  switchAgent,
  workspaceFacts,
  toolsChanged,
  ack,
] as const);

/** What the servers send. */
export const SERVER_FRAMES = tabulate([
  welcome,
  messageAccepted,
  turnStarted,
  turnSteered,
  turnEnded,
  assistantMessage,
  toolCall,
  approvalUpdated,
  approvalResolved,
  toolCancel,
  toolResultAck,
  agentSwitched,
  modeSwitched,
  todosUpdated,
  queueUpdated,
  toolStatus,
  toolUse,
  toolOutputRelayed,
  agentStatus,
  agentThought,
  executorChanged,
  error,
  drain,
] as const);

/** Every frame of the wire, by its direction. Types, decoding, schemas and reference are derived from it. */
export const FRAMES = { client: CLIENT_FRAMES, server: SERVER_FRAMES } as const;

type BodyOf<Definition> = Definition extends ClientDefinition<string, infer B> | ServerDefinition<string, infer B>
  ? B extends Body
    ? InstanceType<B>
    : never
  : never;

/** What a frame of the log carries beside its own fields. */
export interface LogFields {
  /** 1, 2, 3 … in the log's life. */
  readonly seq?: number;
  /** The frame before this one, where frames between were left out for this client or coalesced. */
  readonly prev_seq?: number;
  /** The frame was sent before. */
  readonly redelivered?: boolean;
}

export type ClientFrameType = keyof typeof CLIENT_FRAMES;
export type ServerFrameType = keyof typeof SERVER_FRAMES;
export type ClientFrameOf<Type extends ClientFrameType> = { type: Type } & BodyOf<(typeof CLIENT_FRAMES)[Type]>;
export type ServerFrameOf<Type extends ServerFrameType> = { type: Type } & BodyOf<(typeof SERVER_FRAMES)[Type]> & LogFields;
/** Any client frame. */
export type ClientFrame = { [Type in ClientFrameType]: ClientFrameOf<Type> }[ClientFrameType];
/** Any server frame. */
export type ServerFrame = { [Type in ServerFrameType]: ServerFrameOf<Type> }[ServerFrameType];
