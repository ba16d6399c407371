import { Choice, Digest, Flag, Integer, Nested, NestedList, Text, TextList } from '../fields.js';
import { LIMITS } from '../limits.js';

/** A file that a rule is bound to: the rule counts only while the file has this content. */
export class BoundFile {
  @Text('The path in the workspace.', { min: 1, max: LIMITS.MAX_PATH_CHARACTERS }) path!: string;
  @Digest('Lower-case hex SHA-256 of the content; left out in a proposal: it is taken from the preview of the call decided on.', {
    optional: true,
  })
  sha256?: string;
}

/** What a human decided once for calls to come: `deny` beats `ask` beats `allow` (docs/specification/policy.md#rules). */
export class Rule {
  @Choice(
    'What becomes of a call that it is about; without, what was decided: `allow` after an approval, `deny` after a rejection.',
    ['allow', 'ask', 'deny'],
    {
      optional: true,
    },
  )
  effect?: 'allow' | 'ask' | 'deny';
  @Text('A tool by its name, `*` for every tool, or for tools from outside the beginning of their names and `*`: `mcp__github__*`.', {
    min: 1,
    max: 128,
  })
  tool!: string;
  @Text('A glob on the paths of the call: `*` and `?` within a segment, `**` over segments.', {
    optional: true,
    min: 1,
    max: LIMITS.MAX_PATH_CHARACTERS,
  })
  path?: string;
  @Text('Of `web.fetch`: the host of the address, or `*.example.com` for every host below one.', { optional: true, min: 1, max: 253 })
  host?: string;
  @TextList('The first words of a command: each command of the call, without its wrappers, must begin with them.', {
    optional: true,
    maxItems: 64,
  })
  command?: string[];
  @Flag('The command must be these words and no more.', { optional: true }) exact?: boolean;
  @NestedList('Files whose code the command runs.', BoundFile, { optional: true, maxItems: 32 }) files?: BoundFile[];
  @Flag('It holds for turns that another program started through the proxy, too.', { optional: true }) proxy?: boolean;
  @Integer('When it ends, in Unix milliseconds; never without.', { optional: true }) expires_at_ms?: number;
}

/** A rule that would have spared the question, for the human to take or leave. */
export class RuleProposal {
  @Text('Exactly what the rule would allow from then on, as a sentence.') allows!: string;
  @Nested('The rule, to be sent back as it is in `hitl_decision.remember`.', Rule) rule!: Rule;
}
