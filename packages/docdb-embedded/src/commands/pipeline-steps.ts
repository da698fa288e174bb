import type { ExpressionScope } from '../aggregation/expression.ts';
import type { Vars } from '../aggregation/pipeline-types.ts';
import type { Doc } from '../bson/values.ts';
import type { MemoryRules } from '../spill/memory.ts';
import type { Operation } from './operation.ts';

/** Documents that come a few at a time. */
export type Steps = AsyncIterable<Doc[]>;

/** What a pipeline runs with. */
export interface PipelineRun {
  readonly vars: Vars;
  readonly scope: ExpressionScope;
  readonly operation: Operation;
  readonly memory: MemoryRules;
}
