import { fillReferences, type ReadVariable, type ToolsFile } from '@codelab/config-file';

/** What the references of the tools file's own texts stand for. */
export interface ReferencePorts {
  readonly secrets: ToolsFile['secrets'];
  readonly readVariable: ReadVariable;
}

/** A text of the tools file with the values of its references: for what sends it, and nowhere else. Their hosts were checked with the file. */
export const fillHeader = (text: string, { secrets, readVariable }: ReferencePorts): string =>
  fillReferences(text, ({ kind, name }) => readVariable(kind === 'env' ? name : (secrets[name]?.env ?? '')));
