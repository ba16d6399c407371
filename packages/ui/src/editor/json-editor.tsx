import { json } from '@codemirror/lang-json';
import type { JsonSchema } from '@codelab/protocol';
import { useState } from 'react';
import { CodeEditor } from './code-editor.js';
import { findJsonFaults, isObject } from './find-json-faults.js';
import { jsonHints, parse } from './json-hints.js';

interface JsonEditorProps {
  readonly initial: string;
  readonly label: string;
  readonly schema: JsonSchema | undefined;
  readonly onChange: (edited: EditedJson) => void;
  readonly onSubmit?: () => void;
  readonly onLeave?: () => void;
}

/** What stands in a JSON editor: the object, or why it can't be taken. */
export type EditedJson =
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly fault: string };

/** An editor for a JSON object, with names, explanations and faults by its schema. */
export function JsonEditor({ initial, label, schema, onChange, onSubmit, onLeave }: JsonEditorProps) {
  const [extensions] = useState(() => [json(), jsonHints(schema)]);
  return (
    <CodeEditor
      initial={initial}
      label={label}
      extensions={extensions}
      onChange={(text) => onChange(readEdited(text, schema))}
      onSubmit={onSubmit}
      onLeave={onLeave}
      autoFocus
    />
  );
}

/** Reads what was typed; a fault names the argument that it is about. */
export function readEdited(text: string, schema: JsonSchema | undefined): EditedJson {
  const read = parse(text);
  if (!read.ok) return { ok: false, fault: read.message };
  if (!isObject(read.value)) return { ok: false, fault: 'The arguments are an object: { … }.' };
  const [first, ...others] = findJsonFaults(schema, read.value);
  if (first === undefined) return { ok: true, value: read.value };
  const place = first.path.length === 0 || first.isName ? '' : `${first.path.join('.')}: `;
  return { ok: false, fault: `${place}${first.message}${others.length === 0 ? '' : ` And ${others.length} more.`}` };
}
