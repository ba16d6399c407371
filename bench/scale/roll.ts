import { rollServices } from './roll-services.js';
import type { PartContext } from './stage.js';

/** Replicas come and go while people and programs work. */
export async function roll({ store, say }: PartContext): Promise<number> {
  const outcome = await rollServices({ store, people: 20, rounds: 3, pauseMs: 2_000, modelMs: 300, tellsBalancers: false });
  const { added, drained, turns, calls, answers, reconnections, errors } = outcome;
  say(
    `${String(added)} replicas added, ${String(drained)} drained, while 20 people and 10 programs worked: ${String(turns)} turns with ${String(calls)} calls, ${String(answers)} answers to programs, ${String(reconnections)} connections moved to another gateway`,
  );
  say(
    `errors: ${String(errors.length)}${errors
      .slice(0, 10)
      .map((error) => `\n- ${error}`)
      .join('')}`,
  );
  return errors.length;
}
