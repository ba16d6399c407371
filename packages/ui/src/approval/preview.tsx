import type { Preview } from '@codelab/protocol';
import { planOf, prettyArguments } from '@codelab/tools/human';
import { CodeText } from '../code/code-text.js';
import { highlightLines } from '../code/highlight-code.js';
import { DiffView } from '../diff/diff-view.js';
import { Markdown } from '../markdown/markdown.js';
import { SafeText } from '../text/safe-text.js';

interface PreviewProps {
  readonly toolName: string;
  readonly args: string;
  readonly preview?: Preview | undefined;
  readonly openFile?: ((path: string, line?: number) => void) | undefined;
}

/** What a call would do: the change, the command, or else its arguments. */
export function CallPreview({ toolName, args, preview, openFile }: PreviewProps) {
  const plan = planOf({ toolName, args });
  if (plan !== undefined)
    return (
      <div className="cl-approval-plan">
        <Markdown text={plan} />
      </div>
    );
  if (preview?.kind === 'diff' && preview.text.trim() !== '') return <DiffView diff={preview.text} openFile={openFile} />;
  if (preview?.kind === 'command') return <Command text={preview.text} command={readText(args, 'command')} />;
  const code = toolName === 'kernel.execute' && preview?.kind === 'text' ? preview.text : '';
  if (code !== '') return <Code text={code} language="python" label="The code that would run" />;
  const text = preview && preview.text.trim() !== '' ? preview.text : prettyArguments(args);
  return (
    <pre className="cl-approval-text" tabIndex={0} aria-label="What it would do">
      <SafeText text={text.trimEnd()} />
    </pre>
  );
}

/** A command, then what is told about it; a mark stands before each of its lines, so that it can't look like what is told. */
function Command({ text, command }: { readonly text: string; readonly command: string | undefined }) {
  const told = command !== undefined && text.startsWith(`${command}\n`) ? text.slice(command.length + 1).trim() : '';
  const shown = told === '' ? text.trimEnd() : command!;
  return (
    <>
      <Code text={shown} language="bash" label="The command that would run" mark={(index) => (index === 0 ? '$' : '>')} />
      {told !== '' && (
        <p className="cl-approval-told">
          <SafeText text={told} />
        </p>
      )}
    </>
  );
}

interface CodeProps {
  readonly text: string;
  readonly language: string;
  readonly label: string;
  readonly mark?: (index: number) => string;
}

function Code({ text, language, label, mark }: CodeProps) {
  return (
    <div className="cl-approval-code" tabIndex={0} role="group" aria-label={label}>
      {highlightLines(text, language).map((pieces, index) => (
        <div key={index} className="cl-approval-code-line">
          {mark && (
            <span className="cl-approval-mark" aria-hidden="true">
              {mark(index)}
            </span>
          )}
          <code>
            <CodeText pieces={pieces} />
          </code>
        </div>
      ))}
    </div>
  );
}

function readText(args: string, name: string): string | undefined {
  try {
    const value = (JSON.parse(args) as Readonly<Record<string, unknown>> | null)?.[name];
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined; // shown as it came
  }
}
