import { handleCancel } from './cancel.js';
import type { HandlerPorts, Handlers } from './handler.js';
import { handleHitlDecision } from './hitl-decision.js';
import { handleQueueRemove } from './queue-remove.js';
import { handleSwitchAgent } from './switch-agent.js';
import { handleToolAck } from './tool-ack.js';
import { handleToolOutput } from './tool-output.js';
import { handleToolPreview } from './tool-preview.js';
import { handleToolsChanged } from './tools-changed.js';
import { handleToolResult } from './tool-result.js';
import { handleUserMessage } from './user-message.js';
import { handleWorkspaceFacts } from './workspace-facts.js';

/** The handlers of all frames about a session. */
export function createHandlers(ports: HandlerPorts): Handlers {
  const { store, masks } = ports;
  return {
    user_message: handleUserMessage(store),
    tool_ack: handleToolAck(store),
    tool_preview: handleToolPreview(store),
    tool_output: handleToolOutput(store, masks),
    tool_result: handleToolResult(store, masks),
    hitl_decision: handleHitlDecision(ports),
    cancel: handleCancel(store),
    queue_remove: handleQueueRemove(store),
    switch_agent: handleSwitchAgent(store),
    workspace_facts: handleWorkspaceFacts(store),
    tools_changed: handleToolsChanged(store),
  };
}
