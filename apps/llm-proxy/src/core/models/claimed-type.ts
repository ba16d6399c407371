/** The two kinds of servers whose models are known by their names. */
export type VendorType = 'openai' | 'anthropic';

const CLAIMS: readonly (readonly [pattern: RegExp, type: VendorType])[] = [
  [/^openai\/(?=.)/i, 'openai'],
  [/^anthropic\/(?=.)/i, 'anthropic'],
];

const NAMES: readonly (readonly [pattern: RegExp, type: VendorType])[] = [
  [/^(?:gpt-|chatgpt-|codex-|o\d+(?:$|-))/i, 'openai'],
  [/^claude-/i, 'anthropic'],
];

/** Whose model a name is by the vendors' habits, and the name without a prefix that says so. */
export function claimedType(name: string): { readonly type?: VendorType; readonly model: string } {
  for (const [pattern, type] of CLAIMS) if (pattern.test(name)) return { type, model: name.replace(pattern, '') };
  for (const [pattern, type] of NAMES) if (pattern.test(name)) return { type, model: name };
  return { model: name };
}
