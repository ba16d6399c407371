import type { SessionStore } from '@codelab/bus';
import type { ClientFrameOf } from '@codelab/protocol';
import type { Caller } from '../caller.js';
import type { Clock } from '../clock.js';
import { handleCancel } from './cancel.js';
import type { Handlers, Outcome, SessionFrameType } from './handler.js';
import { handleHitlDecision } from './hitl-decision.js';
import { handleQueueRemove } from './queue-remove.js';
import { handleSwitchAgent } from './switch-agent.js';
import { handleToolAck } from './tool-ack.js';
import { handleToolOutput } from './tool-output.js';
import { handleToolPreview } from './tool-preview.js';
import { handleToolResult } from './tool-result.js';
import { handleUserMessage } from './user-message.js';

/** The handlers of all frames about a session. */
export const createHandlers = (store: SessionStore, clock: Clock): Handlers => ({
  user_message: handleUserMessage(store),
  tool_ack: handleToolAck(store),
  tool_preview: handleToolPreview(store),
  tool_output: handleToolOutput(store),
  tool_result: handleToolResult(store),
  hitl_decision: handleHitlDecision(store, clock),
  cancel: handleCancel(store),
  queue_remove: handleQueueRemove(store),
  switch_agent: handleSwitchAgent(store),
});

/** Hands a frame to its handler. */
export const dispatch = <Type extends SessionFrameType>(handlers: Handlers, frame: ClientFrameOf<Type>, caller: Caller): Promise<Outcome> =>
  handlers[frame.type](frame, caller);
