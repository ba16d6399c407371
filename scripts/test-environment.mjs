import { TestEnvironment } from 'jest-environment-node';

/** Node, where hooks can see that the test failed which they run behind: a browser then leaves pictures of its pages. */
export default class extends TestEnvironment {
  async handleTestEvent(event) {
    if (event.name === 'test_start') this.global.codelabTestFailed = false;
    if (event.name === 'test_fn_failure') this.global.codelabTestFailed = true;
  }
}
