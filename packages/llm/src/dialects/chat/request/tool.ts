import type { ModelTool } from '../../../canonical/message.js';
import { asObject } from '../../../json/read-json.js';

export function readTool({ function: called }: Readonly<Record<string, unknown>>) {
  const { name, parameters } = asObject(called);
  return { name, parameters };
}

export function writeTool({ name, description, parameters }: Pick<ModelTool, 'name' | 'description' | 'parameters'>): object {
  return { type: 'function', function: { name, description, parameters } };
}
