import { defineClientFrame } from '../define-frame.js';
import { Text } from '../fields.js';
import { LIMITS } from '../limits.js';

/** Goes on with another agent mode. */
export class SwitchAgent {
  @Text('The mode.', { min: 1, max: 64 }) agent!: string;
  @Text('A message that starts with it.', { optional: true, min: 1, max: LIMITS.MAX_MESSAGE_CHARACTERS }) content?: string;
}

export const switchAgent = defineClientFrame({
  type: 'switch_agent',
  body: SwitchAgent,
  answeredBy: 'agent_switched',
  summary: 'Goes on with another agent mode.',
});
