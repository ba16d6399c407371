import { sessionRef, type SessionRef } from '@codelab/bus';
import { connectBus, type Bus } from '@codelab/bus/redis';
import type { GatewayConfig } from '../config.js';
import { askRest, type Ask, type Reply } from './ask-rest.js';
import { FrameClient, hello } from './frame-client.js';
import { Opened } from './opened.js';
import { PuppetRuntime } from './puppet-runtime.js';
import { startGateway, whenReady, type TestGateway } from './start-gateway.js';

/** What is special about the gateways of a file. */
export interface GatewaySetting {
  readonly gateway?: Partial<GatewayConfig>;
  /** A second one on the same Redis; without this there is none. */
  readonly other?: Partial<GatewayConfig>;
  /** What each `hello` of `join` says, unless its test says otherwise. */
  readonly hello?: object;
}

/** As much of a Redis of testkit as is needed here. */
export interface RedisOfTests {
  readonly url: string;
  close(): Promise<void>;
}

/** Gateways, their Redis, and what is at both of their ends: clients, and a bus with a runtime. They are there from `start` on. */
export class GatewayFixture<R extends RedisOfTests, O> {
  redis!: R;
  bus!: Bus;
  runtime!: PuppetRuntime;
  gateway!: TestGateway;
  private second: TestGateway | undefined;
  private sessions = 0;
  private readonly ofFile = new Opened();
  private readonly ofTest = new Opened();

  constructor(
    private readonly startRedis: (options?: O) => Promise<R>,
    private readonly setting: GatewaySetting,
  ) {}

  async start(): Promise<void> {
    this.redis = await this.openRedis(this.ofFile);
    const bus = await connectBus({ url: this.redis.url, signal: AbortSignal.timeout(45_000) });
    this.bus = this.ofFile.keep(bus, () => bus.close());
    this.runtime = new PuppetRuntime(bus.store);
    this.gateway = await this.openGateway(this.ofFile, this.setting.gateway);
    if (this.setting.other !== undefined) this.second = await this.openGateway(this.ofFile, this.setting.other);
  }

  get other(): TestGateway {
    if (this.second === undefined) throw new Error('this file asked for one gateway only');
    return this.second;
  }

  /** A session of alice that no other test of the file knows; it begins to exist when somebody joins it. */
  readonly newSession = (): SessionRef => sessionRef({ tenant: 'acme', sub: 'alice' }, `session-${String((this.sessions += 1))}`);

  /** A client that has said nothing yet. */
  readonly connect = async ({ sessionId }: { sessionId: string }, gateway = this.gateway, token = 'alice-token'): Promise<FrameClient> =>
    this.keep(await FrameClient.connect(`${gateway.ws}/${sessionId}`, token));

  /** A client of alice that said hello and was welcomed. */
  readonly join = async (session = this.newSession(), clientId = 'c1', fields: object = {}, gateway = this.gateway): Promise<FrameClient> => {
    const client = await this.connect(session, gateway);
    client.send(hello(clientId, { ...this.setting.hello, ...fields }));
    await client.next('welcome');
    return client;
  };

  /** Asks the REST of `gateway`. */
  readonly ask = (method: string, path: string, asked?: Ask): Promise<Reply> => askRest(this.gateway, method, path, asked);

  /** One more gateway for the test that runs, ready; on the Redis of the file, unless `redisUrl` names another. */
  readonly another = (overrides?: Partial<GatewayConfig>): Promise<TestGateway> => this.openGateway(this.ofTest, overrides);

  /** One more Redis for the test that runs. */
  readonly anotherRedis = (options?: O): Promise<R> => this.openRedis(this.ofTest, options);

  /** Has a client that a test connected by itself closed with the others. */
  readonly keep = (client: FrameClient): FrameClient => this.ofTest.keep(client, () => client.close());

  /** Closes what the test that runs opened so far. */
  readonly closeOpened = (): Promise<void> => this.ofTest.close();
  readonly close = (): Promise<void> => this.ofFile.close();

  private async openRedis(until: Opened, options?: O): Promise<R> {
    return until.keep(await this.startRedis(options), (redis) => redis.close());
  }

  private async openGateway(until: Opened, overrides?: Partial<GatewayConfig>): Promise<TestGateway> {
    return whenReady(until.keep(await startGateway(this.redis.url, overrides), (gateway) => gateway.stop()));
  }
}
