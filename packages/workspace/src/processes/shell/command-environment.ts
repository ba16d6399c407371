import { inheritedEnvironment, type Environment } from '../../inherited-environment.js';
import { MARKER } from './process-tree.js';

/** Keys of model providers: they are for our own services, not for what an agent runs. */
const PROVIDER_KEY =
  /^(ANTHROPIC|AZURE_OPENAI|CEREBRAS|COHERE|DEEPSEEK|FIREWORKS|GEMINI|GOOGLE|GROQ|MISTRAL|OPENAI|OPENROUTER|PERPLEXITY|TOGETHER|XAI)_(API_KEY|AUTH_TOKEN|ADMIN_KEY)$/i;

/** What makes a shell run a file before the command, or `cd` lead elsewhere, or a program colour its output whatever we say. */
const STEERING = /^(BASH_ENV|ENV|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|CDPATH|BASH_FUNC_.*|FORCE_COLOR|CLICOLOR_FORCE|PWD|OLDPWD)$/i;

/** Nobody reads along and nobody can answer: no colours, no pager, no editor, no question for a password. */
const FOR_NOBODY: Environment = {
  TERM: 'dumb',
  NO_COLOR: '1',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_EDITOR: 'false',
  GIT_TERMINAL_PROMPT: '0',
};

/**
 * Variables of a command: those of the user, without CodeLab's own and without keys of model providers, and with what makes programs behave
 * where there is no terminal. Loader variables (`LD_*`) are the user's and stay.
 *
 * @param marker finds whatever the command starts
 */
export function commandEnvironment(root: string, marker: string, source?: Environment): Environment {
  const kept = Object.entries(inheritedEnvironment(root, source)).filter(
    ([name]) => !/^CODELAB_/i.test(name) && !PROVIDER_KEY.test(name) && !STEERING.test(name),
  );
  return { ...Object.fromEntries(kept), ...FOR_NOBODY, [MARKER]: marker };
}
