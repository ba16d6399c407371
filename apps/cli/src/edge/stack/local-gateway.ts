import { holdStack, readStackFile, type StackRecord } from '@codelab/client/local-stack';
import type { ProviderSettings } from '../../core/stack/provider-settings.js';
import type { Gateway } from '../session/gateway.js';
import type { UsedStack } from './local-stack.js';

/** The gateway of the stack that runs on this machine, wherever that is started again: `stack.json` says where it is now. */
export class LocalGateway implements Gateway {
  readonly place = 'local';
  private stopped = false;

  constructor(
    private readonly dataDir: string,
    private used: UsedStack,
    /** Instead of the stack's own. */
    private readonly givenToken: string | undefined,
  ) {}

  get ws(): string {
    return this.gateway.ws;
  }

  get http(): string {
    return this.gateway.url;
  }

  get token(): string {
    return this.givenToken ?? this.used.record.token;
  }

  get llmProxy(): string | undefined {
    return this.used.record.proxies[0]?.url;
  }

  get settings(): ProviderSettings | undefined {
    return this.used.record.provider_settings;
  }

  async follow(): Promise<void> {
    const record = await readStackFile(this.dataDir);
    if (record === undefined || this.stopped) return;
    if (record.pid === this.used.record.pid) {
      this.used = { ...this.used, record };
      return;
    }
    const stop = await holdStack(record);
    if (stop === undefined) return;
    if (this.stopped) return stop();
    this.used.stop();
    this.used = { record, stop };
  }

  stop(): void {
    this.stopped = true;
    this.used.stop();
  }

  private get gateway(): StackRecord['gateways'][number] {
    return this.used.record.gateways[0]!; // a record without one is none: see parseStackRecord
  }
}
