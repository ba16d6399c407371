import { describeCall } from '@codelab/tools';
import type { CallItem, Item } from '@codelab/client/view';
import { sanitise, sanitiseLine } from '@codelab/tools/human';
import type { SessionSummary } from './session-summary.js';

/** A conversation as Markdown that people read elsewhere. */
export function exportMarkdown(summary: SessionSummary, items: readonly Item[]): string {
  const { id, title, workspace, model, agent, updatedAtMs } = summary;
  const facts = [workspace, model, agent, updatedAtMs === 0 ? '' : new Date(updatedAtMs).toISOString()].filter((fact) => fact !== '');
  const head = [`# ${sanitiseLine(title || `Session ${id}`)}`, facts.map((fact) => sanitiseLine(fact)).join(' · ')];
  return `${[...head, ...items.map(exportItem)].filter((part) => part !== '').join('\n\n')}\n`;
}

function exportItem(item: Item): string {
  switch (item.kind) {
    case 'user':
      return `## You\n\n${sanitise(item.content).trim()}`;
    case 'assistant':
      return `## CodeLab\n\n${sanitise(item.text).trim()}`;
    case 'call':
      return exportCall(item);
    case 'notice':
      return `> ${sanitise(item.text).trim().replaceAll('\n', '\n> ')}`;
    case 'turn_end':
    case 'shell':
    case 'thought':
      return '';
  }
}

function exportCall(call: CallItem): string {
  const outcome =
    call.progress === 'done' ? '' : ` — ${call.error ? `${call.error.code}: ${sanitiseLine(call.error.message)}` : call.progress}`;
  const what = sanitiseLine(describeCall(call.toolName, call.args)).replaceAll('`', "'");
  return `- \`${sanitiseLine(call.toolName, 64)}${what === '' ? '' : ` ${what}`}\`${outcome}`;
}
