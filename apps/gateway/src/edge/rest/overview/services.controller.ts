import { Controller, Get, Header, Inject, Req } from '@nestjs/common';
import type { QueueDepth, ReportedSetting, ServiceReport } from '@codelab/bus';
import type { JsonSchema } from '@codelab/protocol';
import { DescribeRoute } from '../../openapi/describe-route.js';
import { RECORDS } from '../../tokens.js';
import type { RestRequest } from '../admit-request.js';
import type { Records } from './records.js';

const text = (description: string): JsonSchema => ({ type: 'string', description });
const whole = (description: string): JsonSchema => ({ type: 'integer', description });
const listOf = (items: JsonSchema, description: string): JsonSchema => ({ type: 'array', items, description });
const object = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  ...{ type: 'object', required: Object.keys(properties).filter((name) => properties[name]!['optional'] !== true) },
  properties: Object.fromEntries(Object.entries(properties).map(([name, { optional: _, ...schema }]) => [name, schema])),
});

const HISTOGRAM = object({
  name: text('Of the metric.'),
  help: text('What it counts.'),
  buckets: listOf(
    object({ le: { type: ['number', 'null'], description: 'The bound; null: none.' }, count: whole('Observations up to it.') }),
    'Cumulative, smallest bound first.',
  ),
  sum: { type: 'number' },
  count: whole('All observations.'),
});

const SETTING = object({
  name: text('The variable.'),
  meaning: text('What it is for.'),
  value: { ...text('As it counts; never of a secret.'), optional: true },
  secret: { type: 'boolean', optional: true },
  is_set: { type: 'boolean', description: 'It has a value.' },
});

const SERVICE = object({
  service: text('`gateway`, `agent-runtime` or `llm-proxy`.'),
  replica: text('Names the process.'),
  version: text('Of the release.'),
  started_at_ms: whole('Unix time, by the clock of the process.'),
  at_ms: whole('When it said so.'),
  waiting_for: listOf(text('A part.'), 'What it waits for; empty: it is ready.'),
  numbers: { type: 'object', additionalProperties: { type: 'number' }, description: 'Gauges and counters, added up over their labels.' },
  histograms: listOf(HISTOGRAM, 'Added up over their labels.'),
  settings: { ...listOf(SETTING, 'What the process was started with. Needs the scope operate.'), optional: true },
});

const QUEUE = object({
  queue: { type: 'string', enum: ['sessions', 'models'] },
  shard: whole('Which part.'),
  depth: whole('Sessions with work or a deadline to come; model requests that wait or run.'),
  waiting: whole('Of these: sessions whose time has come; requests that nobody has taken.'),
  lag_ms: whole('How long the oldest of them has waited.'),
});

/** How the services are: numbers of whole processes, and nothing of anybody's sessions (S1). What they were set to is for those who run them. */
@Controller('api/v1/services')
export class ServicesController {
  constructor(@Inject(RECORDS) private readonly records: Records) {}

  @Get()
  @Header('cache-control', 'no-store')
  @DescribeRoute({
    summary:
      'The processes that run, as they said within the last 15 s, with their settings where the token has the scope operate; and how much work waits.',
    response: {
      status: 200,
      description: 'Processes by service and age; parts of queues in which something is.',
      schema: object({ services: listOf(SERVICE, 'Processes.'), queues: listOf(QUEUE, 'Parts of queues.') }),
    },
  })
  async read(@Req() { identity }: RestRequest) {
    const [services, queues] = await Promise.all([this.records.serviceReports.read(), this.records.serviceReports.readQueues()]);
    return { services: services.map((report) => present(report, identity.scopes.includes('operate'))), queues: queues.map(presentQueue) };
  }
}

const present = (
  { service, replica, version, startedAtMs, atMs, waitingFor, numbers, histograms, settings }: ServiceReport,
  mayOperate: boolean,
) => ({
  ...{ service, replica, version, started_at_ms: startedAtMs, at_ms: atMs, waiting_for: waitingFor, numbers, histograms },
  ...(mayOperate ? { settings: settings.map(presentSetting) } : {}),
});

const presentSetting = ({ isSet, ...setting }: ReportedSetting) => ({ ...setting, is_set: isSet });

const presentQueue = ({ queue, shard, depth, waiting, lagMs }: QueueDepth) => ({ queue, shard, depth, waiting, lag_ms: lagMs });
