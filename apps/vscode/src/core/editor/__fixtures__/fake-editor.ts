import type { EditorDocument, EditorHost, Problem, TextChange } from '../editor-host.js';

class FakeDocument implements EditorDocument {
  version = 1;
  isDirty = false;
  encoding = 'utf8';
  eol: '\n' | '\r\n' = '\n';
  readonly undoStack: string[] = [];

  constructor(
    readonly path: string,
    public content: string,
  ) {}

  text(): string {
    return this.content;
  }

  type(text: string): void {
    this.content = text;
    this.isDirty = true;
    this.version += 1;
  }
}

/** An editor as far as files go: documents with undo, saving into `disk`, and problems. */
export class FakeEditor implements EditorHost {
  readonly open = new Map<string, FakeDocument>();
  readonly disk = new Map<string, string>();
  readonly lookedAt: string[] = [];
  found: Problem[] = [];
  canSave = true;
  /** Happens right before an edit is applied. */
  beforeEdit: (document: FakeDocument) => void = () => undefined;
  private readonly listeners = new Set<() => void>();

  show(path: string, text: string): FakeDocument {
    this.disk.set(path, text);
    const document = new FakeDocument(path, text);
    this.open.set(path, document);
    return document;
  }

  documents(): readonly EditorDocument[] {
    return [...this.open.values()];
  }

  async change({ path, version }: EditorDocument, changes: readonly TextChange[], eol?: '\n' | '\r\n'): Promise<boolean> {
    const document = this.open.get(path)!;
    this.beforeEdit(document);
    if (document.version !== version) return false;
    document.undoStack.push(document.content);
    let text = document.content;
    for (const { start, end, text: put } of [...changes].reverse()) text = text.slice(0, start) + put + text.slice(end);
    document.type(eol === undefined ? text : text.replaceAll('\r\n', '\n').replaceAll('\n', eol));
    document.eol = eol ?? document.eol;
    return true;
  }

  async save({ path }: EditorDocument): Promise<boolean> {
    const document = this.open.get(path)!;
    if (!this.canSave) return false;
    this.disk.set(path, document.content);
    document.isDirty = false;
    return true;
  }

  problems(): readonly Problem[] {
    return this.found;
  }

  find(problems: readonly Problem[]): void {
    this.found = [...problems];
    for (const listener of [...this.listeners]) listener();
  }

  onProblems(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  async lookAt(paths: readonly string[]): Promise<void> {
    this.lookedAt.push(...paths);
  }
}
