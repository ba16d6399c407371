// A server of the protocol 2026-07-28: node modern-server.mjs
import { acceptedContent, fromJsonSchema, inputRequired, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const object = (properties) => fromJsonSchema({ type: 'object', properties });
const number = { type: 'number' };
const text = (value) => ({ content: [{ type: 'text', text: value }] });

serveStdio(
  () => {
    const server = new McpServer({ name: 'modern', version: '1' }, { capabilities: { tools: { listChanged: true } } });
    server.registerTool('add', { inputSchema: object({ a: number, b: number }), outputSchema: object({ sum: number }) }, ({ a, b }) => ({
      ...text(String(a + b)),
      structuredContent: { sum: a + b },
    }));
    server.registerTool('greet', { inputSchema: object({}) }, (_, context) => {
      const known = acceptedContent(context.mcpReq.inputResponses, 'who');
      if (known !== undefined) return text(`Hello ${known.name}`);
      const requestedSchema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
      return inputRequired({ inputRequests: { who: inputRequired.elicit({ message: 'Who are you?', requestedSchema }) } });
    });
    server.registerTool('grow', { inputSchema: object({}) }, () => {
      server.registerTool('grown', { description: 'New.', inputSchema: object({}) }, () => text('grown'));
      return text('growing');
    });
    return server;
  },
  { legacy: 'reject' },
);
