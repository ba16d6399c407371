import { demand, type Check } from '../../check.js';
import { about, show } from '../../wire/frame.js';
import { demandCode, type GatewayStage } from '../gateway-stage.js';
import { refusalOf } from '../wire-client.js';

const WRONG = 'not-a-token-of-this-gateway';

async function demandRefusal(stage: GatewayStage, path: string, token: string | undefined, status: number): Promise<void> {
  const refusal = await refusalOf(`${stage.gateway.url}${path}`, token);
  demand(
    refusal.status === status,
    `${path.replace(stage.gateway.token, '…')} was refused with ${String(refusal.status)}, not ${String(status)}`,
  );
  const { error } = parse(refusal.body);
  const isWhole = typeof error?.code === 'string' && typeof error.message === 'string' && typeof error.retryable === 'boolean';
  demand(isWhole, `the body of the refusal is no {"error":{"code","message","retryable"}}: ${refusal.body.slice(0, 200)}`);
}

interface Refusal {
  readonly error?: { readonly code?: unknown; readonly message?: unknown; readonly retryable?: unknown };
}

const parse = (body: string): Refusal => {
  try {
    return JSON.parse(body) as Refusal;
  } catch {
    return {};
  }
};

/** The upgrade, the token, hello and welcome. */
export const DOOR_CHECKS: readonly Check<GatewayStage>[] = [
  {
    id: 'door.wrong-token',
    says: 'refuses the upgrade with 401 for a token that it does not know',
    section: 'connecting.md#the-token',
    run: (stage) => demandRefusal(stage, `/ws/${stage.session}`, WRONG, 401),
  },
  {
    id: 'door.token-in-url',
    says: 'refuses the upgrade with 400 when a token stands in the URL',
    section: 'connecting.md#the-token',
    run: (stage) => demandRefusal(stage, `/ws/${stage.session}?token=${stage.gateway.token}`, undefined, 400),
  },
  {
    id: 'door.bad-session',
    says: 'refuses the upgrade with 400 for a session_id that is no name',
    section: 'connecting.md#the-token',
    run: (stage) => demandRefusal(stage, '/ws/no%20name', stage.gateway.token, 400),
  },
  {
    id: 'door.other-path',
    says: 'refuses the upgrade with 404 on another path',
    section: 'connecting.md#the-token',
    run: (stage) => demandRefusal(stage, '/elsewhere', stage.gateway.token, 404),
  },
  {
    id: 'door.subprotocol',
    says: 'takes the token as a subprotocol, and selects codelab.v1',
    section: 'connecting.md#the-token',
    run: async (stage) => {
      const wire = await stage.connect({ way: 'subprotocol' });
      demand(wire.protocol === 'codelab.v1', `the gateway selected "${wire.protocol}"`);
    },
  },
  {
    id: 'door.auth-frame',
    says: 'takes the token as a first frame, with hello right behind it, and does not answer auth',
    section: 'connecting.md#the-token',
    run: async (stage) => {
      const wire = await stage.connect({ way: 'none' });
      wire.send({ type: 'auth', token: stage.gateway.token });
      wire.send({ type: 'hello', protocol_versions: ['2.0'], client_id: stage.session });
      const first = await wire.next('welcome', () => true);
      demand(first.type === 'welcome', `the first answer was ${show(first)}`);
    },
  },
  {
    id: 'door.auth-wrong',
    says: 'answers a wrong token in an auth frame with an error, and closes with 4500',
    section: 'connecting.md#ends',
    run: async (stage) => {
      const wire = await stage.connect({ way: 'none' });
      wire.send({ type: 'auth', token: WRONG });
      demandCode(await wire.next('an error', about('error')), 'TOKEN_INVALID');
      const { code } = await wire.ended;
      demand(code === 4500, `the connection ended with ${String(code)}`);
    },
  },
  {
    id: 'door.unauthenticated',
    says: 'handles nothing before authentication',
    section: 'connecting.md#the-token',
    run: async (stage) => {
      const wire = await stage.connect({ way: 'none' });
      wire.send({ type: 'hello', protocol_versions: ['2.0'], client_id: stage.session });
      const { code } = await wire.ended;
      demand(!wire.received.some(about('welcome')), 'hello was answered before authentication');
      demand(code >= 4500, `the connection ended with ${String(code)}, which tells the client to come back`);
    },
  },
  {
    id: 'door.welcome',
    says: 'answers hello with welcome: session, version, epoch, seq, executor, limits, and a snapshot for who resumes nothing',
    section: 'connecting.md#hello-and-welcome',
    run: async (stage) => {
      const { welcome } = await stage.join();
      const { session_id, protocol_version, epoch, seq, recovered, snapshot } = welcome;
      demand(session_id === stage.session, `welcome names the session ${String(session_id)}`);
      demand(
        protocol_version === '2.1' || protocol_version === '2.0',
        `the version is ${String(protocol_version)}: the highest that both speak counts`,
      );
      demand(typeof epoch === 'string' && epoch !== '' && Number.isInteger(seq), `epoch or seq is missing: ${show(welcome)}`);
      demand(recovered === false && typeof snapshot === 'object', 'a client that resumes nothing gets recovered: false and a snapshot');
    },
  },
  {
    id: 'door.new-session',
    says: 'gives a session of its own to who asks for /ws/new, and names it',
    section: 'connecting.md#the-address',
    run: async (stage) => {
      const [one, two] = [await stage.join({ session: 'new' }), await stage.join({ session: 'new' })];
      const names = [one.welcome['session_id'], two.welcome['session_id']];
      demand(
        names.every((name) => typeof name === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(name)),
        `the names are ${names.join(', ')}`,
      );
      demand(names[0] !== names[1] && names[0] !== 'new', 'both got the same session');
    },
  },
  {
    id: 'door.version',
    says: 'answers a hello without a common version with UNSUPPORTED_VERSION, and closes with 4502',
    section: 'connecting.md#hello-and-welcome',
    run: async (stage) => {
      const wire = await stage.connect();
      wire.send({ type: 'hello', protocol_versions: ['0.1'], client_id: stage.session });
      demandCode(await wire.next('an error', about('error')), 'UNSUPPORTED_VERSION');
      const { code } = await wire.ended;
      demand(code === 4502, `the connection ended with ${String(code)}`);
    },
  },
];
