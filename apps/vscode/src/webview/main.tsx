import '@codelab/ui/styles.css';
import './main.css';
import { createRoot } from 'react-dom/client';
import { SessionProvider, SessionScreen } from '@codelab/ui';
import type { ToView } from '../core/webview/messages.js';
import { VscodePort, type HostApi } from './vscode-port.js';

declare function acquireVsCodeApi(): HostApi;

const host = acquireVsCodeApi();
const port = new VscodePort(host);
window.addEventListener('message', ({ data }: MessageEvent<ToView>) => port.take(data));
const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <SessionProvider port={port.port()}>
      <SessionScreen />
    </SessionProvider>,
  );
host.postMessage({ type: 'ready' });
