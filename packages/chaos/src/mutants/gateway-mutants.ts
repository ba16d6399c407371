import { plantedIn } from './mutant.js';

/** Faults of the gateway. */
export const GATEWAY_MUTANTS = plantedIn('gateway', [
  {
    name: 'owner-not-in-name',
    promise: 'S1',
    fault: 'the name of a session says nothing of its owner',
    find: '${owner.sub}\\0${sessionId}`',
    replace: '\\0${sessionId}`',
  },
  {
    name: 'always-ready',
    promise: 'ready',
    fault: '/ready says yes whatever it waits for',
    find: 'response.status(ready ? 200 : 503)',
    replace: 'response.status(200)',
    shownBy: { faults: ['outage'] },
  },
  {
    name: 'gap-not-filled',
    promise: 'G3',
    fault: 'what the store says of the log is not compared with what was sent',
    find: 'this.isBehind && epoch === this.position.epoch && seq === (this.waiting.at(-1)?.seq ?? this.position.seq)',
    replace: 'this.isBehind',
  },
  {
    name: 'resume-repeats',
    promise: 'G3',
    fault: 'a client that comes back is sent a frame that it had',
    find: 'this.follower.start(resume, {',
    replace:
      'this.stream.seek({ ...resume, seq: Math.max(0, resume.seq - 1) }); this.follower.start({ ...resume, seq: Math.max(0, resume.seq - 1) }, {',
  },
  {
    name: 'secrets-stored',
    promise: 'L1',
    fault: 'secrets in results are not masked',
    find: 'maskSecretsInJson(result.text, allowed).text',
    replace: 'result.text',
  },
  {
    name: 'repeat-accepted',
    promise: 'R2',
    fault: 'a result that is sent again is said to be taken',
    find: 'outcome: settled.outcome\n',
    replace: 'outcome: settled.outcome === "duplicate" ? "accepted" : settled.outcome\n',
  },
  {
    name: 'token-in-log',
    promise: 'secret',
    fault: 'a log line holds the token of a client',
    find: 'const full = this.state.claim?.(identity.owner);',
    replace:
      'this.ports.logger.info({ event: "connection.admitted", first: JSON.stringify(frame) });\n\t\tconst full = this.state.claim?.(identity.owner);',
  },
]);
