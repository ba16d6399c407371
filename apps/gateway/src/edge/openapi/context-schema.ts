import type { JsonSchema } from '@codelab/protocol';

const text = (description: string): JsonSchema => ({ type: 'string', description });
const whole = (description: string): JsonSchema => ({ type: 'integer', description });

/** What fills a context. */
export const CONTEXT_SCHEMA: JsonSchema = {
  type: 'object',
  required: ['tokens', 'instructions', 'agents'],
  properties: {
    prompt_version: whole('Of the texts of the system prompt; absent before the first request.'),
    tokens: {
      type: 'object',
      description: 'Estimates.',
      required: ['system', 'instructions', 'tools', 'history', 'total'],
      properties: {
        system: whole('The system prompt without the instructions in it.'),
        instructions: whole('Instructions that are in it.'),
        tools: whole('The tools that are offered.'),
        history: whole('What the model is shown of the conversation, notes included.'),
        total: whole('Their sum.'),
      },
    },
    instructions: {
      type: 'array',
      description: 'The files that say how to work here, the most general first.',
      items: {
        type: 'object',
        required: ['path', 'scope', 'name', 'use', 'bytes', 'tokens'],
        properties: {
          path: text('In the workspace, or in the configuration directory of the person.'),
          scope: { type: 'string', enum: ['workspace', 'user'] },
          name: text('What it is called.'),
          description: text('When it is of use.'),
          use: { type: 'string', enum: ['always', 'by_file', 'on_request'], description: 'When the model is told of it.' },
          bytes: whole('Of the whole file.'),
          tokens: whole('Of what was sent of it.'),
          omitted: text('What of it is missing, and why.'),
        },
      },
    },
    agents: {
      type: 'array',
      description: 'Agents that people describe in files.',
      items: {
        type: 'object',
        required: ['name', 'path', 'scope'],
        properties: { name: text('Its name.'), path: text('Its file.'), scope: text('Whose it is.'), description: text('What it is for.') },
      },
    },
  },
};
