import type { InspectedNode, InspectedService } from '@codelab/bus';
import type { Finding } from '../findings.js';
import { list, right, seconds } from './words.js';

/** Beyond it deadlines and leases go wrong by as much. */
const CLOCK_MS = 1_000;
/** A stack lacks what it has none of. */
const NEEDED = ['gateway', 'agent-runtime', 'llm-proxy'];

/** What a service answered to `/ready`; `status` is absent where it answered nothing. */
export interface Probe {
  readonly url: string;
  readonly status?: number;
  readonly waitingFor?: readonly string[];
  readonly problem?: string;
}

const nameOf = ({ service, replica }: InspectedService): string => `${service} ${replica}`;

/** Whether each service has replicas that are ready, as they report. */
export function judgeServices(services: readonly InspectedService[]): readonly Finding[] {
  return NEEDED.map((name) => {
    const replicas = services.filter(({ service }) => service === name);
    const waiting = replicas.filter(({ waitingFor }) => waitingFor.length > 0);
    if (replicas.length === 0)
      return {
        state: 'wrong',
        subject: name,
        found: 'none has reported for 15 s',
        remedy: `start one with this REDIS_URL, or look at its log: \`kubectl logs\`, \`docker compose logs ${name}\``,
      };
    if (waiting.length === 0) return right(name, `${replicas.length} ready`);
    const found = list(waiting.map((one) => `${nameOf(one)} waits for ${one.waitingFor.join(', ')}`));
    return {
      state: waiting.length === replicas.length ? 'wrong' : 'note',
      subject: name,
      found,
      remedy: 'its /ready says why; nothing is sent to it meanwhile',
    };
  });
}

/** Whether a service answers when it is asked from here. */
export function judgeProbe({ url, status, waitingFor = [], problem }: Probe): Finding {
  if (status === 200) return right(url, 'ready');
  if (status === undefined)
    return {
      state: 'wrong',
      subject: url,
      found: `no answer (${problem ?? 'unknown'})`,
      remedy: 'see whether the process runs and whether this machine may reach it',
    };
  return {
    state: 'wrong',
    subject: url,
    found: `not ready (${status})${waitingFor.length > 0 ? `: it waits for ${waitingFor.join(', ')}` : ''}`,
    remedy: 'GET /ready says why',
  };
}

/** Whether all are of one release. */
export function judgeVersions(services: readonly InspectedService[]): Finding {
  const subject = 'versions';
  const versions = [...new Set(services.map(({ version }) => version))];
  if (versions.length <= 1) return right(subject, versions[0] ?? 'nobody says one');
  const found = versions.map((version) => `${version}: ${list(services.filter((one) => one.version === version).map(nameOf))}`).join(' · ');
  return { state: 'note', subject, found, remedy: 'finish the rolling restart: llm-proxy, then agent-runtime, then gateway' };
}

/** Replicas of a service that are set differently behave by chance. What names a process is its own. */
const OWN = /^(?:HOST|\w+_PORT|CODELAB_DATA_DIR|XDG_\w+|OTEL_\w+)$/;

export function judgeSettings(services: readonly InspectedService[]): readonly Finding[] {
  const differing = NEEDED.flatMap((name) => {
    const replicas = services.filter(({ service }) => service === name);
    const values = new Map<string, Set<string>>();
    for (const { settings } of replicas) {
      for (const { name: setting, value, isSet } of settings) {
        values.set(setting, (values.get(setting) ?? new Set()).add(value ?? (isSet ? 'set' : 'unset')));
      }
    }
    return [...values].filter(([setting, different]) => different.size > 1 && !OWN.test(setting)).map(([setting]) => `${name} ${setting}`);
  });
  if (differing.length === 0) return [];
  return [
    {
      state: 'note',
      subject: 'settings',
      found: `replicas differ in ${list(differing)}`,
      remedy: 'give all replicas of a service the same settings, and restart them',
    },
  ];
}

/** Whether clocks go alike. */
export function judgeClocks(services: readonly InspectedService[], nodes: readonly InspectedNode[]): Finding {
  const subject = 'clocks';
  const all = [
    ...services.map((one) => ({ name: nameOf(one), ms: one.clockMs ?? 0 })),
    ...nodes.map(({ address, clockMs }) => ({ name: `this machine and Redis ${address}`, ms: clockMs })),
  ];
  const wrong = all.filter(({ ms }) => Math.abs(ms) > CLOCK_MS);
  const most = Math.max(0, ...all.map(({ ms }) => Math.abs(ms)));
  if (wrong.length === 0) return right(subject, `${Math.round(most)} ms apart at most`);
  const found = list(wrong.map(({ name, ms }) => `${name}: ${seconds(ms)}`));
  return {
    state: 'wrong',
    subject,
    found,
    remedy: 'set these clocks by NTP (chronyc tracking, timedatectl): deadlines, tokens and approvals end at the wrong time',
  };
}
