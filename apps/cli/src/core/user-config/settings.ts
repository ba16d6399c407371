import { VOCABULARY_CHOICES, type VocabularyChoice } from '@codelab/tools';
import { PERMISSION_MODES, type PermissionMode } from '../session/permission-mode.js';
import { THEME_CHOICES, type ThemeChoice } from '../text/themes.js';

/** When the bell rings, and the terminal is told: an approval waits, or a turn has ended. `away`: while its window is not in front. */
export const NOTIFICATION_CHOICES = ['always', 'away', 'never'] as const;

/** What somebody sets for all that `codelab` does on this machine. What is absent is as usual. */
export interface UserSettings {
  readonly gateway?: string;
  readonly model?: string;
  readonly vocabulary?: VocabularyChoice;
  readonly permission_mode?: PermissionMode;
  readonly theme?: ThemeChoice;
  readonly notifications?: (typeof NOTIFICATION_CHOICES)[number];
  readonly thoughts?: 'shown' | 'folded';
  readonly editor?: string;
  readonly history?: boolean;
  readonly kernel?: string;
  readonly index?: 'on' | 'off';
  readonly embeddings_model?: string;
  readonly embeddings_url?: string;
}

export type SettingName = keyof UserSettings;

/** One setting: all that is told of it anywhere. */
export interface UserSetting {
  readonly meaning: string;
  /** Allowed texts; or what a text must look like; or a yes or no. */
  readonly value:
    | { readonly kind: 'choice'; readonly choices: readonly string[] }
    | { readonly kind: 'text'; readonly pattern: RegExp; readonly expects: string }
    | { readonly kind: 'switch' };
  /** What holds where nothing is set. */
  readonly usual: string;
  readonly example: string;
  /** What outdoes the file: variables before it, an option before those. */
  readonly variables?: readonly string[];
  readonly option?: string;
}

/** The settings of `config.yaml`. The file's check, the reference page, `codelab config` and the file that `--init` writes follow from it. */
export const USER_SETTINGS: Readonly<Record<SettingName, UserSetting>> = {
  gateway: {
    meaning: 'The gateway of all commands; `--url local` goes to the services of this machine all the same.',
    value: { kind: 'text', pattern: /^(?:ws|http)s?:\/\/[^\s@]+$/, expects: 'an address such as wss://codelab.example.com' },
    usual: 'the services of this machine, started if need be',
    example: 'wss://codelab.example.com',
    option: '--url',
  },
  model: {
    meaning: 'The model of conversations that begin.',
    value: { kind: 'text', pattern: /^\S{1,200}$/, expects: 'the name of a model' },
    usual: 'what the services are set to',
    example: 'claude-sonnet-4-5',
    option: '--model',
  },
  vocabulary: {
    meaning: 'In whose words models call tools in conversations that begin.',
    value: { kind: 'choice', choices: VOCABULARY_CHOICES },
    usual: 'what the services are set to',
    example: 'auto',
    variables: ['CODELAB_VOCABULARY'],
    option: '--vocabulary',
  },
  permission_mode: {
    meaning: 'How much is asked in conversations that begin. What always asks asks all the same.',
    value: { kind: 'choice', choices: PERMISSION_MODES },
    usual: 'ask',
    example: 'accept-edits',
    option: '--permission-mode',
  },
  theme: {
    meaning: 'The colours. `dark` takes those of the terminal; `auto` is `light` where the terminal says that its background is.',
    value: { kind: 'choice', choices: THEME_CHOICES },
    usual: 'auto',
    example: 'light',
    variables: ['NO_COLOR'],
  },
  notifications: {
    meaning: 'When the bell rings because an approval waits or a turn has ended; `away`: while the window is not in front.',
    value: { kind: 'choice', choices: NOTIFICATION_CHOICES },
    usual: 'away',
    example: 'never',
  },
  thoughts: {
    meaning: 'Whether what a model thinks before it answers is shown, dim. Ctrl-T changes it.',
    value: { kind: 'choice', choices: ['shown', 'folded'] },
    usual: 'folded',
    example: 'shown',
  },
  editor: {
    meaning: 'The editor that opens the arguments of a call, and hunks.',
    value: { kind: 'text', pattern: /\S/, expects: 'a command such as `code --wait`' },
    usual: 'vi',
    example: 'nvim',
    variables: ['VISUAL', 'EDITOR'],
  },
  history: {
    meaning: 'Whether messages are kept on this machine to be offered again with ↑ and Ctrl-R.',
    value: { kind: 'switch' },
    usual: 'true',
    example: 'false',
  },
  kernel: {
    meaning:
      'The notebook kernel that cells run in: the name of a kernel specification (`jupyter kernelspec list`), or the path of a Python that has `ipykernel`.',
    value: {
      kind: 'text',
      pattern: /^(?:[A-Za-z0-9][A-Za-z0-9._-]{0,63}|(?:~[\\/]|\/|[A-Za-z]:[\\/]).+)$/,
      expects: 'the name of a kernel, or the absolute path of a Python',
    },
    usual: 'the first Python with `ipykernel`: of the workspace, of the active environment, of the `PATH`',
    example: 'julia-1.11',
  },
  index: {
    meaning: 'Whether the code of workspaces is indexed on this machine, so that models can find it by what it is about.',
    value: { kind: 'choice', choices: ['on', 'off'] },
    usual: 'on',
    example: 'off',
  },
  embeddings_model: {
    meaning: 'The model that makes vectors of code and questions, so that the index finds by meaning too. It is sent the code.',
    value: { kind: 'text', pattern: /^\S{1,200}$/, expects: 'the name of a model' },
    usual: 'none: the index goes by words',
    example: 'text-embedding-3-small',
  },
  embeddings_url: {
    meaning:
      'Where it is asked: an address to which `/embeddings` is added. CODELAB_TOKEN goes with it; to this machine, that of its services.',
    value: { kind: 'text', pattern: /^https?:\/\/[^\s@]+$/, expects: 'an address such as https://codelab.example.com/v1' },
    usual: 'http://127.0.0.1:8002/v1, the services of this machine',
    example: 'https://codelab.example.com/v1',
  },
};

/** What a value of a setting can be, as the end of a sentence that begins with "write". */
export function expectedOf({ value }: UserSetting): string {
  if (value.kind === 'text') return value.expects;
  return value.kind === 'switch' ? 'true or false' : `${value.choices.slice(0, -1).join(', ')} or ${value.choices.at(-1) ?? ''}`;
}
