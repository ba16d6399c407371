import { Component, type ReactNode } from 'react';
import { MissingFilesError } from '../pages/missing-files.js';

interface Props {
  readonly children: ReactNode;
  /** Another one is another page: what broke before no longer counts. */
  readonly place: string;
}

/** Keeps a fault of one page within that page, and says what to do. */
export class ErrorBoundary extends Component<Props, { readonly fault?: Error; readonly place: string }> {
  override state: { readonly fault?: Error; readonly place: string } = { place: this.props.place };

  static getDerivedStateFromError = (fault: Error) => ({ fault });
  static getDerivedStateFromProps = ({ place }: Props, state: { readonly place: string }) =>
    place === state.place ? null : { place, fault: undefined };

  override render() {
    const { fault } = this.state;
    if (fault === undefined) return this.props.children;
    if (fault instanceof MissingFilesError) return <NotLoaded />;
    return (
      <main className="co-page">
        <div className="co-trouble" role="alert">
          <h1>This page broke</h1>
          <p>Nothing on the servers is affected: sessions go on. Show the page again; if it breaks again, report these words:</p>
          <pre>{fault.message}</pre>
          <p className="co-actions">
            <button type="button" className="cl-button cl-button--primary" onClick={() => this.setState({ fault: undefined })}>
              Show it again
            </button>
            <button type="button" className="cl-button" onClick={() => location.reload()}>
              Load everything anew
            </button>
          </p>
        </div>
      </main>
    );
  }
}

/** What was loaded before can't get them: a browser asks once for each file. */
const NotLoaded = () => (
  <main className="co-page">
    <div className="co-trouble" role="alert">
      <h1>This page did not load</h1>
      <p>The network is away, or the gateway has a newer console by now. Sessions go on meanwhile.</p>
      <p className="co-actions">
        <button type="button" className="cl-button cl-button--primary" onClick={() => location.reload()}>
          Load everything anew
        </button>
      </p>
    </div>
  </main>
);
