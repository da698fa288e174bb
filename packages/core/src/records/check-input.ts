import { BadRequest } from '@framework/errors';
import type { HookContext, NextFunction } from '../hooks/hook-types.ts';
import { copyParams } from '../service/copy-params.ts';
import { checkedQuery } from './checked-query.ts';
import { keepReplaced } from './keep-replaced.ts';
import type { Problem, RecordRules, WriteOperation } from './record-rules.ts';
import { unseenConditions } from './seen-conditions.ts';

/**
 * Around hook that refuses calls from outside which ask for or set what callers do not see or set, in a service whose records
 * nothing describes.
 *
 * @throws BadRequest (400) with at most 20 problems
 */
export function checkInput(rules: RecordRules): (context: HookContext, next: NextFunction) => Promise<void> {
  return (context, next) => {
    const { params, data, method } = context;
    if (params.provider !== undefined) {
      refuse(unseenConditions(params.query, rules, { params }));
      refuse(rules.refused(data, method as WriteOperation, { params }));
      refuse(keepReplaced(context, rules));
      const checked = checkedQuery(context);
      if (checked) context.params = copyParams(context.params, checked);
    }
    return next();
  };
}

function refuse(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new BadRequest('validation failed', { errors: problems });
}
