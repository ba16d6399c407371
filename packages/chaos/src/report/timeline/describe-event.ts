import type { ChaosEvent } from '../../recording/chaos-event.js';

const MAX_DETAIL = 4_000;

const words = (parts: readonly (string | number | null | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== null && part !== '').join(' ');

/** An event in a line. */
export function describeEvent(event: ChaosEvent): string {
  switch (event.kind) {
    case 'fault':
      return words([event.phase === 'begin' ? '⚡' : '✓ healed:', event.name, event.target, event.detail]);
    case 'process':
      return words([
        event.name,
        event.what,
        event.signal,
        event.code === undefined || event.code === null ? '' : `code ${String(event.code)}`,
      ]);
    case 'store-lost':
      return words(['the store lost what came after', Math.round(event.since), 'ms:', event.how]);
    case 'phase':
      return `— ${event.what} —`;
    case 'observer':
      return words([event.observer, 'is', event.role, 'of', event.session]);
    case 'socket':
      return words([event.observer, `connection #${String(event.connection)}`, event.what, event.code]);
    case 'frame': {
      const { frame } = event;
      const field = (...names: readonly string[]): string => {
        const value = names.map((each) => frame[each]).find((each) => each !== undefined);
        return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
      };
      const seq = field('seq');
      const arrow = event.direction === 'out' ? '→' : '←';
      return words([
        event.observer,
        arrow,
        frame.type,
        field('status', 'state'),
        field('call_id', 'turn_id', 'message_id'),
        seq && `seq ${seq}`,
      ]);
    }
    case 'rest':
      return words([event.observer, event.method, event.path, event.status ?? 'no answer']);
    case 'decision':
      return words([event.observer, 'decides', event.decision, event.callId]);
    case 'run':
      return words([event.observer, event.what === 'begin' ? 'runs' : 'ran', event.tool, event.callId, event.error]);
    case 'effect':
      return words(['effect', event.tool, event.mark, event.what]);
    case 'model-request':
      return words(['model request', event.id, event.session]);
    case 'model-end':
      return words(['model request', event.id, event.how]);
    case 'probe':
      return words([event.target, event.path, event.status, `(${event.truth})`, event.detail]);
    case 'log':
      return words([event.process, 'wrote', event.line.slice(0, 120)]);
    case 'census':
      return words(['census:', event.keys, 'keys,', event.bytes, 'bytes']);
    case 'late':
      return words(['the machine was late by', Math.round(event.byMs), 'ms']);
    case 'queued':
      return words(['a process waited', Math.round(event.byMs), 'ms for a processor']);
    case 'note':
      return event.text;
  }
}

/** An event with all that it holds, cut where it is long. */
export const detailOf = (event: ChaosEvent): string => {
  const text = JSON.stringify(event, undefined, 1);
  return text.length <= MAX_DETAIL ? text : `${text.slice(0, MAX_DETAIL)} … ${String(text.length - MAX_DETAIL)} characters more`;
};
