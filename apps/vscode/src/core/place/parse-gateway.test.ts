import { expect, test } from 'vitest';
import { parseGateway } from './parse-gateway.js';

test('an address leads to the sockets and to the routes of its gateway', () => {
  const team = { ws: 'wss://team.example/ws', http: 'https://team.example', isLoopback: false };
  for (const text of ['wss://team.example', 'https://team.example/', ' wss://team.example/ws ', 'https://team.example?x=1'])
    expect(parseGateway(text)).toEqual(team);
  expect(parseGateway('ws://127.0.0.1:8000')).toEqual({ ws: 'ws://127.0.0.1:8000/ws', http: 'http://127.0.0.1:8000', isLoopback: true });
});

test('what is no address, and what would carry a token in the clear, is refused in words', () => {
  expect(() => parseGateway('team example')).toThrow('no address');
  expect(() => parseGateway('ftp://team.example')).toThrow('must begin with');
  expect(() => parseGateway('http://team.example')).toThrow('without encryption');
});
