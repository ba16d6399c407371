import type { JsonSchema, Preview } from '@codelab/protocol';
import { useState } from 'react';
import { JsonEditor, readEdited, type EditedJson } from '../editor/json-editor.js';
import { CallPreview } from './preview.js';

interface EditArgumentsProps {
  readonly toolName: string;
  /** JSON text. */
  readonly args: string;
  readonly schema: JsonSchema | undefined;
  readonly isBusy: boolean;
  readonly onApprove: (args: Readonly<Record<string, unknown>>) => void;
  readonly onBack: () => void;
  /** What it would do with other arguments, where somebody can tell. */
  readonly preview?: ((args: Readonly<Record<string, unknown>>) => Promise<{ readonly kind: string; readonly text: string }>) | undefined;
}

/** Changes the arguments of a call before it is approved. */
export function EditArguments({ toolName, args, schema, isBusy, onApprove, onBack, preview }: EditArgumentsProps) {
  const [initial] = useState(() => pretty(args));
  const [edited, setEdited] = useState<EditedJson>(() => readEdited(initial, schema));
  const [shown, setShown] = useState<{ readonly of: unknown; readonly preview?: Preview; readonly fault?: string }>();
  const approve = (): void => {
    if (edited.ok && !isBusy) onApprove(edited.value);
  };
  const look = (): void => {
    if (!edited.ok || preview === undefined) return;
    const of = edited.value;
    preview(of).then(
      (made) => setShown({ of, preview: made as Preview }),
      (error: unknown) => setShown({ of, fault: error instanceof Error ? error.message : String(error) }),
    );
  };
  const isShown = shown !== undefined && edited.ok && shown.of === edited.value;
  return (
    <div className="cl-approval-edit">
      <JsonEditor
        initial={initial}
        label={`The arguments of ${toolName}`}
        schema={schema}
        onChange={setEdited}
        onSubmit={approve}
        onLeave={onBack}
      />
      {!edited.ok && (
        <p className="cl-fault" role="status">
          {edited.fault}
        </p>
      )}
      {isShown && shown.fault !== undefined && <p className="cl-fault">{shown.fault}</p>}
      {isShown && shown.preview && <CallPreview toolName={toolName} args={JSON.stringify(shown.of)} preview={shown.preview} />}
      <div className="cl-actions">
        <button type="button" className="cl-button cl-button--primary" disabled={!edited.ok || isBusy} onClick={approve}>
          Approve with these arguments
        </button>
        {preview && (
          <button type="button" className="cl-button" disabled={!edited.ok} onClick={look}>
            Show what it would do
          </button>
        )}
        <button type="button" className="cl-button cl-button--plain" onClick={onBack}>
          Back
        </button>
      </div>
    </div>
  );
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
