import type { Refusal } from '@codelab/protocol';
import { encodeRefusal, encodeServerFrame } from '../delivery/encode-server-frame.js';
import type { GatewayPorts } from '../gateway-ports.js';
import type { Outcome } from '../handlers/outcome.js';
import type { Outbox } from '../outbox/outbox.js';

/** What one client is told of its own frames. */
export class Replies {
  private allowance: Allowance | undefined = undefined;

  constructor(
    private readonly ports: Pick<GatewayPorts, 'steady' | 'limits' | 'stats'>,
    private readonly outbox: Outbox,
    private readonly owner: { close(name: 'ABUSE'): void },
  ) {}

  refuse(refusal: Refusal): void {
    this.ports.stats.refusals.add(refusal.code);
    this.ports.stats.framesSent.add('error');
    this.outbox.answer(encodeRefusal(refusal));
  }

  /** Refuses what is no frame; too many of these are abuse. */
  refuseBad(refusal: Refusal): void {
    const { steady, limits } = this.ports;
    this.allowance ??= new Allowance(limits.badFrames, limits.badFrameRefillMs, steady.now());
    this.refuse(refusal);
    if (!this.allowance.take(steady.now())) this.owner.close('ABUSE');
  }

  /** @param saidHello a seed client knows no answers but refusals */
  answer(outcome: Outcome, saidHello: boolean): void {
    if (!outcome.ok) return this.refuse(outcome);
    if (outcome.answer.kind !== 'frame' || !saidHello) return;
    this.ports.stats.framesSent.add(outcome.answer.frame.type);
    this.outbox.answer(encodeServerFrame(outcome.answer.frame));
  }
}

/** So many at once, and one more each interval: what a connection may get wrong before that is abuse. */
class Allowance {
  private left: number;
  private countedAtMs: number;

  constructor(
    private readonly most: number,
    private readonly refillMs: number,
    nowMs: number,
  ) {
    this.left = most;
    this.countedAtMs = nowMs;
  }

  /** Takes one. `false`: there is none left. */
  take(nowMs: number): boolean {
    this.left = Math.min(this.most, this.left + (nowMs - this.countedAtMs) / this.refillMs);
    this.countedAtMs = nowMs;
    this.left -= 1;
    return this.left >= 0;
  }
}
