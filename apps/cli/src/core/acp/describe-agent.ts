import { PROTOCOL_VERSION, type AuthMethod, type ClientCapabilities, type InitializeResponse } from '@agentclientprotocol/sdk';

/** The one way to sign in that works everywhere: the token is looked for again. */
export const TOKEN_METHOD = 'codelab-token';

const AUTH_METHODS: readonly AuthMethod[] = [
  {
    id: TOKEN_METHOD,
    name: 'CodeLab token',
    description:
      'Services of this machine need none. For a gateway that --url names set CODELAB_TOKEN in the environment of the agent, or name a file ' +
      'with --token-file; the file is read again at each sign-in.',
  },
];

/** What an editor can do, as far as sessions look at it. */
export interface EditorAbilities {
  readonly reads: boolean;
  readonly writes: boolean;
  readonly terminals: boolean;
  readonly forms: boolean;
  readonly opensAddresses: boolean;
  readonly notices: boolean;
  readonly compactions: boolean;
}

/** Reads what an editor says of itself; what it does not name it can't. */
export const readAbilities = ({ fs, terminal, elicitation, session }: ClientCapabilities = {}): EditorAbilities => ({
  reads: fs?.readTextFile === true,
  writes: fs?.writeTextFile === true,
  terminals: terminal === true,
  forms: (elicitation?.form ?? undefined) !== undefined,
  opensAddresses: (elicitation?.url ?? undefined) !== undefined,
  notices: (session?.notices ?? undefined) !== undefined,
  compactions: (session?.compaction ?? undefined) !== undefined,
});

/** What this agent is and can: the answer to `initialize`, in the one version of the protocol that it speaks. */
export const describeAgent = (version: string): InitializeResponse => ({
  protocolVersion: PROTOCOL_VERSION,
  agentInfo: { name: 'codelab', title: 'CodeLab', version },
  authMethods: [...AUTH_METHODS],
  agentCapabilities: {
    loadSession: true,
    promptCapabilities: { image: true, audio: false, embeddedContext: true },
    mcpCapabilities: { http: true, sse: true },
    sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} },
  },
});
