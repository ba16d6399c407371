import { drawFrom } from '../../plan/draw.js';
import type { ChaosEvent, ChaosEventBody } from '../../recording/chaos-event.js';

const TOOLS = ['read_file', 'write_file', 'run_command', 'apply_patch', 'delete_file'];
const FAULTS = ['kill', 'freeze', 'cut link', 'slow store', 'flush scripts', 'upstream 500'];

/** A recording as a run makes them, from a seed: sessions with turns and calls, processes, faults. For looking at the page, and for its tests. */
export function makeRecording(seed: number, hostile = ''): ChaosEvent[] {
  const draw = drawFrom(seed, 'made-up');
  const events: ChaosEvent[] = [];
  const say = (at: number, event: ChaosEventBody): void => void events.push({ ...event, at });
  const services = ['gateway-1', 'gateway-2', 'runtime-1', 'runtime-2', 'proxy-1', 'redis'];
  services.forEach((name, at) => {
    say(0, { kind: 'process', name, pid: 1000 + at, what: 'started' });
    say(300 + at * 90, { kind: 'process', name, pid: 1000 + at, what: 'ready' });
  });
  say(900, { kind: 'phase', what: 'calm' });
  say(2000, { kind: 'phase', what: 'storm' });
  say(7500, { kind: 'phase', what: 'healed' });
  for (let id = 1; id <= 7; id++) {
    const at = 2000 + draw.integer(0, 4500);
    const target = draw.one(services);
    const name = draw.one(FAULTS);
    const lasts = draw.integer(150, 1500);
    say(at, { kind: 'fault', id, name, target, phase: 'begin' });
    say(at + lasts, { kind: 'fault', id, name, target, phase: 'end' });
    if (name === 'kill') {
      say(at + 2, { kind: 'process', name: target, pid: 1000, what: 'exited', code: null, signal: 'SIGKILL' });
      say(at + 120, { kind: 'process', name: target, pid: 2000 + id, what: 'started' });
      say(at + 120 + lasts, { kind: 'process', name: target, pid: 2000 + id, what: 'ready' });
    }
    if (name === 'freeze') {
      say(at + 1, { kind: 'process', name: target, pid: 1000, what: 'frozen' });
      say(at + lasts, { kind: 'process', name: target, pid: 1000, what: 'thawed' });
    }
  }
  let model = 0;
  for (const session of ['s1', 's2', 's3']) {
    const observer = `${session}-executor`;
    let connection = 1;
    let seq = 0;
    let at = 900 + draw.integer(0, 300);
    const frame = (time: number, direction: 'in' | 'out', type: string, fields: object): void =>
      say(time, { kind: 'frame', observer, connection, direction, frame: { type, ...fields, ...(direction === 'in' ? { seq: ++seq } : {}) } });
    say(at - 20, { kind: 'observer', observer, role: 'executor', owner: 'ada', session });
    say(at - 10, { kind: 'socket', observer, connection, what: 'open' });
    for (let turn = 1; turn <= 4; turn++) {
      const turn_id = `${session}-t${String(turn)}`;
      frame(at, 'out', 'user_message', { message_id: `${turn_id}-m`, content: `do what is due ${hostile}` });
      frame(at + 15, 'in', 'turn_started', { turn_id, message_ids: [`${turn_id}-m`] });
      for (let step = 1; step <= draw.integer(1, 3); step++) {
        const id = ++model;
        say(at + 30, { kind: 'model-request', id, dialect: 'chat', session, body: { messages: [{ role: 'user', content: hostile }] } });
        at += draw.integer(120, 500);
        say(at, { kind: 'model-end', id, how: draw.chance(85) ? 'answered' : 'cut' });
        const call_id = `${turn_id}-c${String(step)}`;
        frame(at + 12, 'in', 'tool_call', { call_id, tool_name: hostile === '' ? draw.one(TOOLS) : hostile, args: { path: `a/${hostile}` } });
        frame(at + 20, 'out', 'tool_ack', { call_id, state: 'received' });
        if (draw.chance(40)) {
          at += draw.integer(80, 300);
          frame(at, 'out', 'hitl_decision', { call_id, action: 'approve' });
          frame(at + 8, 'in', 'approval_resolved', { call_id, outcome: 'approved' });
        }
        frame(at + 40, 'out', 'tool_ack', { call_id, state: 'started' });
        at += draw.integer(50, 200);
        say(at, { kind: 'effect', session, mark: call_id, tool: 'write_file', what: `wrote ${hostile}` });
        frame(at + 2, 'out', 'tool_result', { call_id, result: hostile });
        frame(at + 9, 'in', 'tool_result_ack', { call_id, status: 'accepted' });
      }
      if (draw.chance(30)) {
        say(at + 20, { kind: 'socket', observer, connection, what: 'closed', code: 1006 });
        connection++;
        say(at + 200, { kind: 'socket', observer, connection, what: 'open' });
        at += 220;
      }
      frame(at + 60, 'in', 'assistant_message', { message_id: `${turn_id}-a`, content: hostile });
      frame(at + 65, 'in', 'turn_ended', { turn_id, status: draw.one(['completed', 'completed', 'completed', 'cancelled', 'failed']) });
      at += draw.integer(150, 700);
    }
  }
  return events.sort((a, b) => a.at - b.at);
}
