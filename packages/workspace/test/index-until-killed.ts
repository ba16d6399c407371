/** Run as a program: indexes a workspace, and says so once files are in; goes on until it is killed. */
import { CodeIndex } from '../src/code-index/code-index.js';

const [root, dataDir, directory] = process.argv.slice(2) as [string, string, string];
const index = new CodeIndex({ root, dataDir, directory });
for (let isTold = false; ;) {
  const { files } = await index.update(20);
  if (files > 0 && !isTold) {
    isTold = true;
    process.send?.('begun');
  }
  index.touch();
}
