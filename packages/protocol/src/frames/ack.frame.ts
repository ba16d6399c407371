import { defineClientFrame } from '../define-frame.js';
import { Integer } from '../fields.js';

/** How far the client has read: flow control. */
export class Ack {
  @Integer('The last frame of the log that the client has handled.') seq!: number;
}

export const ack = defineClientFrame({ type: 'ack', body: Ack, summary: 'How far the client has read.' });
