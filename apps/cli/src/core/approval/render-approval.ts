import {
  chooseRule,
  describeCall,
  planOf,
  prettyArguments,
  readMcpToolName,
  sanitiseLine,
  splitUnsafe,
  toolTitle,
} from '@codelab/tools/human';
import { renderDiff } from '../diff/render-diff.js';
import type { Highlighter } from '../markdown/highlight-code.js';
import { renderEditor } from '../input/render-editor.js';
import type { Cursor } from '../screen/screen.js';
import type { Line, StyleName } from '../text/span.js';
import { span } from '../text/span.js';
import { wrapSpans } from '../text/wrap-spans.js';
import type { ApprovalPrompt } from './approval-prompt.js';
import { canPickHunks } from './approval-prompt.js';
import { APPROVAL_PANEL, inPanel, keyRow, panelText } from './panel.js';
import { PLAN_KEYS, renderPlan } from './plan.js';
import type { PendingCall } from './pending-call.js';
import { renderRuleChoice } from './render-rule-choice.js';

export interface ApprovalLook {
  readonly width: number;
  /** Rows that the panel may fill. */
  readonly maxRows: number;
  readonly highlight: Highlighter;
  /** `2 of 3`, where several calls wait. */
  readonly position?: string | undefined;
  /** The keys go to the message that is being written. */
  readonly idle: boolean;
}

const RISKS: Readonly<Record<string, StyleName>> = { low: 'good', medium: 'warn', high: 'bad' };

/** Draws the question whether a call may run: what it is, why it is asked, what it would do, and the keys. */
export function renderApproval(prompt: ApprovalPrompt, look: ApprovalLook): { readonly rows: readonly Line[]; readonly cursor?: Cursor } {
  const { call } = prompt;
  const inner = look.width - 2;
  const head = [...headRows(call, look, inner), []];
  const foot = footRows(prompt, look, inner);
  const content = previewRows(call, inner - 2, look.highlight);
  const room = Math.max(3, look.maxRows - head.length - foot.rows.length - 1);
  const cut = content.length > room;
  const more = `⋯ ${content.length - room + 1} more rows: d shows everything`;
  const shown = cut ? [...content.slice(0, room - 1), [span(more, 'warn')]] : content;
  const rows = [...head, ...shown.map((line): Line => [span('  '), ...line]), [], ...foot.rows];
  const at = foot.cursor && { row: rows.length - foot.rows.length + foot.cursor.row, column: foot.cursor.column + 2 };
  return { rows: inPanel(APPROVAL_PANEL, rows), cursor: at };
}

/** Everything that there is to see of a call before it is decided, for reading at leisure. */
export function approvalDetails(call: PendingCall, width: number, highlight: Highlighter): readonly Line[] {
  const args = wrapSpans([span(prettyArguments(call.args))], { width: width - 2, breaks: 'anywhere' });
  const preview = call.preview || planOf(call) !== undefined ? [...previewRows(call, width, highlight), []] : [];
  const digest = wrapSpans([span(`SHA-256 ${call.argsSha256}`, 'muted')], { width });
  return [...preview, [span('Arguments', 'strong')], ...args.map((line): Line => [span('  '), ...line]), [], ...digest];
}

function headRows(call: PendingCall, look: ApprovalLook, inner: number): readonly Line[] {
  const { risk = 'medium' } = call.approval ?? {};
  const why = call.approval?.reason ?? '';
  const reason = call.origin === 'client' ? ['this machine asks, whatever the servers decide', why].filter(Boolean).join(': ') : why;
  const position = look.position ? [span(`  ${look.position}`, 'muted')] : [];
  if (planOf(call) !== undefined)
    return panelText([span('The plan', 'approval'), ...position, span(`  ${call.argsSha256.slice(0, 8)}`, 'muted')], inner);
  const title = [
    span('Approval needed  ', 'approval'),
    span(toolTitle(call.toolName), 'strong'),
    span('  '),
    span(sanitiseLine(describeCall(call.toolName, call.args), 300)),
  ];
  const ofServer = readMcpToolName(call.toolName);
  const facts = [
    ...(ofServer === undefined ? [] : [span(`tool of the MCP server ${sanitiseLine(ofServer.server, 32)} · `)]),
    span(`${risk} risk`, RISKS[risk] ?? 'warn'),
    span(reason === '' ? '' : ` · ${sanitiseLine(reason, 300)}`),
    span(` · ${call.argsSha256.slice(0, 8)}`, 'muted'),
  ];
  return [...panelText([...title, ...position], inner), ...panelText(facts, inner), ...warningRows(call, inner)];
}

function warningRows(call: PendingCall, inner: number): readonly Line[] {
  const hidden = [call.preview?.text ?? '', prettyArguments(call.args)].some((text) => splitUnsafe(text).some((piece) => piece.escaped));
  return hidden
    ? panelText(
        [
          span('! ', 'warn'),
          span('It holds characters that are invisible or that steer a terminal. They are shown like '),
          span('\x1b'),
          span('.'),
        ],
        inner,
      )
    : [];
}

function previewRows(call: PendingCall, width: number, highlight: Highlighter): readonly Line[] {
  const { preview } = call;
  const plan = planOf(call);
  if (plan !== undefined) return renderPlan(plan, { width, highlight, marks: false });
  if (preview?.kind === 'diff' && preview.text.trim() !== '') return renderDiff(preview.text, width, highlight);
  if (preview?.kind === 'command') return commandRows(preview.text, readCommand(call.args), width);
  const code = call.toolName === 'kernel.execute' && preview?.kind === 'text' ? preview.text : '';
  if (code !== '') return highlight(code, 'python').flatMap((line) => wrapSpans(line, { width, breaks: 'anywhere' }));
  const text = preview && preview.text.trim() !== '' ? preview.text : prettyArguments(call.args);
  return wrapSpans([span(text.trimEnd())], { width, breaks: 'anywhere' });
}

/**
 * A command, then what is told about it. A command of several lines has a mark before each of them, so that it can't look like what is told.
 */
function commandRows(text: string, command: string | undefined, width: number): readonly Line[] {
  const told = command !== undefined && text.startsWith(`${command}\n`) ? text.slice(command.length + 1) : '';
  const lines = (told === '' ? text : command!).split('\n');
  const rows = lines.flatMap((line, index) =>
    wrapSpans([span(line, 'strong')], { width, first: [span(index === 0 ? '$ ' : '> ', 'muted')], rest: [span('  ')], breaks: 'anywhere' }),
  );
  return told.trim() === '' ? rows : [...rows, ...wrapSpans([span(told.trimEnd())], { width })];
}

function readCommand(args: string): string | undefined {
  try {
    const { command } = JSON.parse(args) as { readonly command?: unknown };
    return typeof command === 'string' ? command : undefined;
  } catch {
    return undefined; // shown as it came
  }
}

function footRows(prompt: ApprovalPrompt, look: ApprovalLook, inner: number): { rows: readonly Line[]; cursor?: Cursor } {
  const fault = prompt.fault ? panelText([span('✗ ', 'bad'), span(prompt.fault)], inner) : [];
  if (prompt.mode === 'reason') {
    const { rows, cursor } = renderEditor(prompt.reason, inner, 'why not? the model reads it');
    const keys = panelText(
      keyRow([
        ['Enter', 'rejects'],
        ['Esc', 'goes back'],
      ]),
      inner,
    );
    return { rows: [...fault, ...rows, ...keys], cursor: { row: fault.length + cursor.row, column: cursor.column } };
  }
  if (prompt.choice) return { rows: [...fault, ...renderRuleChoice(prompt.choice, inner)] };
  if (look.idle) return { rows: [...fault, ...panelText(keyRow([['Tab', 'decides; the keys go to your message now']]), inner)] };
  if (planOf(prompt.call) !== undefined) return { rows: [...fault, ...panelText(keyRow(PLAN_KEYS), inner)] };
  const keys = keyRow([
    ['a', 'approve'],
    ...(chooseRule(prompt.call, 'approve') ? [['m', 'approve and remember…'] as const] : []),
    ['r', 'reject…'],
    ...(chooseRule(prompt.call, 'reject') ? [['n', 'never…'] as const] : []),
    ['e', 'edit'],
    ...(canPickHunks(prompt.call) ? [['h', 'choose hunks'] as const] : []),
    ['d', 'details'],
  ]);
  return { rows: [...fault, ...panelText(keys, inner)] };
}
