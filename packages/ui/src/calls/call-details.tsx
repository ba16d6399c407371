import type { ReactNode } from 'react';
import { stripSteering, type CallItem } from '@codelab/client/view';
import { usePort } from '../port/session-context.js';
import { CopyButton } from '../text/copy-button.js';
import { LongText } from '../text/long-text.js';
import { SafeText } from '../text/safe-text.js';
import { Arguments } from './arguments.js';

/** All that is known of a call: what it was given, what came out of it, who decided. */
export function CallDetails({ call }: { readonly call: CallItem }): ReactNode {
  const port = usePort();
  const output = call.result ?? call.output?.tail ?? '';
  const { outcome, by, reason } = call.approval ?? {};
  const path = pathOf(call.args);
  return (
    <>
      <Section title="Arguments" copy={call.args}>
        <Arguments args={call.args} />
      </Section>
      {output !== '' && (
        <Section title={call.result === undefined ? 'Output' : 'Result'} copy={output}>
          <pre className="cl-call__output" tabIndex={0} aria-label="Result">
            <LongText text={stripSteering(output).replace(/\r\n?/g, '\n')} />
          </pre>
        </Section>
      )}
      {outcome !== undefined && (
        <p className="cl-note">
          {outcome}
          {by !== undefined && ' by '}
          {by !== undefined && <SafeText text={by} />}
          {reason !== undefined && reason !== '' && ': '}
          {reason !== undefined && <SafeText text={reason} />}
        </p>
      )}
      {(path !== undefined && port.openFile) || (call.preview?.kind === 'diff' && port.openDiff) ? (
        <p className="cl-call__actions">
          {path !== undefined && port.openFile && (
            <button type="button" className="cl-button" onClick={() => port.openFile?.(path)}>
              Open the file
            </button>
          )}
          {call.preview?.kind === 'diff' && port.openDiff && (
            <button type="button" className="cl-button" onClick={() => port.openDiff?.(call.callId)}>
              Open the changes
            </button>
          )}
        </p>
      ) : null}
    </>
  );
}

interface SectionProps {
  readonly title: string;
  readonly copy: string;
  readonly children: ReactNode;
}

function Section({ title, copy, children }: SectionProps) {
  return (
    <section className="cl-section">
      <h4 className="cl-section__title">
        {title} <CopyButton text={copy} what={title.toLowerCase()} />
      </h4>
      {children}
    </section>
  );
}

/** The file that a call is about, where one argument says so. */
function pathOf(args: string): string | undefined {
  try {
    const { path } = JSON.parse(args) as { readonly path?: unknown };
    return typeof path === 'string' && path !== '' ? path : undefined;
  } catch {
    return undefined; // shown as they came
  }
}
