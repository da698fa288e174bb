import { collatorFor, type Collator } from '../bson/collation.ts';
import { type Doc, isDocument, type Value } from '../bson/values.ts';
import { DocDbError, failedToParse } from '../errors.ts';
import { compileFilter, type Predicate } from '../query/matcher.ts';
import { compileExpression, isTrue, type ExpressionScope } from './expression.ts';
import { groupStages } from './stages/group.ts';
import { joinStages } from './stages/join.ts';
import { outputStages } from './stages/output.ts';
import { shapeStages } from './stages/shape.ts';
import { sourceStages } from './stages/source.ts';
import { windowStages } from './stages/window.ts';

/** Variables by name. */
export type Vars = Readonly<Record<string, Value>>;

/** A compiled stage. */
export type Stage = (docs: Doc[], vars: Vars) => Doc[];

/** A collection as stages see it. */
export interface PipelineCollection {
  /** Documents that match, by an index where one fits. */
  find(filter: Doc, collator: Collator | undefined, vars: Vars): Doc[];
  /** Whether an index begins with the field. */
  hasIndex(field: string): boolean;
  /** Facts for `$collStats` and `$indexStats`. */
  stats(): { readonly count: number; readonly size: number; readonly indexes: readonly Doc[] };
}

/** What stages need of the database. */
export interface PipelineHost {
  /** Full name of the collection that the pipeline runs on. */
  readonly ns: string;
  collection(name: string, database?: string): PipelineCollection;
  /** Replaces a collection's content. */
  replaceCollection(database: string | undefined, name: string, docs: readonly Doc[]): void;
  insert(database: string | undefined, name: string, doc: Doc): void;
  replace(database: string | undefined, name: string, old: Doc, doc: Doc): void;
  /** Whether a unique index covers exactly these fields. */
  hasUniqueIndex(database: string | undefined, name: string, fields: readonly string[]): boolean;
}

/** What a pipeline is compiled with. */
export interface PipelineContext {
  readonly host: PipelineHost;
  readonly scope: ExpressionScope;
}

/** Compiles the operand of a stage. */
export type StageCompiler = (operand: Value, context: PipelineContext) => Stage;

const STAGES: Readonly<Record<string, StageCompiler>> = {
  ...shapeStages,
  ...groupStages,
  ...joinStages,
  ...windowStages,
  ...outputStages,
  ...sourceStages,
};

const ONLY_FIRST: ReadonlySet<string> = new Set(['$collStats', '$indexStats', '$documents', '$geoNear', '$search', '$changeStream', '$listSessions', '$listLocalSessions', '$currentOp']);

/**
 * Compiles a pipeline.
 *
 * @throws DocDbError (40323, 40324, 40601, 40602, …) for what is no valid pipeline
 */
export function compilePipeline(pipeline: readonly Value[], context: PipelineContext): Stage {
  const stages = pipeline.map((entry, index) => {
    const name = stageName(entry);
    if (index > 0 && ONLY_FIRST.has(name)) throw new DocDbError(40602, `${name} is only valid as the first stage in a pipeline`);
    if ((name === '$out' || name === '$merge') && index < pipeline.length - 1) throw new DocDbError(40601, `${name} can only be the final stage in the pipeline`);
    const compiler = Object.hasOwn(STAGES, name) ? STAGES[name] : undefined;
    if (!compiler) throw new DocDbError(40324, `Unrecognized pipeline stage name: '${name}'`);
    return compiler((entry as Doc)[name], context);
  });
  return (docs, vars) => stages.reduce((current, stage) => stage(current, vars), docs);
}

/** @returns the name of a stage */
export function stageName(stage: Value): string {
  if (!isDocument(stage)) throw new DocDbError(14, "Each element of the 'pipeline' array must be an object");
  const names = Object.keys(stage);
  if (names.length !== 1) throw new DocDbError(40323, 'A pipeline stage specification object must contain exactly one field.');
  return names[0] as string;
}

/**
 * Compiles a filter whose `$expr` may use variables.
 *
 * @param vars values of the variables
 */
export function filterWith(filter: Doc, scope: ExpressionScope, vars: Vars): Predicate {
  return compileFilter(filter, {
    collator: scope.collator,
    expression: (expression) => {
      const evaluate = compileExpression(expression, scope);
      return (doc) => isTrue(evaluate({ root: doc, vars }));
    },
  });
}

/** @returns the scope of a command: its collation and the names of its `let` */
export function commandScope(collation: Value, vars: Vars): ExpressionScope {
  return { collator: collatorFor(collation), names: new Set(Object.keys(vars)) };
}

/** @returns the variables of a command's `let` */
export function commandVars(source: Value): Vars {
  if (source === undefined || source === null) return {};
  if (!isDocument(source)) throw failedToParse("'let' must be an object");
  const scope: ExpressionScope = { collator: undefined, names: new Set() };
  const vars: Record<string, Value> = {};
  for (const name of Object.keys(source)) vars[name] = compileExpression(source[name], scope)({ root: {}, vars: {} }) ?? null;
  return vars;
}
