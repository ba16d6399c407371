/** Why a page was not given, and what to do about it. */
const WHY: Readonly<Record<number, string>> = {
  401: 'it wants a login, which this tool has not; ask the user for what stands there',
  402: 'it wants to be paid for; ask the user for what stands there',
  403: 'it is not for everybody, or not for programs; ask the user for what stands there, or look elsewhere',
  404: 'there is no such page; check the address, or search for it',
  410: 'the page is gone; search for it elsewhere',
  451: 'it is withheld for legal reasons',
};

/** `https://docs.test/x answered 404: there is no such page; …`. */
export function statusMessage(url: string, status: number, retryAfter: string | undefined): string {
  const wait = /^\d{1,6}$/.test(retryAfter ?? '') ? `in ${retryAfter ?? ''} s` : 'later';
  const why =
    WHY[status] ??
    (status === 429
      ? `it was asked too often; try again ${wait}, not at once`
      : status >= 500
        ? `the server has a fault of its own; try again ${wait}, or look elsewhere`
        : 'that is no page');
  return `${url} answered ${String(status)}: ${why}`;
}
