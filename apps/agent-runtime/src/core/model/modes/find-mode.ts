import type { AgentMode } from './agent-mode.js';
import { architect } from './architect.js';
import { ask } from './ask.js';
import { coder } from './coder.js';
import { debug } from './debug.js';
import { orchestrator } from './orchestrator.js';

/** Every agent mode. */
export const MODES: readonly AgentMode[] = [orchestrator, coder, architect, debug, ask];

/** The mode of this name; the coder for a name that none has. */
export const findMode = (name: string): AgentMode => MODES.find((mode) => mode.name === name) ?? coder;
