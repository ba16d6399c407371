import type { Audience } from './tools-file.js';

/** Whether somebody sees an entry: it names the person, the tenant, or nobody. */
export function isFor({ owners, tenants }: Audience, { tenant, sub }: { readonly tenant: string; readonly sub: string }): boolean {
  if (owners === undefined && tenants === undefined) return true;
  return (
    (tenants ?? []).includes(tenant) ||
    (owners ?? []).some((owner) => owner === '*' || owner === `${tenant}/*` || owner === `${tenant}/${sub}`)
  );
}
