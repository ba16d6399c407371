/** The commands of the chat that make sense where an editor has its own ways for the others: modes, models, sessions. */
export const BUILT_IN = [
  { name: 'init', description: 'has the agent write AGENTS.md, or improve it', hint: 'what matters' },
  { name: 'compact', description: 'sums up what is older, so that there is room again', hint: 'what to keep' },
  { name: 'clear', description: 'the model forgets what was said so far; the record stays' },
  { name: 'undo', description: 'shows what undoing the last turn would do to your files; /undo yes does it', hint: 'turn, or yes' },
  { name: 'context', description: 'what fills the next request: tokens, and the files with instructions' },
  { name: 'cost', description: 'what this conversation and its last turn used' },
] as const satisfies readonly { readonly name: string; readonly description: string; readonly hint?: string }[];

export type BuiltIn = (typeof BUILT_IN)[number]['name'];
