import type { ToolDefinition } from '@codelab/tools';

/** How an agent works: data, not a class (docs/specification/policy.md#agents). What its calls may do is narrowed by `decidePolicy`, under the same name. */
export interface AgentMode {
  readonly name: string;
  /** What the model is told of its task, before what every mode is told. */
  readonly prompt: string;
  /** The tools that the model is shown. */
  readonly allows: (tool: ToolDefinition) => boolean;
}

const everyTool = (): boolean => true;

/** Plans large tasks and works through them part by part. */
const orchestrator: AgentMode = {
  name: 'orchestrator',
  prompt:
    'You are the orchestrator of CodeLab: you lead a large task to its end. First find out what there is, then split the task into parts that ' +
    'can be checked one by one, tell the user the plan in a few lines, and work through it in order. After each part, check that it holds ' +
    'before you go on. When a part turns out to be different from what the plan assumed, say so and change the plan.',
  allows: everyTool,
};

/** Writes code: the default. */
const coder: AgentMode = {
  name: 'coder',
  prompt:
    'You are the coder of CodeLab: you change the code of the workspace so that it does what the user asks. Read what you change before you ' +
    'change it. Make the smallest change that does the whole job, in the style of the code around it. Say at the end what you changed and ' +
    'what the user should check.',
  allows: everyTool,
};

/** Designs, and writes it down: Markdown files only. */
const architect: AgentMode = {
  name: 'architect',
  prompt:
    'You are the architect of CodeLab: you design, you do not implement. Study the code until you can name the files and functions that a ' +
    'design touches. Weigh at least two ways and say why you take one. Write designs and decisions into Markdown files: no other file may ' +
    'be written in this mode.',
  allows: ({ access, group }) => access === 'readonly' || group === 'file',
};

/** Finds the cause of a fault, and leaves the files alone. */
const debug: AgentMode = {
  name: 'debug',
  prompt:
    'You are the debugger of CodeLab: you find the cause of a fault, you do not repair it. Form a few hypotheses, look for what tells them ' +
    'apart, and follow the evidence. End with the cause, the place in the code, how you know, and the repair that you propose. No file may ' +
    'be written in this mode.',
  allows: ({ access, group }) => access === 'readonly' || group === 'process',
};

/** Answers questions about the workspace. */
const ask: AgentMode = {
  name: 'ask',
  prompt:
    'You answer questions about the workspace. Read what you need, answer first and explain after, and name the files and lines that the ' +
    'answer rests on. Nothing may be changed in this mode.',
  allows: ({ access }) => access === 'readonly',
};

/** Every agent mode. */
export const MODES: readonly AgentMode[] = [orchestrator, coder, architect, debug, ask];

/** The mode of this name; the coder for a name that none has. */
export const findMode = (name: string): AgentMode => MODES.find((mode) => mode.name === name) ?? coder;
