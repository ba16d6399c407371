import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '@codelab/testkit';
import { Link } from './link.js';

let server: Server;
let heard: string[];
let served: Socket[];
let link: Link;

beforeEach(async () => {
  heard = [];
  served = [];
  server = createServer((socket) => {
    const at = heard.push('') - 1;
    served.push(socket);
    socket.on('error', () => undefined);
    socket.on('data', (bytes: Buffer) => {
      heard[at] += bytes.toString();
      socket.write(`heard ${bytes.toString()}`);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  // The first is a port that nobody listens on: the link takes the next.
  link = await Link.open('line', () => [
    { port: 1, host: '127.0.0.1' },
    { port, host: '127.0.0.1' },
  ]);
});

afterEach(async () => {
  await link.close();
  for (const socket of served) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

const open = async () => {
  const socket = connect(link.port, '127.0.0.1');
  const state = { socket, said: '', isClosed: false };
  socket.on('error', () => undefined);
  socket.on('data', (bytes: Buffer) => (state.said += bytes.toString()));
  socket.on('close', () => (state.isClosed = true));
  await once(socket, 'connect').catch(() => undefined); // refused: it closes
  return state;
};

test('bytes pass in both directions until the line is cut, and new connections after it', async () => {
  const one = await open();
  one.socket.write('hello');
  await eventually('an answer', () => Promise.resolve(one.said === 'heard hello'));
  link.cut();
  await eventually('the end', () => Promise.resolve(one.isClosed));
  const two = await open();
  two.socket.write('again');
  await eventually('an answer', () => Promise.resolve(two.said === 'heard again'));
});

test('a direction that is lost comes late, in order, and the other goes on', async () => {
  const one = await open();
  const { socket } = one;
  socket.write('a');
  await eventually('an answer', () => Promise.resolve(heard[0] === 'a'));
  link.hold('up');
  socket.write('b');
  socket.write('c');
  served[0]?.write('pushed');
  await eventually('the other direction', () => Promise.resolve(one.said.includes('pushed')));
  expect(heard[0]).toBe('a');
  link.heal();
  await eventually('the rest', () => Promise.resolve(heard[0] === 'abc'));
});

test('half of the next bytes go through, then the line ends', async () => {
  const one = await open();
  one.socket.write('x');
  await eventually('an answer', () => Promise.resolve(heard[0] === 'x'));
  link.halve('up');
  one.socket.write('12345678');
  await eventually('the end', () => Promise.resolve(one.isClosed));
  expect(heard[0]).toBe('x1234');
});

test('a line that is healed before the next bytes come lets them through whole', async () => {
  const one = await open();
  one.socket.write('x');
  await eventually('an answer', () => Promise.resolve(one.said === 'heard x'));
  link.halve('up');
  link.heal();
  one.socket.write('12345678');
  await eventually('an answer', () => Promise.resolve(heard[0] === 'x12345678'));
  expect(one.isClosed).toBe(false);
});

test('a doubled line says the same once more, to nobody, until it is healed', async () => {
  const one = await open();
  one.socket.write('hello');
  await eventually('an answer', () => Promise.resolve(one.said === 'heard hello'));
  link.double(true);
  await eventually('the double', () => Promise.resolve(heard[1] === 'hello'));
  expect(one.said).toBe('heard hello');
  link.heal();
  await eventually('its end', () => Promise.resolve(served[1]?.destroyed === true));
  expect(one.isClosed).toBe(false);
});

test('a line that refuses turns away whoever comes, and takes them when it is healed', async () => {
  link.refuse(true);
  const one = await open();
  await eventually('the end', () => Promise.resolve(one.isClosed));
  link.heal();
  const two = await open();
  two.socket.write('in');
  await eventually('an answer', () => Promise.resolve(two.said === 'heard in'));
});
