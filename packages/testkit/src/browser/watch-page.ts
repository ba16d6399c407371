import type { BrowserContext } from 'playwright-core';

/** Told by each document before its first script. `blockedURI` and `effectiveDirective` are what a policy refused, and which line of it. */
const REPORT = `addEventListener('securitypolicyviolation', (event) =>
  reportProblem('content security policy: ' + event.effectiveDirective + ' refused ' + (event.blockedURI || 'something') + ' ' + event.sample));`;
/** What Chromium writes by itself when a server refuses or is away: tests refuse on purpose, and ask what the page says of it. */
const NETWORK = /^Failed to load resource|^WebSocket connection to/;

/** Hears what is wrong in any page of a context: uncaught errors, errors on the console, violations of the content security policy. */
export async function watchPage(context: BrowserContext, hear: (problem: string) => void): Promise<void> {
  await context.exposeFunction('reportProblem', hear);
  await context.addInitScript(REPORT);
  context.on('weberror', (error) => hear(`uncaught: ${error.error().stack ?? error.error().message}`));
  context.on('console', (message) => {
    if (message.type() === 'error' && !NETWORK.test(message.text())) hear(`console: ${message.text()}`);
  });
}
