import type { Clock } from '@codelab/clock';
import type { CreateMessageRequestParams, CreateMessageResult, ElicitResult } from '@modelcontextprotocol/client';
import type { OAuthStore } from '../oauth/oauth-store.js';

/** What a server asks a person: to fill in a form (`schema`: an object of strings, numbers, booleans and choices), or to open a URL. */
export type Elicitation =
  | { readonly mode: 'form'; readonly message: string; readonly schema: Readonly<Record<string, unknown>> }
  | { readonly mode: 'url'; readonly message: string; readonly url: string; readonly id: string };

/** Who asks, and until when it is of use. */
export interface ServerRequest {
  /** The server's name in the configuration. */
  readonly server: string;
  /** Aborted when the server takes it back, its connection ends, or time is up (10 minutes). */
  readonly signal: AbortSignal;
}

/** A folder that servers are told to work in. */
export interface McpRoot {
  /** A `file:` URI. */
  readonly uri: string;
  readonly name?: string;
}

/** Something worth a line in a log; texts of servers are cleaned and cut. */
export interface McpLogEvent {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly server: string;
  /** `log`: the server's own log message · the others: what happened to the connection. */
  readonly kind: 'log' | 'connected' | 'failed' | 'closed' | 'protocol';
  readonly message: string;
}

/** What the manager asks of whoever uses it. A hook that is absent is a capability that no server is offered. */
export interface McpHooks {
  /** Asks the person. The answer to a form is checked against its schema before it is sent. One at a time per server, at most 20 a minute. */
  readonly elicit?: (request: Elicitation, from: ServerRequest) => Promise<ElicitResult>;
  /** Lets a model answer. The hook asks the person first. One at a time per server, at most 20 a minute. */
  readonly sample?: (request: CreateMessageRequestParams, from: ServerRequest) => Promise<CreateMessageResult>;
  /** The folders as they are now; call {@link McpServers.rootsChanged} when they change. */
  readonly roots?: () => readonly McpRoot[];
  readonly log?: (event: McpLogEvent) => void;
  /** Shows a login page. Absent: {@link McpServers.login} is refused. */
  readonly openBrowser?: (url: string, server: string) => void | Promise<void>;
  /** Where logins are kept; absent: in memory. */
  readonly tokenStore?: OAuthStore;
  /** For every request to remote servers and their authorization servers; absent: that of Node. */
  readonly fetch?: typeof globalThis.fetch;
  /** Absent: the time of this machine. */
  readonly clock?: Clock;
}
