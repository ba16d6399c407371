/** Run as a program: indexes a workspace, and says so once files are in; goes on until it is killed. */
import { openWorkspace } from '../src/open-workspace.js';

const [root, dataDir] = process.argv.slice(2) as [string, string];
const { index } = await openWorkspace({ root, dataDir, index: {} });
for (let isTold = false; ;) {
  const { files } = await index!.update(20);
  if (files > 0 && !isTold) {
    isTold = true;
    process.send?.('begun');
  }
  index!.touch();
}
