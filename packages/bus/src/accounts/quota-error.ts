/** What a person, or all persons of a tenant, may store. 0: any amount. */
export interface QuotaLimits {
  readonly ownerBytes: number;
  readonly tenantBytes: number;
}

const SETTINGS = { owner: 'CODELAB_QUOTA_OWNER_BYTES', tenant: 'CODELAB_QUOTA_TENANT_BYTES' } as const;
const WHOSE = { owner: 'Your sessions', tenant: 'The sessions of your tenant' } as const;

/** There is no room for what was to be stored; nothing of it was. The message is for the human: whose quota, and what to do. */
export class QuotaError extends Error {
  override readonly name = 'QuotaError';

  constructor(of: 'owner' | 'tenant', usedBytes: number, limitBytes: number) {
    super(
      `${WHOSE[of]} take ${String(usedBytes)} bytes, and the quota is ${String(limitBytes)} (${SETTINGS[of]}): ` +
        'delete sessions that are no longer needed (DELETE /api/v1/sessions/{id}), then go on',
    );
  }
}
