import { IsIn, IsInt, IsNumber, IsOptional, Matches, Max, Min } from 'class-validator';
import { VOCABULARY_CHOICES, type VocabularyChoice } from '@codelab/tools';
import { readConfig, ServiceConfig, Setting } from '@codelab/service-shell';
import { SEARCH_PROVIDERS, type SearchProviderName } from '@codelab/web';
import { TOOL_LIMITS } from '../core/uses/tool-limits.js';

const DAY_MS = 86_400_000;

/** What the agent runtime reads from its environment. */
export class RuntimeConfig extends ServiceConfig {
  @Setting({
    env: 'RUNTIME_PORT',
    meaning: 'Port of the agent runtime: health and metrics.',
    expects: 'a port from 0 (any free one) to 65535',
  })
  @IsInt()
  @Min(0)
  @Max(65_535)
  port: number = 8001;

  @Setting({
    env: 'CODELAB_MODEL',
    meaning: 'The model of sessions and messages that name none.',
    expects: 'a name that the LLM proxy routes, such as offline',
    defaultText: 'gpt-5.4 where `up` or compose see a provider, else offline',
  })
  @IsOptional()
  model?: string;

  @Setting({
    env: 'CODELAB_VOCABULARY',
    meaning: 'In whose words models call tools, for sessions that name no vocabulary: `auto` goes by the family of the model.',
    expects: `one of ${VOCABULARY_CHOICES.join(', ')}`,
  })
  @IsIn(VOCABULARY_CHOICES)
  vocabulary: VocabularyChoice = 'auto';

  @Setting({
    env: 'RUNTIME_MAX_ROUNDS',
    meaning: 'Model requests of one turn; a turn that needs more fails and says so.',
    expects: 'a whole number from 1 to 10000',
  })
  @IsInt()
  @Min(1)
  @Max(10_000)
  maxRounds: number = 50;

  @Setting({
    env: 'RUNTIME_TOOL_LIMITS',
    meaning:
      'How often a turn may use a tool, and how long each call of it may take (at least a minute), by the name of the tool: a canonical one, or one of a vocabulary.',
    expects: 'a list such as run_command=20/120000, WebFetch=5, task=/900000: uses, and milliseconds after the slash',
  })
  @Matches(TOOL_LIMITS)
  toolLimits: string = '';

  @Setting({
    env: 'RUNTIME_TURN_TIMEOUT_MS',
    meaning: 'How long a turn may work; waiting for a human does not count.',
    expects: 'a whole number of milliseconds from 1000 to 86400000',
    unit: 'ms',
  })
  @IsInt()
  @Min(1_000)
  @Max(DAY_MS)
  turnTimeoutMs: number = 30 * 60_000;

  @Setting({
    env: 'RUNTIME_TASK_MAX_STEPS',
    meaning:
      'Model requests of an agent that works on a part of a task, before it is asked for its last words; never more than the asking turn has left.',
    expects: 'a whole number from 1 to 10000',
  })
  @IsInt()
  @Min(1)
  @Max(10_000)
  taskMaxSteps: number = 40;

  @Setting({
    env: 'RUNTIME_TASK_MAX_TOKENS',
    meaning: 'Tokens that such an agent may read and write; 0: no bound.',
    expects: 'a whole number from 0 to 1000000000',
  })
  @IsInt()
  @Min(0)
  @Max(1_000_000_000)
  taskMaxTokens: number = 5_000_000;

  @Setting({
    env: 'RUNTIME_TASK_MAX_COST_USD',
    meaning: 'US dollars that such an agent may cost, where prices are known; 0: no bound.',
    expects: 'a number from 0 to 100000',
  })
  @IsNumber()
  @Min(0)
  @Max(100_000)
  taskMaxCostUsd: number = 0;

  @Setting({
    env: 'RUNTIME_APPROVAL_TIMEOUT_MS',
    meaning: 'After how long a question to a human expires; 0: never.',
    expects: 'a whole number of milliseconds from 0 to 2592000000',
    unit: 'ms',
  })
  @IsInt()
  @Min(0)
  @Max(30 * DAY_MS)
  approvalTimeoutMs: number = 0;

  @Setting({
    env: 'CODELAB_TOOLS_FILE',
    meaning: 'The tools file: remote MCP servers, tools by URL, the search provider, and secrets that tools may refer to.',
    expects: 'the path of a file that can be read',
    defaultText: 'codelab.tools.yaml in the data directory, else in ${XDG_CONFIG_HOME:-~/.config}/codelab, if it is there',
  })
  @IsOptional()
  toolsFile?: string;

  @Setting({
    env: 'CODELAB_EGRESS_ALLOW',
    meaning:
      'Private addresses that tools by URL and pages of the web may be at all the same, comma-separated: `host:port`, `host`, or a CIDR block.',
    expects: 'entries such as 127.0.0.1:9000 or 10.0.0.0/8',
    defaultText: 'none: only public addresses',
  })
  @IsOptional()
  egressAllow?: string;

  @Setting({
    env: 'CODELAB_SEARCH_PROVIDER',
    meaning: 'Who searches the web for models: a SearXNG of your own, Brave, Tavily, or any endpoint that answers JSON (`http`).',
    expects: `one of ${SEARCH_PROVIDERS.join(', ')}`,
    defaultText: 'none: searches say so',
  })
  @IsOptional()
  @IsIn(SEARCH_PROVIDERS)
  searchProvider?: SearchProviderName;

  @Setting({
    env: 'CODELAB_SEARCH_URL',
    meaning:
      'Where the provider of searches is; it may be private. `searxng`: its base. `http`: with `{query}`, and `{limit}` where it takes one. `brave`, `tavily`: another endpoint than theirs.',
    expects: 'an address such as http://searxng:8080 or https://search.example.com/?q={query}&n={limit}',
  })
  @IsOptional()
  searchUrl?: string;

  @Setting({
    env: 'CODELAB_SEARCH_API_KEY',
    meaning: 'The key of the provider of searches.',
    expects: 'the key as the provider shows it',
    secret: true,
  })
  @IsOptional()
  searchApiKey?: string;

  @Setting({
    env: 'RUNTIME_LINGER_MS',
    meaning: 'How long a session without work stays in memory.',
    expects: 'a whole number of milliseconds from 0 to 600000',
    unit: 'ms',
  })
  @IsInt()
  @Min(0)
  @Max(600_000)
  lingerMs: number = 10_000;

  @Setting({
    env: 'RUNTIME_FREEZE_AFTER_MS',
    meaning:
      'After how long a session that nobody holds and nobody writes to is put away by the janitor, in a fifth of the room; whoever needs it brings it back; 0: never, as while a release before runs beside this one.',
    expects: 'a whole number of milliseconds from 0 to 86400000',
    unit: 'ms',
  })
  @IsInt()
  @Min(0)
  @Max(DAY_MS)
  freezeAfterMs: number = 600_000;

  @Setting({
    env: 'RUNTIME_SHARE_FROM_CHARACTERS',
    meaning:
      'How long a string of a result, a message or an argument is that stands once in Redis, whatever refers to it; 0: none does, as while a release before runs beside this one.',
    expects: 'a whole number of characters from 0 to 100000000',
  })
  @IsInt()
  @Min(0)
  @Max(100_000_000)
  shareFromCharacters: number = 16_384;

  @Setting({
    env: 'RUNTIME_JANITOR_INTERVAL_MS',
    meaning:
      'How often the janitor looks at a part of what is stored and ends what was abandoned: one runtime at a time; the same for each; 0: never.',
    expects: 'a whole number of milliseconds from 0 to 86400000',
    unit: 'ms',
  })
  @IsInt()
  @Min(0)
  @Max(DAY_MS)
  janitorIntervalMs: number = 60_000;

  @Setting({
    env: 'RUNTIME_MAX_HOT_SESSIONS',
    meaning: 'Sessions that one runtime holds at the same time; others wait for room here or elsewhere.',
    expects: 'a whole number from 1 to 100000',
  })
  @IsInt()
  @Min(1)
  @Max(100_000)
  maxHotSessions: number = 2_000;

  /** How the janitor runs. */
  get house(): { readonly everyMs: number; readonly freezeAfterMs?: number } {
    return { everyMs: this.janitorIntervalMs, freezeAfterMs: this.freezeAfterMs || undefined };
  }
}

/** The configuration of this process. Throws `ConfigError`. */
export const readRuntimeConfig = (): RuntimeConfig => readConfig(RuntimeConfig, process.env);

/** A variable that is none of our settings, but one that the tools file names; empty counts as unset. */
export const readVariable = (name: string): string | undefined => process.env[name] || undefined;
