import { useMemo, type ReactNode } from 'react';
import { LongText } from '../text/long-text.js';
import { SafeText } from '../text/safe-text.js';

/** The arguments of a call, by their names; as they came where they are no object. */
export function Arguments({ args }: { readonly args: string }): ReactNode {
  const fields = useMemo(() => readFields(args), [args]);
  if (fields === undefined)
    return (
      <pre className="cl-call__output" tabIndex={0} aria-label="Arguments">
        <LongText text={args} />
      </pre>
    );
  if (fields.length === 0) return <p className="cl-note">none</p>;
  return (
    <dl className="cl-arguments">
      {fields.map(([name, value]) => (
        <div key={name}>
          <dt>
            <SafeText text={name.slice(0, 200)} />
          </dt>
          <dd>
            <LongText text={typeof value === 'string' ? value : JSON.stringify(value, null, 2)} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function readFields(args: string): readonly (readonly [string, unknown])[] | undefined {
  try {
    const value: unknown = JSON.parse(args === '' ? '{}' : args);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : undefined;
  } catch {
    return undefined;
  }
}
