import type { InspectedCluster, InspectedSentinels, SilentServer, StoreInspection } from '@codelab/bus';
import type { Finding } from '../findings.js';
import { judgeNode } from './judge-node.js';
import { list, right } from './words.js';

/** The servers of the store: each that answers, each that does not, and how they hang together. */
export function judgeServers({ nodes, silent, sentinels, cluster }: StoreInspection): readonly Finding[] {
  const isOneOfMany = nodes.length + silent.length > 1;
  return [
    ...nodes.flatMap((node) => judgeNode(node, isOneOfMany)),
    ...silent.map((server) => judgeSilent('Redis', server)),
    ...(sentinels === undefined ? [] : judgeSentinels(sentinels, nodes.length + silent.length)),
    ...(cluster === undefined ? [] : judgeCluster(cluster)),
  ];
}

const judgeSilent = (kind: string, { address, problem }: SilentServer): Finding => ({
  state: 'wrong',
  subject: `${kind} ${address}`,
  found: `no answer (${problem})`,
  remedy: 'see that it runs, that this machine may reach it, and that user and password in the address are right',
});

function judgeSentinels({ answering, silent, quorum, problem }: InspectedSentinels, servers: number): readonly Finding[] {
  const subject = 'Redis sentinels';
  const count = `${answering.length} ${answering.length === 1 ? 'answers' : 'answer'}, quorum ${quorum ?? 'unknown'}`;
  const agreement: Finding =
    problem === undefined
      ? right(subject, `${count}: a failover can be agreed on`)
      : {
          state: 'wrong',
          subject,
          found: `${count}: no failover can be agreed on (${problem})`,
          remedy: 'start the sentinels that are missing; SENTINEL RESET <name> forgets those that are gone for good',
        };
  const alone: readonly Finding[] =
    servers > 1
      ? []
      : [
          {
            state: 'note',
            subject: 'Redis replication',
            found: 'the master has no replica: no server can take over from it',
            remedy: 'start a replica with REPLICAOF <master> <port>: sentinels find it by themselves',
          },
        ];
  return [agreement, ...silent.map((one) => judgeSilent('Redis sentinel', one)), ...alone];
}

function judgeCluster({ failing, uncoveredSlots, withoutReplica }: InspectedCluster): readonly Finding[] {
  const subject = 'Redis cluster';
  const found: Finding[] = [];
  if (failing.length > 0)
    found.push({
      state: 'wrong',
      subject,
      found: `cluster_state is fail, say ${list(failing)}: commands are refused there`,
      remedy:
        'start the nodes that do not answer, and see that the nodes reach each other on their bus ports: CLUSTER NODES names the links',
    });
  if (uncoveredSlots > 0)
    found.push({
      state: 'wrong',
      subject,
      found: `${uncoveredSlots} of 16384 slots have no server: what is stored there can not be reached`,
      remedy: 'start their master; where it is gone for good, redis-cli --cluster fix gives its slots to others, without what it held',
    });
  if (withoutReplica.length > 0)
    found.push({
      state: 'note',
      subject,
      found: `no replica of ${list(withoutReplica)}: no server can take over`,
      remedy: 'redis-cli --cluster add-node <new> <any node> --cluster-slave --cluster-master-id <id>',
    });
  return found.length > 0 ? found : [right(subject, 'every slot has a master, and each of them a replica')];
}
