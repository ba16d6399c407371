/** An MCP server that writes its process id, and does not end by itself. */
export const IDLE_SERVER = `
  require('node:fs').writeFileSync(process.argv[1], String(process.pid));
  const { createInterface } = require('node:readline');
  createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, params } = JSON.parse(line);
    if (id === undefined) return;
    const result = { protocolVersion: params.protocolVersion, capabilities: {}, serverInfo: { name: 'idle', version: '1' } };
    process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
  });
  setInterval(() => undefined, 60_000);`;
