import { anthropic } from './anthropic/anthropic.js';
import { OfflineUpstream } from './offline/index.js';
import { openai } from './openai/openai.js';
import { HttpUpstream } from './transport/http-upstream.js';
import type { ServerType, UpstreamType } from './upstream-type.js';

const server = (models: RegExp, type: ServerType) => ({
  ...{ models, server: type },
  open: (...configured: Parameters<UpstreamType['open']>) => new HttpUpstream(type, ...configured),
});

/** Every kind of upstream, by the name that `type` in the models file gives it. */
export const UPSTREAM_TYPES = {
  openai: server(/^(?:gpt-|chatgpt-|codex-|text-embedding-|o\d+(?:$|-))/i, openai),
  anthropic: server(/^claude-/i, anthropic),
  offline: { models: /^offline(?![a-z0-9])/i, open: () => new OfflineUpstream() },
} satisfies Record<string, UpstreamType>;

type Types = typeof UPSTREAM_TYPES;

/** The kinds that the environment and the models file configure. */
export type ServerTypeName = { [Name in keyof Types]: Types[Name] extends { server: ServerType } ? Name : never }[keyof Types];

export const SERVER_TYPE_NAMES = Object.entries(UPSTREAM_TYPES).flatMap(([name, type]) =>
  'server' in type ? [name as ServerTypeName] : [],
);

export const isServerType = (name: string): name is ServerTypeName => SERVER_TYPE_NAMES.includes(name as ServerTypeName);

/** Whose model a name is by the vendors' habits, and the name without a prefix that says so. */
export function claimedType(name: string): { readonly type?: ServerTypeName; readonly model: string } {
  const slash = name.indexOf('/');
  const prefix = name.slice(0, Math.max(0, slash)).toLowerCase();
  if (isServerType(prefix) && slash < name.length - 1) return { type: prefix, model: name.slice(slash + 1) };
  return { type: SERVER_TYPE_NAMES.find((type) => UPSTREAM_TYPES[type].models.test(name)), model: name };
}
