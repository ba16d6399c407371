import type { Attachment } from '@codelab/protocol';
import { parseMentions, type AttachmentSpec } from '@codelab/workspace';
import type { WindowFolder, WindowFolders } from './window-folders.js';

/** The files of a window that go with messages, in whichever of its folders they are. */
export class FolderAttachments {
  constructor(private readonly folders: WindowFolders) {}

  /** Files by their paths in the window, in the order of the message. */
  async read(specs: readonly AttachmentSpec[]): Promise<readonly Attachment[]> {
    const read = new Map<WindowFolder, AttachmentSpec[]>();
    for (const spec of specs) {
      const { folder, path } = this.folders.place(spec.path);
      read.set(folder, [...(read.get(folder) ?? []), { ...spec, path }]);
    }
    const found: Attachment[] = [];
    for (const [folder, inside] of read) {
      for (const attachment of await folder.workspace.attachments.read(inside))
        found.push({ ...attachment, path: this.folders.name({ folder, path: attachment.path }) });
    }
    const rank = ({ path }: Attachment): number => specs.findIndex((spec) => spec.path === path);
    return found.sort((one, other) => rank(one) - rank(other));
  }

  /** The files that a message mentions, read. */
  async mentioned(text: string): Promise<readonly Attachment[]> {
    const specs = await parseMentions(text, (path) => {
      const { folder, path: inside } = this.folders.place(path);
      return folder.workspace.attachments.isFile(inside);
    });
    return this.read(specs);
  }

  /** Paths that what was typed can become: those of the folder that it leads into, and the names of folders. */
  async complete(prefix: string, limit: number): Promise<readonly string[]> {
    const slash = prefix.lastIndexOf('/');
    const { folder, path } = slash < 0 ? { folder: this.folders.main, path: prefix } : this.folders.place(prefix);
    const typed = prefix.endsWith('/') ? (path === '.' ? '' : `${path}/`) : path;
    const inside = await folder.workspace.attachments.complete(typed, { limit });
    const names = slash < 0 ? this.folders.others.filter(({ name }) => name.toLowerCase().startsWith(prefix.toLowerCase())) : [];
    const all = [...names.map(({ name }) => `${name}/`), ...inside.map((found) => this.folders.name({ folder, path: found }))];
    return all.slice(0, limit);
  }
}
