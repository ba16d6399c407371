const NOWHERE = ['--url', 'ws://127.0.0.1:1'];
const call = (id, method, params) => ({ jsonrpc: '2.0', id, method, params });
const EDITOR = { protocolVersion: 1, clientCapabilities: {} };
const PROGRAM = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'build', version: '1.0.0' } };

/**
 * What a command does while its compiled code is kept, by the name of its package's folder: the words that it is given, and the lines of JSON that it reads. Each
 * run goes as far as one can without a gateway or a Redis.
 */
export const COMMAND_RUNS = {
  cli: [
    { words: ['exec', ...NOWHERE, 'hello'], reads: [] },
    { words: ['chat', ...NOWHERE], reads: [] },
    { words: ['acp', ...NOWHERE], reads: [call(1, 'initialize', EDITOR)] },
    { words: ['mcp', 'serve'], reads: [call(1, 'initialize', PROGRAM), call(2, 'tools/list')] },
    { words: ['up'], reads: [] },
  ],
  chaos: [{ words: [], reads: [] }],
};
