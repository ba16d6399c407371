import { Component, type ReactNode } from 'react';
import { LongText } from '../text/long-text.js';

interface ItemBoundaryProps {
  /** What is drawn. Another one is another try. */
  readonly of: unknown;
  readonly children: ReactNode;
}

interface State {
  readonly of: unknown;
  readonly fault?: Error;
}

/** Keeps a fault in drawing one entry within that entry: what it is made of is shown in its place, and the rest of the page goes on. */
export class ItemBoundary extends Component<ItemBoundaryProps, State> {
  override state: State = { of: this.props.of };

  static getDerivedStateFromError = (fault: Error): Pick<State, 'fault'> => ({ fault });
  static getDerivedStateFromProps = ({ of }: ItemBoundaryProps, state: State): State | null =>
    of === state.of ? null : { of, fault: undefined };

  override render() {
    const { fault, of } = this.state;
    if (fault === undefined) return this.props.children;
    return (
      <div className="cl-broken">
        <p className="cl-note">This entry can’t be drawn. It is, as it came:</p>
        <pre tabIndex={0} aria-label="The entry as it came">
          <LongText text={rawOf(of)} />
        </pre>
      </div>
    );
  }
}

function rawOf(value: unknown): string {
  try {
    return JSON.stringify(value, null, 2) ?? String(value);
  } catch {
    return String(value); // it refers to itself
  }
}
