import { verifies } from '@codelab/testkit';
import { findBarriers } from '@codelab/testkit/browser';
import { expect, test } from 'vitest';
import { useReviewGallery } from './use-gallery.js';

const open = useReviewGallery();
type Page = Awaited<ReturnType<typeof open>>;

const armed = (page: Page): Promise<void> => page.locator('.cl-approval[data-armed]').first().waitFor();
const decisions = (page: Page): Promise<readonly Readonly<Record<string, unknown>>[]> => page.evaluate('played.decisions');

test(
  verifies(
    'H1:ui-keys',
    'a letter decides only once the card was in sight for a moment, never while something is typed, and Enter never does',
  ),
  async () => {
    const page = await open('command');
    await page.keyboard.press('y'); // it has just appeared
    await armed(page);
    expect(await decisions(page)).toEqual([]);
    await page.getByLabel('Message').fill('say');
    await page.keyboard.press('y');
    await page.keyboard.press('Enter');
    expect(await decisions(page)).toEqual([]);
    await page.getByLabel('Message').blur();
    await page.keyboard.press('Enter');
    expect(await decisions(page)).toEqual([]);
    await page.keyboard.press('y');
    expect(await decisions(page)).toEqual([{ decision: 'approve', callId: 'call_command', argsSha256: 'c'.repeat(64) }]);
  },
);

test(verifies('H3:ui-reject', 'a call is rejected with words, and a refusal of the servers is said beside it'), async () => {
  const page = await open('command');
  await armed(page);
  await page.evaluate("port.refusal = 'The call has other arguments by now.'");
  await page.keyboard.press('y');
  await page.getByRole('alert').getByText('The call has other arguments by now.').waitFor();
  await page.keyboard.press('n');
  await page.getByLabel('Why not? The model reads it').fill('Run only the unit tests.');
  await page.keyboard.press('Control+Enter');
  expect(await decisions(page)).toMatchObject([{ decision: 'reject', feedback: 'Run only the unit tests.' }]);
});

test(
  verifies(
    'H2:ui-edit-arguments',
    'arguments are edited with names, values and faults by the tool’s schema, and approved only when they fit',
  ),
  async () => {
    const page = await open('outside');
    await armed(page);
    await page.keyboard.press('e');
    const editor = page.getByRole('textbox', { name: 'The arguments of mcp__github__create_issue' });
    await editor.waitFor();
    await editor.press('Control+a');
    await page.keyboard.insertText('{"title": 3}');
    await page.getByText('title: It must be a text.').first().waitFor();
    expect(await page.getByRole('button', { name: 'Approve with these arguments' }).isDisabled()).toBe(true);
    await editor.press('Control+a');
    await page.keyboard.insertText('{"title": "A bound", "labels": []}');
    await page.getByText('title: It must be a text.').waitFor({ state: 'detached' });
    for (let step = 0; step < 2; step += 1) await editor.press('ArrowLeft');
    await editor.press('Control+Space');
    await page.getByRole('option', { name: '"feature"' }).click();
    await page.getByRole('button', { name: 'Approve with these arguments' }).click();
    expect(await decisions(page)).toMatchObject([{ decision: 'edit', modifiedArgs: { title: 'A bound', labels: ['feature'] } }]);
  },
);

test(
  verifies('H3:ui-remember', 'a rule is chosen with what it would let run and what not, and goes with the decision as it was proposed'),
  async () => {
    const page = await open('write');
    await armed(page);
    await page.keyboard.press('m');
    await page.getByLabel(/directly in src/).check();
    expect(await page.locator('.cl-rule-examples').allTextContents()).toEqual([
      'Would runsrc/queue.tssrc/another.ts',
      'Would still asksrc/deeper/file.tselsewhere/file.ts.env',
    ]);
    await page.getByLabel(/this folder/).check();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Approve and remember' }).click();
    expect(await decisions(page)).toMatchObject([
      { decision: 'approve', remember: { scope: 'project', rule: { effect: 'allow', tool: 'write_file', path: 'src/*' } } },
    ]);
  },
);

test(
  verifies(
    'H3:ui-decided-elsewhere',
    'somebody who was deciding is told that another was faster, who it was, and that nothing of theirs was sent',
  ),
  async () => {
    const page = await open('command');
    await armed(page);
    await page.keyboard.press('n');
    await page.getByLabel('Why not? The model reads it').fill('No');
    await page.evaluate("port.settle('call_command', 'approved', 'ann')");
    await page.getByRole('alert').getByText('It was approved by ann. What you had begun was not used.').waitFor();
    expect(await decisions(page)).toEqual([]);
  },
);

test(verifies('H3:ui-several', 'several calls that wait are counted, and the next one takes the letters'), async () => {
  const page = await open('approvals');
  await page.getByText('5 calls wait for you').click();
  await page
    .getByRole('listitem')
    .getByRole('button', { name: /github:create_issue/ })
    .click();
  expect(await page.evaluate("document.activeElement.textContent.includes('create_issue')")).toBe(true);
  await page.evaluate('document.activeElement.blur()');
  await armed(page);
  await page.keyboard.press('y');
  await page.getByText('4 calls wait for you').waitFor();
  expect(await decisions(page)).toMatchObject([{ callId: 'call_write' }]);
});

test.each(['approvals', 'questions', 'plan'])(
  verifies('G2:ui-questions', '%s have no barrier, dark and light, on a phone and on a desk'),
  async (name) => {
    for (const [theme, width] of [
      ['dark', 360],
      ['light', 1280],
    ] as const) {
      const page = await open(name, { theme, viewport: { width, height: 800 }, colorScheme: theme });
      await page.locator('.cl-approval, .cl-question').first().waitFor();
      expect(await findBarriers(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    }
  },
);

test(
  verifies(
    'H3:ui-questions',
    'questions of the model and of servers are answered, declined or left, and none of them looks like an approval',
  ),
  async () => {
    const page = await open('questions');
    const prompt = page.getByRole('region', { name: 'The model asks', exact: true });
    expect(await prompt.textContent()).not.toMatch(/approve|allow|risk/i);
    expect(await prompt.getByRole('button', { name: 'Answer the model' }).isDisabled()).toBe(true);
    await prompt.getByLabel('“Use SQLite for the tests”').check();
    await prompt.getByRole('button', { name: 'Answer the model' }).click();
    const review = page.getByRole('region', { name: 'The model asks which changes you keep' });
    await review.getByRole('button', { name: 'Drop', exact: true }).first().click();
    await review.getByRole('button', { name: 'Keep the rest' }).click();
    await review.getByRole('button', { name: 'Tell the model what you keep' }).click();
    const form = page.getByRole('region', { name: 'The MCP server tickets asks' });
    await form.getByRole('button', { name: 'Send the answers' }).click();
    expect(await form.getByRole('alert').allTextContents()).toEqual([
      'It needs an answer.',
      'It needs an answer.',
      'It needs an answer.',
      'Choose at least 1.',
    ]);
    await form.getByLabel('Summary').fill('The queue grows');
    await form.getByLabel('Contact').fill('ann@example.com');
    await form.getByLabel('Today').check();
    await form.getByLabel('server').check();
    await form.getByRole('button', { name: 'Send the answers' }).click();
    await page
      .getByRole('region', { name: /wants to open a page/ })
      .getByRole('button', { name: 'Decline' })
      .click();
    await page.getByRole('button', { name: 'Let it ask' }).click();
    await armed(page);
    await page.keyboard.press('y');
    expect(await page.evaluate('played.answers')).toEqual([
      { id: 'q1', kind: 'prompt', action: 'Use SQLite for the tests' },
      { id: 'q2', kind: 'review', chunks: [2], editedChunks: [] },
      {
        id: 'q3',
        kind: 'form',
        content: { summary: 'The queue grows', contact: 'ann@example.com', priority: 'high', areas: ['server'], days: 3, notify: true },
      },
      { id: 'q4', kind: 'decline' },
      { id: 'q5', kind: 'form', content: {} },
      { id: 'q6', kind: 'confirm', decision: 'approve' },
    ]);
  },
);
