import { wholeOption } from '../bson/rounding.ts';
import { isNumber, type Value } from '../bson/values.ts';
import { DocDbError, failedToParse } from '../errors.ts';
import { type FieldDeclaration, oneOf } from './field.ts';
import { MOST_NODES } from './write-concern.ts';

/** Names for members of a replica set that have to have built an index, of which there is one here. */
const MODES: ReadonlySet<Value> = new Set(['majority', 'votingMembers']);

/** How many nodes have to have built an index before it is there: one builds it here, so that it may be 0, 1 or a name for all. */
export const commitQuorum: FieldDeclaration = oneOf(['int', 'long', 'double', 'decimal', 'string'], {
  effect: 'without effect',
  range: "0, 1, 'majority', 'votingMembers'",
  check: checkQuorum,
});

/** @throws DocDbError (9, 79, 278) for a number that is none of nodes, and for what one node can not meet */
function checkQuorum(quorum: Value): void {
  if (!isNumber(quorum)) {
    if (MODES.has(quorum)) return;
    throw new DocDbError(79, `No write concern mode named '${String(quorum)}' found in replica set configuration`);
  }
  const nodes = wholeOption(quorum);
  if (!(nodes >= 0 && nodes <= MOST_NODES))
    throw failedToParse(`commitQuorum has to be a number from 0 to ${String(MOST_NODES)}, or a text; found: ${String(quorum)}`);
  if (nodes > 1) throw new DocDbError(278, 'Not enough data-bearing voting nodes to satisfy commit quorum');
}
