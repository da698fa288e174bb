import {
  contributing,
  eachRecord,
  getRules,
  NOBODY,
  partsOf,
  PathRules,
  type HookContext,
  type NextFunction,
  type RecordRules,
} from '@framework/core';

/**
 * Hook that keeps properties from callers: registered on a service, for whatever method, it adds them as hidden to the rules of the service's records.
 * They are then neither sent nor queried, sorted by or written from outside, except that a property which is written by rule, such as the password of
 * a strategy or of `hashPassword`, is written all the same. Where its service does not know of it, as a hook of an application or called by
 * another hook, it leaves the properties out of what is sent at its place, and says nothing of queries and data.
 *
 * @param fields properties; dotted paths are allowed, and go through lists
 * @throws Error without a property, TypeError for what is no path
 */
export function protect(...fields: string[]): (context: HookContext, next?: NextFunction) => Promise<void> {
  if (fields.length === 0) throw new Error("The protect hook needs at least one property that it keeps from callers: protect('password')");
  const rules = new PathRules().add({ hidden: fields });
  const paths = fields.map(partsOf);
  const work = { record: rules.redactor(NOBODY), other: rules.redactor(NOBODY, true) };
  // Rules only become more, so that what is hidden stays so.
  const hiding = new WeakSet<RecordRules>();
  const hides = (known: RecordRules): boolean => {
    if (hiding.has(known)) return true;
    if (!paths.every((path) => known.property(path, NOBODY)?.readable === false)) return false;
    hiding.add(known);
    return true;
  };
  const hook = async (context: HookContext, next?: NextFunction): Promise<void> => {
    if (context.type === 'around') await next?.();
    const known = getRules(context.service);
    if (known && hides(known)) return;
    context.dispatch = eachRecord(context, context.dispatch ?? context.result, work);
    // Calls that are made by hand may have no parameters.
    if ((context.params as { readonly provider?: unknown } | undefined)?.provider !== undefined) context.result = context.dispatch;
  };
  return contributing(hook, { hidden: fields });
}
