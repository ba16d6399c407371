import { letsRun, type ApprovalOutcome, type CallEvidence, type Idempotency, type StoredCallState } from './call.js';

/** Why something does not happen to a call. `NOT_OPEN`: it is not in a state for it; nothing is answered to anybody. */
export type CallRefusal =
  | 'UNKNOWN_CALL'
  | 'ALREADY_RESOLVED'
  | 'DUPLICATE'
  | 'NOT_OPEN'
  | 'FORBIDDEN'
  | 'STALE'
  | 'INVALID_FIELD'
  | 'EXPIRED'
  | 'DIGEST_MISMATCH';

/** Everything that can happen to a call. `give_up`: it is closed without a word of an executor, which may still come. */
export const CALL_EVENTS = [
  ...(['ask', 'send', 'approve', 'refuse', 'settle', 'ask_again', 'reassign', 'close', 'give_up'] as const),
  ...(['give', 'acknowledge', 'preview', 'journal'] as const),
] as const;
export type CallEventKind = (typeof CALL_EVENTS)[number];

type Row = Readonly<Record<CallEventKind, StoredCallState | CallRefusal>>;

const OVER = {
  ...{ ask: 'NOT_OPEN', send: 'NOT_OPEN', ask_again: 'NOT_OPEN', reassign: 'NOT_OPEN', close: 'NOT_OPEN', give_up: 'NOT_OPEN' },
  ...{ give: 'NOT_OPEN', acknowledge: 'NOT_OPEN', preview: 'NOT_OPEN', journal: 'NOT_OPEN' },
  ...{ approve: 'ALREADY_RESOLVED', refuse: 'ALREADY_RESOLVED', settle: 'DUPLICATE' },
} as const satisfies Row;

/**
 * The lifecycle of a call: state × event → state, or why not. `absent` is a call that nobody has heard of. The scripts of the store and
 * its memory twin are tested against it; who may do what, and until when, is in `changeCall`.
 */
export const CALL_TRANSITIONS: Readonly<Record<StoredCallState | 'absent', Row>> = {
  absent: {
    ...{ ...OVER, ask: 'waiting_approval', send: 'ready', close: 'closed', give_up: 'synthetic', journal: 'foreign' },
    ...{ approve: 'UNKNOWN_CALL', refuse: 'UNKNOWN_CALL', settle: 'UNKNOWN_CALL' },
  },
  waiting_approval: {
    ...{ ...OVER, approve: 'ready', refuse: 'refused', settle: 'answered', ask_again: 'waiting_approval', close: 'closed' },
    ...{ reassign: 'waiting_approval', give: 'waiting_approval', acknowledge: 'waiting_approval', preview: 'waiting_approval' },
    ...{ give_up: 'synthetic', journal: 'waiting_approval' },
  },
  ready: {
    ...{ ...OVER, settle: 'answered', ask_again: 'waiting_approval', reassign: 'ready', close: 'closed', give_up: 'synthetic' },
    ...{ give: 'ready', acknowledge: 'ready', journal: 'ready' },
  },
  answered: { ...OVER, ask_again: 'waiting_approval', close: 'closed', give_up: 'synthetic' },
  refused: { ...OVER, ask_again: 'waiting_approval', close: 'closed', give_up: 'closed' },
  closed: OVER,
  synthetic: { ...OVER, settle: 'closed' },
  // A store that was set back had forgotten it, and its turn comes to it again.
  foreign: { ...OVER, ask: 'waiting_approval', send: 'ready', approve: 'UNKNOWN_CALL', refuse: 'UNKNOWN_CALL', settle: 'UNKNOWN_CALL' },
};

/** What of a call decides about what may happen to it. */
export interface StoredCall {
  readonly state: StoredCallState;
  readonly fence: number;
  /** To whom it was written, and to whom before it was reassigned; '' for nobody. */
  readonly givenTo: string;
  readonly givenBefore: string;
  readonly idempotency: Idempotency;
  readonly argsSha256: string;
  /** How often it was asked about, if it was: the number of the question that stands. */
  readonly question: number;
  /** 0: never. */
  readonly expiresAtMs: number;
  readonly progress: CallEvidence | '';
  /** A `synthetic` call whose made-up result no model has seen yet: a true result can still replace it. */
  readonly isUnseen: boolean;
}

/** What of its session does. */
export interface CallSession {
  /** `client_id`, `seed` for a client without identity, '' for none. */
  readonly executor: string;
  /** Approvals are decided by `hitl_decision` only, also for seed clients. */
  readonly serverSideDecisions: boolean;
  readonly nowMs: number;
}

/** Something that happens to a call. `clientId` is '' for a client without identity. */
export type CallEvent =
  | { readonly kind: 'open'; readonly call: Omit<StoredCall, 'givenBefore' | 'progress' | 'isUnseen' | 'question'> }
  /** `decidedOn` and `question`: the arguments and the question that the decider saw, if they name them. */
  | {
      readonly kind: 'decide';
      readonly outcome: ApprovalOutcome;
      readonly decidedOn?: string;
      readonly question?: number;
      readonly argsSha256: string;
    }
  /** `previewFailed`: it says of a call that nobody has decided that it can't be done; nothing was run. */
  | { readonly kind: 'settle'; readonly clientId: string; readonly fence?: number; readonly previewFailed?: boolean }
  | { readonly kind: 'ask_again'; readonly argsSha256: string; readonly question: number; readonly expiresAtMs: number }
  | { readonly kind: 'reassign'; readonly fence: number }
  | { readonly kind: 'close'; readonly synthetic: boolean }
  | { readonly kind: 'give'; readonly to: string; readonly fence: number }
  | { readonly kind: 'acknowledge'; readonly clientId: string; readonly fence: number; readonly evidence: CallEvidence }
  | { readonly kind: 'preview'; readonly clientId: string }
  /** The journal of the executor names it. */
  | { readonly kind: 'journal' };

/** What became of a call, or why nothing did. */
export type CallStep = { readonly ok: true; readonly call: StoredCall } | { readonly ok: false; readonly code: CallRefusal };

const SEED = 'seed';

/** Whether a name is that of a client without identity: `seed`, or `seed:<connection>`. */
export const isSeedName = (name: string): boolean => name === SEED || name.startsWith(`${SEED}:`);

/** Who gives a call may not have heard yet that another executes. Of clients without identity each may. */
const executes = ({ executor }: CallSession, name: string): boolean => name === executor || isSeedName(name);

/** Whether a client answers for a call: the one it was given to, else the executor. */
export function answersFor(call: Pick<StoredCall, 'givenTo'>, clientId: string, { executor }: Pick<CallSession, 'executor'>): boolean {
  const owner = call.givenTo === '' ? executor : call.givenTo;
  return clientId === '' ? owner === '' || isSeedName(owner) : owner === clientId;
}

/** Whether a call may be written to a client: it is nobody's, or its own; a safe one goes from one seed client to another. */
export const mayBeGiven = ({ givenTo, idempotency }: Pick<StoredCall, 'givenTo' | 'idempotency'>, to: string): boolean =>
  givenTo === '' || givenTo === to || (idempotency === 'safe' && isSeedName(givenTo) && isSeedName(to));

const kindOf = (event: CallEvent, call: StoredCall | undefined, { executor }: CallSession): CallEventKind => {
  if (event.kind === 'open') return event.call.state === 'ready' ? 'send' : 'ask';
  if (event.kind === 'decide') return letsRun(event.outcome) ? 'approve' : 'refuse';
  if (event.kind !== 'close' || !event.synthetic) return event.kind;
  // Whoever asks first has not run what is undecided; a seed client, which decides by answering, may have.
  return call?.state === 'waiting_approval' && !isSeedName(executor) ? 'close' : 'give_up';
};

/** Why this one may not, or not any more, do to a call what could be done to it. */
const guard = (call: StoredCall, event: CallEvent, session: CallSession): CallRefusal | undefined => {
  switch (event.kind) {
    case 'settle':
      return guardResult(call, event, session);
    case 'decide': {
      const isExpired = call.expiresAtMs > 0 && session.nowMs >= call.expiresAtMs;
      if (isExpired && event.outcome !== 'expired' && event.outcome !== 'cancelled') return 'EXPIRED';
      const { decidedOn = call.argsSha256, question = call.question } = event;
      return decidedOn === call.argsSha256 && question === call.question ? undefined : 'DIGEST_MISMATCH';
    }
    case 'give':
      return event.fence === call.fence && executes(session, event.to) && mayBeGiven(call, event.to) ? undefined : 'NOT_OPEN';
    case 'acknowledge':
      return event.fence === call.fence && answersFor(call, event.clientId, session) ? undefined : 'NOT_OPEN';
    case 'preview':
      return answersFor(call, event.clientId, session) ? undefined : 'NOT_OPEN';
    case 'open':
    case 'ask_again':
    case 'reassign':
    case 'close':
    case 'journal':
      return undefined;
  }
};

const guardResult = (
  call: StoredCall,
  { clientId, fence = call.fence, previewFailed = false }: Extract<CallEvent, { kind: 'settle' }>,
  session: CallSession,
): CallRefusal | undefined => {
  if (fence < call.fence) {
    if (call.givenTo !== '') return 'STALE';
    if (call.givenBefore !== clientId) return 'FORBIDDEN';
  } else {
    if (!answersFor(call, clientId, session)) return 'FORBIDDEN';
    if (fence > call.fence) return 'INVALID_FIELD';
  }
  const decides = call.state === 'waiting_approval' && !previewFailed; // which only a seed client does by answering (H3)
  return decides && (clientId !== '' || session.serverSideDecisions) ? 'FORBIDDEN' : undefined;
};

/** Refusals that come before any question of who and when. */
const FIRST: ReadonlySet<string> = new Set(['UNKNOWN_CALL', 'ALREADY_RESOLVED', 'NOT_OPEN']);
const REFUSALS: ReadonlySet<string> = new Set([...FIRST, 'DUPLICATE']);

/** What an event makes of a call: the table's word, where nothing about who and when speaks against it. Pure. */
export function changeCall(call: StoredCall | undefined, event: CallEvent, session: CallSession): CallStep {
  const entry = CALL_TRANSITIONS[call?.state ?? 'absent'][kindOf(event, call, session)];
  const refusal = FIRST.has(entry) || call === undefined ? undefined : guard(call, event, session);
  if (refusal !== undefined || REFUSALS.has(entry)) return { ok: false, code: refusal ?? (entry as CallRefusal) };
  return {
    ok: true,
    call: { ...(call ?? UNHEARD_OF), ...changesOf(event, call), state: entry as StoredCallState, isUnseen: entry === 'synthetic' },
  };
}

const UNHEARD_OF: Omit<StoredCall, 'state'> = {
  ...{ fence: 0, givenTo: '', givenBefore: '', idempotency: 'unsafe', argsSha256: '', question: 1, expiresAtMs: 0, progress: '' },
  isUnseen: false,
};

const changesOf = (event: CallEvent, call: StoredCall | undefined): Partial<StoredCall> => {
  switch (event.kind) {
    case 'open':
      return event.call;
    case 'decide':
      return { argsSha256: event.argsSha256 };
    case 'ask_again': {
      const { argsSha256, question, expiresAtMs } = event;
      return { argsSha256, question, expiresAtMs, progress: '', givenTo: '' };
    }
    case 'reassign':
      return { fence: event.fence, givenBefore: call?.givenTo, givenTo: '', progress: '' };
    case 'give':
      return { givenTo: event.to };
    case 'acknowledge':
      return call?.progress === 'started' ? {} : { progress: event.evidence };
    case 'close':
    case 'settle':
    case 'preview':
    case 'journal':
      return {};
  }
};
