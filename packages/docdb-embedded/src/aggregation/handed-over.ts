import { copyOf } from '../bson/fields.ts';
import { Code, type Doc, MaxKey, MinKey, setOwn, type Value } from '../bson/values.ts';

/**
 * Some values of a group change where a server's newer engine, which groups, hands them to the older one, which does the stage that follows:
 * MongoDB 8.2 puts the least and the greatest key into a document with an empty name, and makes a text of code.
 */
export function handedOver(value: Value): Value {
  if (value instanceof MinKey || value instanceof MaxKey) return { '': value };
  return value instanceof Code && !value.scope ? value.code : value;
}

/** @returns a document of a group as the stage behind it gets it */
export function handedOverFields(group: Doc): Doc {
  let changed: Doc | undefined;
  for (const name of Object.keys(group)) {
    const value = group[name];
    const next = Array.isArray(value) ? listHandedOver(value as Value[]) : keyHandedOver(value);
    if (next === value) continue;
    changed ??= copyOf(group);
    setOwn(changed, name, next);
  }
  return changed ?? group;
}

const keyHandedOver = (value: Value): Value => (value instanceof Code ? value : handedOver(value));

function listHandedOver(list: Value[]): Value[] {
  return list.some((value) => value instanceof MinKey || value instanceof MaxKey) ? list.map(keyHandedOver) : list;
}
