import { ProtocolError, ProtocolErrorCode, type Client, type ClientCapabilities } from '@modelcontextprotocol/client';
import type { SessionOptions } from '../connection/session-options.js';
import { askModel } from './ask-model.js';
import { askPerson } from './ask-person.js';
import { RequestGate } from './request-gate.js';

type Offered = Pick<SessionOptions, 'hooks' | 'config'>;

const offersSampling = ({ hooks, config }: Offered): boolean => hooks.sample !== undefined && config.sampling === true;

/** What a server is told that it may ask for: what somebody handed in a hook for. */
export function capabilitiesOf(options: Offered): ClientCapabilities {
  const { elicit, roots } = options.hooks;
  return {
    elicitation: elicit === undefined ? undefined : { form: {}, url: {} },
    sampling: offersSampling(options) ? {} : undefined,
    roots: roots === undefined ? undefined : { listChanged: true },
  };
}

/** Answers what a server asks of us, each kind bounded in number and time. */
export function serveRequests(client: Client, options: SessionOptions): void {
  const { hooks, config, clock } = options;
  const { elicit, sample, roots } = hooks;
  if (elicit !== undefined) {
    const gate = new RequestGate(clock, 'questions');
    client.setRequestHandler('elicitation/create', (request, { mcpReq }) =>
      gate.run((signal) => askPerson(request.params, (asked) => elicit(asked, { server: config.name, signal })), mcpReq.signal),
    );
  }
  if (sample !== undefined && offersSampling(options)) {
    const gate = new RequestGate(clock, 'requests to a model');
    client.setRequestHandler('sampling/createMessage', (request, { mcpReq }) =>
      gate.run((signal) => askModel(request.params, (asked) => sample(asked, { server: config.name, signal })), mcpReq.signal),
    );
  }
  if (roots !== undefined) {
    client.setRequestHandler('roots/list', () => {
      const listed = roots().filter(({ uri }) => uri.startsWith('file://'));
      return { roots: listed.map(({ uri, name }) => (name === undefined ? { uri } : { uri, name })) };
    });
  }
  client.fallbackRequestHandler = (request) => {
    throw new ProtocolError(ProtocolErrorCode.MethodNotFound, `This client has no ${request.method.slice(0, 60)}.`);
  };
}
