import { toNumber } from '../bson/arithmetic.ts';
import { wholeOption } from '../bson/rounding.ts';
import { type Doc, isDocument, isNumber, typeName, type Value } from '../bson/values.ts';
import { badValue, codeName, DocDbError, failedToParse } from '../errors.ts';
import { anything, choice, type FieldDeclaration, object, truth } from './field.ts';

/**
 * How a command waits for other nodes, which there are none of: not at all; what it would wait for in vain is refused before anything is
 * changed; or it is told behind the write, as by a replica set of one node.
 */
export type WriteWaits = 'never' | 'refused before' | 'told behind';

/** By whom a concern was chosen. */
export const PROVENANCES: readonly string[] = [
  'clientSupplied',
  'implicitDefault',
  'customDefault',
  'getLastErrorDefaults',
  'internalWriteDefault',
];
/** Nodes that a replica set may have. */
export const MOST_NODES = 50;

/** @throws DocDbError (2, 9) for what names no nodes */
function checkNodes(value: Value): void {
  if (value === null) throw badValue("'w' may not be null");
  if (typeof value === 'string') return;
  if (isDocument(value)) {
    if (Object.values(value).length === 0 || !Object.values(value).every(isNumber)) throw failedToParse('the tags of w have to be numbers');
    return;
  }
  if (!isNumber(value)) throw failedToParse(`w has to be a number, string, or object; found: ${typeName(value)}`);
  const nodes = wholeOption(value);
  if (Number.isNaN(nodes) || nodes < 0 || nodes > MOST_NODES)
    throw failedToParse(`w has to be a non-negative number and not greater than ${String(MOST_NODES)}; found: ${String(value)}`);
}

/** @throws DocDbError (2) for a concern that asks for more nodes than there are */
export function checkReachable(concern: Value): void {
  const value = isDocument(concern) ? concern.w : undefined;
  if (typeof value === 'string' && value !== 'majority') throw badValue(`cannot use '${value}' as 'w' where there is one node`);
  if (isNumber(value) && wholeOption(value) > 1) throw badValue("cannot use 'w' > 1 where there is one node");
}

const declared = (range: string, check?: (concern: Value) => void): FieldDeclaration =>
  object({
    ...(check ? { check } : {}),
    fields: {
      w: anything({ nullable: false, range, check: checkNodes }),
      j: truth({ effect: 'without effect' }),
      fsync: truth({ effect: 'without effect' }),
      wtimeout: anything({
        effect: 'without effect',
        check(value) {
          if (isNumber(value) && toNumber(value) > 2_147_483_647) throw failedToParse('wtimeout must be at most 2147483647');
        },
      }),
      provenance: choice(PROVENANCES, { effect: 'without effect' }),
    },
  });

const CONCERNS: Readonly<Record<WriteWaits, FieldDeclaration>> = {
  never: object({
    check() {
      throw new DocDbError(72, 'Command does not support writeConcern');
    },
  }),
  'refused before': declared("0, 1, 'majority'", checkReachable),
  'told behind': declared("0, 1, 'majority'; what asks for more nodes is told of it behind the write"),
};

/** @returns the field of a command that says which nodes it waits for */
export function writeConcern(waits: WriteWaits): FieldDeclaration {
  return CONCERNS[waits];
}

/** @returns what is told behind a write that is there, and on no more nodes than this one: the field of its answer, if any */
export function unsatisfied(concern: Value): Doc {
  if (!isDocument(concern)) return {};
  const { w } = concern;
  if (typeof w === 'string' && w !== 'majority')
    return told(79, `No write concern mode named '${w}' found in replica set configuration`, w);
  return isNumber(w) && wholeOption(w) > 1 ? told(100, 'Not enough data-bearing nodes', w) : {};
}

function told(code: number, message: string, w: Value): Doc {
  const errInfo = { writeConcern: { w, wtimeout: 0, provenance: 'clientSupplied' } };
  return { writeConcernError: { code, codeName: codeName(code), errmsg: message, errInfo } };
}
