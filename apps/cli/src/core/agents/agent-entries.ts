import type { PickerEntry } from '../picker/picker.js';

/** The agents as they are picked, as `GET /api/v1/sessions/{id}/agents` lists them: `reviewer   Looks for races. · .codelab/agents/reviewer.md · reads only`. */
export const agentEntries = (agents: readonly unknown[]): readonly PickerEntry[] =>
  agents.flatMap((agent) => {
    const { name, description, path, policy } = (agent ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof name !== 'string') return [];
    const told = [description, path, policy === 'read_only' ? 'only reads' : policy === 'ask' ? 'asks about everything' : undefined];
    return [{ value: name, label: name, detail: told.filter((text) => typeof text === 'string' && text !== '').join(' · ') }];
  });
