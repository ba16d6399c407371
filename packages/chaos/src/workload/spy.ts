import type { ChaosEventBody, ChaosFrame } from '../recording/chaos-event.js';
import type { Recorder } from '../recording/recorder.js';
import { WireObserver } from './observer/wire-observer.js';
import { RestClient } from './rest-client.js';
import type { Owner } from './script/owners.js';

/** How often it looks, beside the beginning: what it asks for costs the gateways something. */
const LOOKS = 3;

/** Asks for what another owner has, in all ways that there are. */
export function startSpy(options: {
  readonly owner: Owner;
  /** The other's session. */
  readonly session: string;
  readonly url: string;
  readonly restUrl: string;
  readonly recorder: Recorder;
}): { close(): Promise<void> } {
  const { owner, session, url, restUrl, recorder } = options;
  const record = (event: ChaosEventBody): void => recorder.record(event);
  const name = `spy/${session}`;
  const observer = new WireObserver({
    ...{ name, role: 'thief', owner: owner.name, session, token: owner.token, url, record },
    clientId: '99999999-0000-4000-8000-000000000000',
  });
  const rest = new RestClient({ name, url: restUrl, token: owner.token, record });
  const tried = new Set<unknown>();
  const tryCall = ({ call_id, args_sha256 }: ChaosFrame): void => {
    if (tried.has(call_id)) return;
    tried.add(call_id);
    observer.send({ type: 'hitl_decision', call_id, decision: 'approve', args_sha256 });
    observer.send({ type: 'tool_result', call_id, result: { success: true, bytes_written: 0 } });
    void rest.ask('POST', `/api/v1/sessions/${session}/decisions`, { call_id, decision: 'approve', args_sha256 });
  };
  let looksLeft = LOOKS;
  const stop = recorder.listen((event) => {
    if (event.kind !== 'frame' || event.direction !== 'in' || !event.observer.endsWith(session) || event.observer === name) return;
    if (event.frame.type === 'tool_call') tryCall(event.frame);
    if (event.frame.type === 'turn_ended' || event.frame['state'] === 'waiting_approval') if (looksLeft-- > 0) look(); // now there is something to see
  });
  const look = (): void => {
    for (const path of ['', '/history', '/pending-approvals', '/tasks', '/context'])
      void rest.ask('GET', `/api/v1/sessions/${session}${path}`);
    for (const path of ['sessions', 'approvals', 'audit', 'tool-calls', 'usage', 'rules']) void rest.ask('GET', `/api/v1/${path}`);
  };
  look();
  return {
    close: () => {
      stop();
      return observer.close();
    },
  };
}
