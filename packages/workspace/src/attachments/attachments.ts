import type { Attachment } from '@codelab/protocol';
import { parsePath } from '../files/paths/parse-path.js';
import type { WorkspaceFiles } from '../files/workspace-files.js';
import { completePath, type CompletionOptions } from './complete-path.js';
import { parseMentions, type AttachmentSpec } from './parse-mentions.js';
import { readAttachments, type ReadAttachmentsOptions } from './read-attachments.js';

/** The files of the workspace that go with messages. */
export class Attachments {
  constructor(private readonly files: WorkspaceFiles) {}

  /** @see readAttachments */
  read(specs: readonly AttachmentSpec[], options?: ReadAttachmentsOptions): Promise<readonly Attachment[]> {
    return readAttachments(this.files, specs, options);
  }

  /** The files that a message mentions; see {@link parseMentions}. */
  mentioned(text: string): Promise<readonly AttachmentSpec[]> {
    return parseMentions(text, (path) => this.isFile(path));
  }

  /** Whether a path leads to a file of the workspace. */
  async isFile(path: string): Promise<boolean> {
    const parsed = parsePath(path);
    if (!parsed.ok || parsed.path.segments.length === 0) return false;
    return (await this.files.isDirectory(parsed.path).catch(() => undefined)) === false; // a link that leads out is no file of ours
  }

  /** @see completePath */
  complete(prefix: string, options?: CompletionOptions): Promise<readonly string[]> {
    return completePath(this.files, prefix, options);
  }
}
