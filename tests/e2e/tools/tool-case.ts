import type { ToolErrorCode } from '@codelab/protocol';
import type { JsonObject } from '@codelab/tools';

/** What a call of a tool is expected to do, on a repository that {@link SEED_FILES} describes. */
export interface ToolCase {
  readonly name: string;
  readonly tool: string;
  readonly args: JsonObject;
  /** Written before the call, uncommitted; null removes. */
  readonly before?: Readonly<Record<string, string | null>>;
  /** Git commands before the call. */
  readonly git?: readonly (readonly string[])[];
  /** What the result has, among other fields. */
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: ToolErrorCode;
  /** What the message of the error names. */
  readonly words?: readonly string[];
  /** What the files hold after it; null: there is none. */
  readonly after?: Readonly<Record<string, string | null>>;
}

/** What is committed in the repository before each case. */
export const SEED_FILES: Readonly<Record<string, string>> = {
  '.gitignore': 'ignored/\n*.log\n',
  'README.md': '# Title\n\nwords\n',
  'src/auth.js': 'export const login = () => true;\n// TODO check\nexport const logout = () => false;\n',
  'src/util/text.js': 'export const upper = (text) => text.toUpperCase();\n',
  'src/util/text.test.js': "import { upper } from './text.js';\n",
};

/** Left by the driver in the folder, not tracked. */
export const IGNORED_FILES: Readonly<Record<string, string>> = { 'ignored/out.txt': 'TODO hidden\n', 'debug.log': 'TODO log\n' };
