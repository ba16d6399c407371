import { readCliConfig } from '../config.js';
import { fetchPrograms } from '../programs/fetch-programs.js';
import { needsOfChat } from '../programs/plan-programs.js';
import { chooseGateway, withUsualGateway, type GatewayOptions } from '../session/choose-gateway.js';
import type { Gateway } from '../session/gateway.js';
import { SessionApi } from '../sessions/session-api.js';

/** The gateway of the process: chosen when somebody first needs it, so that an editor learns at once who is there. */
export class AcpGateway {
  private chosen: Promise<Gateway> | undefined;
  /** All that were chosen: sessions go on with theirs after a new sign-in. */
  private readonly used: Gateway[] = [];
  private stopped = false;

  constructor(
    private readonly options: GatewayOptions,
    private readonly say: (text: string) => void,
  ) {}

  /** Throws `CommandError` with what to do; the next caller tries again. */
  get(): Promise<Gateway> {
    const choosing = (this.chosen ??= this.choose());
    choosing.catch(() => {
      if (this.chosen === choosing) this.chosen = undefined;
    });
    return choosing;
  }

  /** Looks for the token again, and whether the gateway knows it. Throws `TokenError` where it doesn't. */
  async authenticate(): Promise<void> {
    this.chosen = undefined;
    await new SessionApi(await this.get()).list(1);
  }

  /** Lets go of services that were started for this process. */
  stop(): void {
    this.stopped = true;
    for (const gateway of this.used) gateway.stop();
  }

  private async choose(): Promise<Gateway> {
    const config = readCliConfig();
    const { dataDir } = config;
    await fetchPrograms(await needsOfChat(config, withUsualGateway(this.options).url), { dataDir, say: this.say });
    const gateway = await chooseGateway(this.options, this.say);
    if (this.stopped) gateway.stop();
    this.used.push(gateway);
    return gateway;
  }
}
