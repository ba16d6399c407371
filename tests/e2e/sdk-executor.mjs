/** A client of `@codelab/client` and `@codelab/workspace` alone, as they are built: what the conformance kit starts for each of its checks. */
import { CodeLabClient, clientIdFor, DEFAULT_BACKOFF, workspaceExecutor } from '@codelab/client';
import { openWorkspace } from '@codelab/workspace';

const { CODELAB_URL, CODELAB_TOKEN, CODELAB_SESSION, CODELAB_WORKSPACE, CODELAB_STATE, CODELAB_APPROVE, CODELAB_MESSAGE } = process.env;
const approvesAll = CODELAB_APPROVE === 'all';
const workspace = await openWorkspace({ root: CODELAB_WORKSPACE, dataDir: CODELAB_STATE });
const client = new CodeLabClient({
  url: `${CODELAB_URL}/ws`,
  token: CODELAB_TOKEN,
  sessionId: CODELAB_SESSION,
  clientId: await clientIdFor(CODELAB_STATE, CODELAB_WORKSPACE),
  client: { name: 'sdk-executor', version: '1.0.0' },
  journalDir: `${CODELAB_STATE}/journals`,
  executor: workspaceExecutor(workspace),
  backoff: { ...DEFAULT_BACKOFF, maxMs: 500 }, // the kit cuts it off nine times in one check
  approve: approvesAll ? async () => ({ decision: 'approve' }) : undefined,
});
const end = () => void client.close().then(() => process.exit());
process.once('SIGTERM', end);
process.once('SIGINT', end);
await client.connect();
if (CODELAB_MESSAGE) await client.sendMessage(CODELAB_MESSAGE);
