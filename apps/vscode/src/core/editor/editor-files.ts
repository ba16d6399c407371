import { ToolFailure, type OpenFiles } from '@codelab/workspace';
import type { EditorDocument, EditorHost } from './editor-host.js';
import { textChanges } from './text-changes.js';

/** Encodings in which the text of the editor is the text of the file. */
const UTF8: ReadonlySet<string> = new Set(['utf8', 'utf8bom']);

/** Line ends and a byte order mark are the editor's own affair. */
const plain = (text: string): string => text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');

/** The line ends of a text, if they are all alike. */
function endsOf(text: string): '\n' | '\r\n' | 'none' | 'mixed' {
  const [all, windows] = [text.split('\n').length - 1, text.split('\r\n').length - 1];
  return all === 0 ? 'none' : windows === 0 ? '\n' : windows === all ? '\r\n' : 'mixed';
}

/**
 * The documents of the editor as files that tools read and write. What isn't saved counts before the disk. A change is an edit of the
 * document: the user takes it back by the editor's own undo, and what they have set up for saving happens.
 */
export class EditorFiles implements OpenFiles {
  constructor(private readonly host: EditorHost) {}

  readonly unsaved = (): readonly string[] => this.host.documents().flatMap((one) => (one.isDirty && isText(one) ? [one.path] : []));

  async read(path: string): Promise<string | undefined> {
    const document = this.find(path);
    return document?.isDirty === true && isText(document) ? document.text() : undefined;
  }

  readonly write = async (path: string, content: string, before?: string): Promise<boolean> => {
    const document = this.find(path);
    if (document === undefined) return false;
    if (!document.isDirty && !this.canTake(document, content, before)) return false; // the editor loads it from disk
    if (!isText(document))
      throw new ToolFailure(
        'CONFLICT',
        `${path} is not saved in the editor, and has the encoding ${document.encoding} there: ask the user to save it.`,
      );
    const old = document.text();
    if (before !== undefined && plain(old) !== plain(before)) throw changed(path);
    const ends = endsOf(content);
    const eol = (ends === '\n' || ends === '\r\n') && ends !== document.eol ? ends : undefined;
    const now = plain(content).replaceAll('\n', document.eol);
    if (!(await this.host.change(document, textChanges(old, now), eol))) throw changed(path);
    if (await this.host.save(document)) return true;
    const undone = this.find(path);
    if (undone) await this.host.change(undone, textChanges(undone.text(), old), eol && document.eol);
    throw new ToolFailure(
      'PERMISSION_DENIED',
      `The editor could not save ${path}; nothing was changed. It may be read-only, or newer on disk.`,
    );
  };

  private find(path: string): EditorDocument | undefined {
    return this.host.documents().find((document) => document.path === path);
  }

  /** Whether a document that is as saved can get this content: it knows the file as it is, and can hold the text byte for byte. */
  private canTake(document: EditorDocument, content: string, before: string | undefined): boolean {
    const isKnown = before === undefined || plain(document.text()) === plain(before);
    return isText(document) && isKnown && endsOf(content) !== 'mixed' && content.startsWith('\ufeff') === (document.encoding === 'utf8bom');
  }
}

const isText = ({ encoding }: EditorDocument): boolean => UTF8.has(encoding);

const changed = (path: string): ToolFailure =>
  new ToolFailure('CONFLICT', `${path} was changed in the editor meanwhile; nothing was done.`);
