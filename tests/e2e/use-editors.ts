import { afterEach } from 'vitest';
import { join } from 'node:path';
import { startEditor, type EditorStart, type TestEditor } from './start-editor.js';
import type { System } from './start-system.js';
import { useChats, type Chats, type Plans } from './use-chats.js';

export interface Editors extends Chats {
  /** Starts `codelab acp` for the repository; it ends behind the test. */
  readonly edit: (options?: Partial<EditorStart>) => Promise<TestEditor>;
}

/** The command line and the variables by which an editor starts its agent. */
export const agentOf = (system: System): Pick<EditorStart, 'argv' | 'env'> => {
  const { NO_COLOR: _c, VISUAL: _v, EDITOR: _e, ...env } = system.env;
  return {
    argv: ['--url', system.gateways[0]?.ws ?? ''],
    env: { ...env, CODELAB_TOKEN: system.token, XDG_CONFIG_HOME: join(system.dataDir, 'config') },
  };
};

/** The services with a model that follows plans, a repository for each test, and editors that open it. */
export function useEditors(plans: Plans, extra?: Readonly<Record<string, string>>): Editors {
  const chats = useChats(plans, extra);
  let editors: TestEditor[] = [];
  afterEach(async () => {
    await Promise.all(editors.map((editor) => editor.close()));
    editors = [];
  });
  return Object.create(chats, {
    edit: {
      value: async (options: Partial<EditorStart> = {}) => {
        const editor = await startEditor({ root: chats.repository.root, ...agentOf(chats.system), ...options });
        editors.push(editor);
        return editor;
      },
    },
  }) as Editors;
}
