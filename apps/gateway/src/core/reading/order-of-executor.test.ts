import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { OrderOfExecutor } from './order-of-executor.js';

const deferred = (): { readonly promise: Promise<void>; readonly resolve: () => void; readonly reject: (error: Error) => void } => {
  const ends: { resolve: () => void; reject: (error: Error) => void } = { resolve: () => undefined, reject: () => undefined };
  const promise = new Promise<void>((resolve, reject) => Object.assign(ends, { resolve, reject }));
  return { promise, resolve: () => ends.resolve(), reject: (error) => ends.reject(error) };
};

test(
  verifies('R2:given-before-told', 'a call that was noted as given is written before its client hears that another executes'),
  async () => {
    const said: string[] = [];
    const order = new OrderOfExecutor({ tellExecutor: (executor) => said.push(`executor ${executor}`) });
    const [first, second] = [deferred(), deferred()];
    const give = async (what: string, noted: Promise<void>): Promise<void> => {
      await noted;
      said.push(what);
    };
    const given = [order.giving(() => give('call 1', first.promise)), order.giving(() => give('call 2', second.promise))];
    order.change('laptop');
    order.change('desk');
    first.resolve();
    await given[0];
    expect(said).toEqual(['call 1']);
    second.resolve();
    await given[1];
    expect(said).toEqual(['call 1', 'call 2', 'executor desk']);
    order.change('laptop');
    expect(said.at(-1)).toBe('executor laptop');
  },
);

test(verifies('R2:given-before-told', 'and hears it, too, where the store was away'), async () => {
  const said: string[] = [];
  const order = new OrderOfExecutor({ tellExecutor: (executor) => said.push(executor) });
  const away = deferred();
  const given = order.giving(() => away.promise);
  order.change('laptop');
  away.reject(new Error('away'));
  await expect(given).rejects.toThrow('away');
  expect(said).toEqual(['laptop']);
});

test(
  verifies('R2:told-before-shown', 'what comes after another took over waits until the client has heard of it, and no longer'),
  async () => {
    const said: string[] = [];
    const order = new OrderOfExecutor({ tellExecutor: (executor) => said.push(`executor ${executor}`) });
    const given = deferred();
    const give = order.giving(() => given.promise);
    expect(order.whenTold()).toBeUndefined();
    order.change('laptop');
    const shown = order.whenTold()?.then(() => said.push('shown'));
    const next = order.giving(async () => said.push('call 2'));
    order.change('desk');
    await Promise.resolve();
    expect(said).toEqual([]);
    given.resolve();
    await Promise.all([give, shown, next]);
    expect(said[0]).toBe('executor desk');
    expect(said.slice(1).sort()).toEqual(['call 2', 'shown']);
    expect(order.whenTold()).toBeUndefined();
  },
);
