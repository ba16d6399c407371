// A whole client, written from the tool specification alone: it knows tool_call and tool_result, and nothing else.
// Usage: node examples/seed-client.mjs ws://127.0.0.1:8000 TOKEN FOLDER "message"
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import WebSocket from 'ws';

const [, , url, token, folder, message] = process.argv;
const socket = new WebSocket(new URL('/ws/new', url), { headers: { authorization: `Bearer ${token}` } });

const inside = (path) => {
  const file = normalize(path);
  if (file.startsWith('..') || file.startsWith('/')) throw Object.assign(new Error(`outside: ${path}`), { tool: 'PATH_OUTSIDE_WORKSPACE' });
  return join(folder, file);
};

const tools = {
  read_file: async ({ path }) => ({ content: await readFile(inside(path), 'utf8'), encoding: 'utf-8' }),
  write_file: async ({ path, content }) => {
    await mkdir(dirname(inside(path)), { recursive: true });
    await writeFile(inside(path), content);
    return { success: true, bytes_written: Buffer.byteLength(content) };
  },
};

const answer = async ({ call_id, tool_name, args }) => {
  try {
    if (!tools[tool_name]) return { type: 'tool_result', call_id, error: { code: 'TOOL_NOT_FOUND', message: `no tool ${tool_name}` } };
    return { type: 'tool_result', call_id, result: await tools[tool_name](args) };
  } catch (error) {
    return { type: 'tool_result', call_id, error: { code: error.tool ?? 'FILE_NOT_FOUND', message: error.message } };
  }
};

socket.on('open', () => socket.send(JSON.stringify({ type: 'user_message', content: message })));
socket.on('message', async (data) => {
  const frame = JSON.parse(data);
  if (frame.type === 'tool_call') socket.send(JSON.stringify(await answer(frame)));
  if (frame.type === 'assistant_message') process.stdout.write(frame.token);
  if (frame.type === 'error') console.error(`${frame.code}: ${frame.message}`);
  if (frame.type === 'error' || frame.is_final) socket.close();
});
