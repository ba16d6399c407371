import { formatCost, formatCount, formatPlural, type SessionView } from '@codelab/client/view';
import { useSession } from '../port/session-context.js';
import { Explained } from './explained.js';

const countTurns = ({ items }: SessionView): number => items.reduce((sum, item) => sum + (item.kind === 'turn_end' ? 1 : 0), 0);

/** What the session cost, as far as it was seen here. */
export function CostMeter() {
  const usage = useSession((view) => view.usage);
  const turns = useSession(countTurns);
  const { input_tokens: input, output_tokens: output, cost_usd: cost } = usage;
  if (input + output === 0) return null;
  const face = cost === undefined ? `${formatCount(output)} out` : formatCost(cost);
  return (
    <Explained label={`Cost: ${face}`} face={<span className="cl-meter">{face}</span>}>
      <p>
        <strong>
          {formatCount(input)} tokens in, {formatCount(output)} out{cost !== undefined && `, ${formatCost(cost)}`}
        </strong>
      </p>
      <p>
        {formatPlural(turns, 'turn')} since this session was opened here. The input of a turn is that of all of its requests, and each of
        them carries the conversation so far; most of it is cached, and cheaper.{' '}
        {cost === undefined && 'No price is known for the models that answered: the models file names prices.'}
      </p>
    </Explained>
  );
}
