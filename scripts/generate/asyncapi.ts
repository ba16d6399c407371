import { CLOSE, ERRORS, frameSchema } from '@codelab/protocol';
import { definitions } from './frame-schemas.js';

/** The wire as an AsyncAPI 3 document: one channel, a message per frame. */
export function asyncapiFile(): Record<string, string> {
  const messages = Object.fromEntries(
    definitions().map((definition) => {
      const { $schema: _, ...payload } = frameSchema(definition);
      return [`${definition.from}.${definition.type}`, { name: definition.type, summary: definition.summary, payload }];
    }),
  );
  const refs = (from: string): object[] =>
    Object.keys(messages)
      .filter((name) => name.startsWith(`${from}.`))
      .map((name) => ({ $ref: `#/channels/session/messages/${name}` }));
  const document = {
    asyncapi: '3.0.0',
    info: { title: 'CodeLab', version: '2.0', description: 'The frames between an IDE client and the gateway.' },
    servers: { local: { host: '127.0.0.1:8000', protocol: 'ws' } },
    channels: {
      session: {
        address: '/ws/{session_id}',
        parameters: { session_id: { description: '`[A-Za-z0-9_-]{1,64}`; `new` asks for a fresh one.' } },
        messages: Object.fromEntries(Object.keys(messages).map((name) => [name, { $ref: `#/components/messages/${name}` }])),
      },
    },
    operations: {
      fromClient: { action: 'receive', channel: { $ref: '#/channels/session' }, messages: refs('client') },
      toClient: { action: 'send', channel: { $ref: '#/channels/session' }, messages: refs('server') },
    },
    components: { messages },
    'x-errors': ERRORS,
    'x-close-codes': CLOSE,
  };
  return { 'packages/protocol/schema/asyncapi.json': `${JSON.stringify(document, null, 2)}\n` };
}
