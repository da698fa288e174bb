import { DocDbError } from '../errors.ts';
import { type Command, type CommandContext, namespace } from './command.ts';
import { collectionNow } from './query-command.ts';

/** Plans are chosen anew for each query: there is nothing to clear, and there are no filters. */
function checkTarget(context: CommandContext): void {
  const ns = namespace(context);
  if (collectionNow(context, ns)?.isView === true) throw new DocDbError(166, `Namespace ${ns} is a view, not a collection`);
}

/** `planCacheClear` and `planCacheClearFilters` */
export const clearPlans: Command = (context) => {
  checkTarget(context);
  return {};
};

/** `planCacheListFilters` */
export const listPlanFilters: Command = (context) => {
  checkTarget(context);
  return { filters: [] };
};
