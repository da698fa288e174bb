import { collatorFor } from '../bson/collation.ts';
import { type Doc, isDocument, type Value } from '../bson/values.ts';
import { checkFusionPlace } from '../declarations/fusion-stages.ts';
import { checkStage } from '../declarations/stages.ts';
import { needsDatabase } from '../declarations/status-stages.ts';
import { DocDbError, failedToParse, notFirst } from '../errors.ts';
import { compileExpression, type ExpressionScope } from './expression.ts';
import { innerTurns } from './inner-turns.ts';
import { lastAskingForSortKey } from './metadata.ts';
import type { InnerPipeline, PipelineContext, PipelineStep, StageCompiler, Vars } from './pipeline-types.ts';
import { stageName } from './stage-name.ts';
import { bucketStages } from './stages/bucket.ts';
import { densifyStages } from './stages/densify.ts';
import { fillStages } from './stages/fill.ts';
import { groupStages } from './stages/group.ts';
import { atOnce, type InTurns } from './stages/in-turns.ts';
import { joinStages } from './stages/join.ts';
import { rankFusion } from './stages/rank-fusion.ts';
import { checkSort, shapeStages } from './stages/shape.ts';
import { sourceStages } from './stages/source.ts';
import { windowStages } from './stages/window.ts';

const STAGES: Readonly<Record<string, StageCompiler>> = {
  ...shapeStages,
  ...groupStages,
  ...bucketStages,
  ...joinStages,
  ...windowStages,
  ...fillStages,
  ...densifyStages,
  ...sourceStages,
  $rankFusion: rankFusion,
};

/** Pipelines inside each other. */
const MAX_PIPELINES = 20;
const MAX_STAGES = 1000;

const FORBIDDEN_IN_FACET: ReadonlySet<string> = new Set([
  '$facet',
  '$out',
  '$merge',
  '$collStats',
  '$indexStats',
  '$geoNear',
  '$changeStream',
  '$documents',
  '$currentOp',
  '$listLocalSessions',
  '$listSessions',
  '$planCacheStats',
  '$listCatalog',
  '$changeStreamSplitLargeEvent',
]);

const ONLY_FIRST: ReadonlySet<string> = new Set([
  '$collStats',
  '$indexStats',
  '$documents',
  '$geoNear',
  '$search',
  '$changeStream',
  '$listSessions',
  '$listLocalSessions',
  '$listClusterCatalog',
  '$currentOp',
]);

/** @throws DocDbError (232) for pipelines that are inside of more others than a server takes */
export function depthInside(depth: number): number {
  if (depth >= MAX_PIPELINES)
    throw new DocDbError(232, `Maximum number of nested sub-pipelines exceeded. Limit is ${String(MAX_PIPELINES)}`);
  return depth + 1;
}

/** Compiles a pipeline inside another one, or over documents that are there. */
export function compilePipeline(pipeline: readonly Value[], given: Omit<PipelineContext, 'compile'>): InnerPipeline {
  const steps = compileSteps(pipeline, { ...given, depth: depthInside(given.depth ?? 0), open: undefined });
  for (const { name } of steps) if (isOutput(name)) throw new DocDbError(51047, `${name} is not allowed within a pipeline of a stage`);
  const turns = (docs: Doc[], vars: Vars): InTurns<Doc[]> => innerTurns(steps, docs, vars);
  return { steps, run: (docs, vars) => atOnce(turns(docs, vars)), turns };
}

/**
 * Compiles a pipeline.
 *
 * @throws DocDbError (40323, 40324, 40601, 40602, …) for what is no valid pipeline
 */
export function compileSteps(pipeline: readonly Value[], given: Omit<PipelineContext, 'compile'>): PipelineStep[] {
  checkLength(pipeline);
  const context: PipelineContext = { ...given, compile: compilePipeline };
  const asking = lastAskingForSortKey(pipeline);
  return pipeline.map((entry, index) => {
    const name = stageName(entry);
    checkPlace(name, index);
    checkInside(name, given);
    if (isOutput(name) && index < pipeline.length - 1) throw new DocDbError(40601, `${name} can only be the final stage in the pipeline`);
    const operand = (entry as Doc)[name];
    checkStage(name, operand);
    if (isOutput(name)) return { name, operand, run: (docs) => docs };
    const compiler = Object.hasOwn(STAGES, name) ? STAGES[name] : undefined;
    if (!compiler) throw new DocDbError(40324, `Unrecognized pipeline stage name: '${name}'`);
    const compiled = compiler(operand, { ...context, asksForSortKey: index < asking });
    return { name, operand, ...(typeof compiled === 'function' ? { run: compiled } : compiled) };
  });
}

/** @throws DocDbError (7749501) for more stages than a server takes */
function checkLength({ length }: readonly Value[]): void {
  if (length > MAX_STAGES) throw new DocDbError(7749501, `Pipeline length must be no longer than ${String(MAX_STAGES)} stages`);
}

/** @throws DocDbError (40602, 40603, 10170100) for a stage that must be the first and is not */
function checkPlace(name: string, index: number): void {
  checkFusionPlace(name, index);
  if (index > 0 && name === '$geoNear') throw notFirst(name);
  if (index > 0 && ONLY_FIRST.has(name)) throw new DocDbError(40602, `${name} is only valid as the first stage in a pipeline`);
}

/** @throws DocDbError (40573, 40600, 73, 9621301) for a stage that a pipeline inside another one may not have */
function checkInside(name: string, { depth = 0, facet }: Omit<PipelineContext, 'compile'>): void {
  if (name === '$listClusterCatalog' && depth > 0) throw needsDatabase();
  if (facet !== undefined && (name === '$listSessions' || name === '$listLocalSessions'))
    throw new DocDbError(73, `${name} must be run against the database itself, and not inside of a stage`);
  if (facet !== undefined && FORBIDDEN_IN_FACET.has(name) && (facet === 'branch' || !isOutput(name))) {
    const where = facet === 'branch' ? '' : ` inside of ${facet}`;
    throw new DocDbError(40600, `${name}${where} is not allowed to be used within a $facet stage`);
  }
  if (isOutput(name) && depth > 1) throw new DocDbError(51047, `${name} is not allowed within a pipeline of a stage`);
  if (name === '$currentOp' && depth > 0)
    throw new DocDbError(73, `${name} must be run against the database itself, and not inside of a stage`);
  if (depth <= 0) return;
  if (name === '$changeStream') throw new DocDbError(40573, `${name} is only valid as the first stage of a command's pipeline`);
  if (name === '$listSessions' || name === '$listLocalSessions')
    throw new DocDbError(73, `${name} must be run against the database itself, and not inside of a stage`);
}

/**
 * Checks stages at the beginning of a pipeline that are carried out as a query.
 *
 * @throws DocDbError with the codes of the stages
 */
export function checkLeading(pipeline: readonly Value[]): void {
  checkLength(pipeline);
  let leading = true;
  pipeline.forEach((entry, index) => {
    const name = stageName(entry);
    checkPlace(name, index);
    leading &&= LEADING.has(name);
    if (!leading || !isDocument(entry)) return;
    const operand = entry[name];
    checkStage(name, operand);
    if (name === '$sort' && isDocument(operand)) checkSort(operand);
  });
}

/** Stages that may become a query. */
const LEADING: ReadonlySet<string> = new Set(['$match', '$sort', '$limit']);

/** @returns whether a stage writes */
export function isOutput(name: string): boolean {
  return name === '$out' || name === '$merge';
}

/** @returns the scope of a command: its collation and the names of its `let` */
export function commandScope(collation: Value, vars: Vars): ExpressionScope {
  return { collator: collatorFor(collation), names: new Set(Object.keys(vars)), now: new Date() };
}

/** @throws DocDbError (4890500, 51144) for a value of `let` that depends on a document, or on what a command learns later */
function checkIndependent(value: Value): void {
  if (typeof value === 'string' && /^\$\$(?:NOW|CLUSTER_TIME)(?:\.|$)/.test(value))
    throw new DocDbError(51144, `Builtin variable '${value}' is not available in 'let'`);
  if (typeof value === 'string' && /^\$(?!\$)|^\$\$(?:ROOT|CURRENT)(?:\.|$)/.test(value))
    throw new DocDbError(4890500, `Command let Expression tried to access a field, but this is not allowed: ${value}`);
}

/** @returns the variables of a command's `let` */
export function commandVars(source: Value): Vars {
  if (source === undefined || source === null) return {};
  if (!isDocument(source)) throw failedToParse("'let' must be an object");
  const scope: ExpressionScope = { collator: undefined, names: new Set() };
  const vars: Record<string, Value> = {};
  for (const name of Object.keys(source)) {
    if (['NOW', 'CLUSTER_TIME', 'USER_ROLES'].includes(name)) throw new DocDbError(4738901, `Attempt to set the constant variable ${name}`);
    if (name !== 'CURRENT' && !/^[a-z\u0080-\uffff][\w\u0080-\uffff]*$/.test(name))
      throw failedToParse(`'${name}' starts with an invalid character for a user variable name`);
    checkIndependent(source[name]);
    vars[name] = compileExpression(source[name], { ...scope, names: new Set(Object.keys(vars)) })({ root: {}, vars: { ...vars } });
  }
  return vars;
}
