import type { HookContext } from '@framework/core';
import type { RecordShape } from '../record-shape/record-shape.ts';
import { idKinds } from '../relations/id-kinds.ts';
import { idOf } from '../relations/relation.ts';
import { coerce } from '../validation/coerce.ts';

/**
 * Converts the id of a call, which is a text where it comes from a URL, to a number where the records have numbers for ids. What is no
 * number stays as it is, and finds nothing; so does a number in another spelling, such as `1.0`: hooks in front of this one know a record by its text.
 */
export function convertId(context: HookContext, { root }: RecordShape): void {
  if (typeof context.id !== 'string') return;
  const location = root.step(idOf(context.service));
  const kinds = location && idKinds(location);
  if (kinds?.size !== 1 || !kinds.has('number')) return;
  const id = coerce(NUMBER, context.id);
  if (String(id) === context.id) context.id = id;
}

const NUMBER = Object.freeze({ type: 'number' });
