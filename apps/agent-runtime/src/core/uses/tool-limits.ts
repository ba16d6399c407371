/** What an operator allows of one tool (seed `001…`: `maxExecutions`, `timeout`). */
export interface ToolLimit {
  /** Uses of one turn; more are refused. */
  readonly maxExecutions?: number;
  /** How long each call of it may take, in milliseconds, instead of the time that the tool has by itself. */
  readonly timeoutMs?: number;
}

/** Limits by the name of a tool: a canonical one, or one of a vocabulary. */
export type ToolLimits = ReadonlyMap<string, ToolLimit>;

/** `run_command=20/120000, WebFetch=5, task=/900000`: uses of a turn, and after the slash milliseconds. */
export const TOOL_LIMITS = /^(?:\s*[\w.-]{1,64}=(?:[1-9]\d{0,5})?(?:\/[1-9]\d{4,7})?\s*(?:,(?!\s*$)|$))*$/;

/** The limits of a text that {@link TOOL_LIMITS} matches. */
export function readToolLimits(text: string): ToolLimits {
  const entries = text.split(',').filter((entry) => entry.trim() !== '');
  return new Map(
    entries.map((entry) => {
      const [, name = '', uses = '', ms = ''] = /^\s*([^=]+)=(\d*)(?:\/(\d+))?/.exec(entry) ?? [];
      return [name, { maxExecutions: Number(uses) || undefined, timeoutMs: Number(ms) || undefined }];
    }),
  );
}

/** The limit of a tool by the first of its names that has one. */
export function limitOf(limits: ToolLimits | undefined, names: readonly string[]): (ToolLimit & { readonly name: string }) | undefined {
  const name = names.find((each) => limits?.has(each));
  return name === undefined ? undefined : { name, ...limits?.get(name) };
}
