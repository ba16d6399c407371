import type { WriteStream } from 'node:tty';
import { renderAudit } from '../../core/audit/render-audit.js';
import { printLines } from '../print-lines.js';
import { RestApi } from '../rest/rest-api.js';
import type { GatewayOptions } from '../session/choose-gateway.js';
import { findGateway } from '../session/choose-gateway.js';

export interface AuditOptions extends GatewayOptions {
  readonly session?: string;
  readonly limit: number;
  readonly json?: boolean;
}

/** Prints who decided what, newest first. */
export async function showAudit({ session, limit, json, ...options }: AuditOptions, out: WriteStream): Promise<void> {
  const rest = new RestApi(await findGateway(options));
  const entries = (await rest.pages('/api/v1/audit', 'entries', { session_id: session }, limit)).flat();
  if (json) out.write(`${JSON.stringify({ entries }, null, 2)}\n`);
  else printLines(renderAudit(entries), out);
}
