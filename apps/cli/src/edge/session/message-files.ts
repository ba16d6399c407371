import type { Attachment } from '@codelab/protocol';
import { assertCarried, readImageFile, ToolFailure, type AttachmentSpec, type Workspace } from '@codelab/workspace';
import { imageMention } from '../../core/mentions/pasted-image.js';
import { CommandError } from '../../core/command-error.js';

/** A path with the lines that are meant: `src/a.ts:10-20`. */
const LINES = /^(.+):(\d{1,9}(?:-\d{1,9})?)$/;

/** What a shell gets for files that can't be attached. */
const USAGE = 2;

/** Reads the files that go with messages. */
export class MessageFiles {
  /** The message that was refused last because of a file that looks like a secret. */
  private doubted: string | undefined;

  /**
   * @param others reads what else a message mentions: resources of MCP servers
   * @param pasted images anywhere on this machine whose paths the human pasted: messages that mention them take them along
   */
  constructor(
    private readonly attachments: Workspace['attachments'],
    private readonly pasted: ReadonlySet<string> = new Set(),
    private readonly others: (content: string) => Promise<readonly Attachment[]> = () => Promise.resolve([]),
  ) {}

  /**
   * The files that a message mentions, and the images that were pasted into it. One that looks like a secret goes only when the same message is sent once more. Throws `CommandError`
   * with what to do.
   */
  async ofMessage(content: string): Promise<readonly Attachment[]> {
    const specs = await this.attachments.mentioned(content);
    const sure = this.doubted === content;
    this.doubted = undefined;
    const images = [...this.pasted].filter((path) => content.includes(imageMention(path)));
    const read = async (): Promise<readonly Attachment[]> => {
      const all = [...(await this.read(specs, sure)), ...(await this.others(content))];
      assertCarried(all);
      for (const image of images) {
        all.push(await readImageFile(image));
        assertCarried(all);
      }
      return all;
    };
    return read().catch((error: unknown) => {
      if (!(error instanceof ToolFailure) || error.code !== 'PERMISSION_DENIED') throw toCommandError(error);
      this.doubted = content;
      throw new CommandError(`${error.message} Send the message again to do so.`, USAGE, { cause: error });
    });
  }

  /** The files that a command names (`PATH` or `PATH:LINES`), then those that its prompt mentions. Throws `CommandError` with what to do. */
  async ofCommand(words: readonly string[], prompt: string, secrets: boolean): Promise<readonly Attachment[]> {
    try {
      const named: Attachment[] = [];
      for (const word of words) named.push(...(await this.readWord(word, secrets)));
      const isNamed = ({ path, lines }: AttachmentSpec): boolean => named.some((one) => one.path === path && one.lines === lines);
      const mentioned = (await this.attachments.mentioned(prompt)).filter((spec) => !isNamed(spec));
      const all = [...named, ...(await this.read(mentioned, secrets)), ...(await this.others(prompt))];
      assertCarried(all);
      return all;
    } catch (error) {
      throw toCommandError(error);
    }
  }

  private async readWord(word: string, secrets: boolean): Promise<readonly Attachment[]> {
    const [, path, lines] = LINES.exec(word) ?? [];
    if (path === undefined || lines === undefined) return this.read([{ path: word }], secrets);
    return this.read([{ path: word }], secrets).catch((error: unknown) => {
      if (error instanceof ToolFailure && error.code === 'FILE_NOT_FOUND') return this.read([{ path, lines }], secrets);
      throw error;
    });
  }

  private read(specs: readonly AttachmentSpec[], secrets: boolean): Promise<readonly Attachment[]> {
    return this.attachments.read(specs, secrets ? { allowSecrets: new Set(specs.map(({ path }) => path)) } : {});
  }
}

function toCommandError(error: unknown): unknown {
  return error instanceof ToolFailure ? new CommandError(`Nothing was sent. ${error.message}`, USAGE, { cause: error }) : error;
}
