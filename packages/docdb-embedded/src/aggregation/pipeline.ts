import { collatorFor } from '../bson/collation.ts';
import { type Doc, isDocument, type Value } from '../bson/values.ts';
import { DocDbError, failedToParse } from '../errors.ts';
import { compileExpression, type ExpressionScope } from './expression.ts';
import type { PipelineContext, PipelineStep, Stage, StageCompiler, Vars } from './pipeline-types.ts';
import { groupStages } from './stages/group.ts';
import { joinStages } from './stages/join.ts';
import { shapeStages } from './stages/shape.ts';
import { sourceStages } from './stages/source.ts';
import { windowStages } from './stages/window.ts';

const STAGES: Readonly<Record<string, StageCompiler>> = {
  ...shapeStages,
  ...groupStages,
  ...joinStages,
  ...windowStages,
  ...sourceStages,
};

const ONLY_FIRST: ReadonlySet<string> = new Set([
  '$collStats',
  '$indexStats',
  '$documents',
  '$geoNear',
  '$search',
  '$changeStream',
  '$listSessions',
  '$listLocalSessions',
  '$currentOp',
]);

/** Compiles a pipeline inside another one, or over documents that are there. */
export function compilePipeline(pipeline: readonly Value[], given: Omit<PipelineContext, 'compile'>): Stage {
  const stages = compileSteps(pipeline, given).map((step) => {
    if (isOutput(step.name)) throw new DocDbError(51047, `${step.name} is not allowed within a pipeline of a stage`);
    return step.run;
  });
  return (docs, vars) => stages.reduce((current, stage) => stage(current, vars), docs);
}

/**
 * Compiles a pipeline.
 *
 * @throws DocDbError (40323, 40324, 40601, 40602, …) for what is no valid pipeline
 */
export function compileSteps(pipeline: readonly Value[], given: Omit<PipelineContext, 'compile'>): PipelineStep[] {
  const context: PipelineContext = { ...given, compile: compilePipeline };
  return pipeline.map((entry, index) => {
    const name = stageName(entry);
    if (index > 0 && ONLY_FIRST.has(name)) throw new DocDbError(40602, `${name} is only valid as the first stage in a pipeline`);
    if (isOutput(name) && index < pipeline.length - 1) throw new DocDbError(40601, `${name} can only be the final stage in the pipeline`);
    const operand = (entry as Doc)[name];
    if (isOutput(name)) return { name, operand, run: (docs) => docs };
    const compiler = Object.hasOwn(STAGES, name) ? STAGES[name] : undefined;
    if (!compiler) throw new DocDbError(40324, `Unrecognized pipeline stage name: '${name}'`);
    return { name, operand, run: compiler(operand, context) };
  });
}

/** @returns whether a stage writes */
export function isOutput(name: string): boolean {
  return name === '$out' || name === '$merge';
}

/** @returns the name of a stage */
export function stageName(stage: Value): string {
  if (!isDocument(stage)) throw new DocDbError(14, "Each element of the 'pipeline' array must be an object");
  const names = Object.keys(stage);
  if (names.length !== 1) throw new DocDbError(40323, 'A pipeline stage specification object must contain exactly one field.');
  return names[0] as string;
}

/** @returns the scope of a command: its collation and the names of its `let` */
export function commandScope(collation: Value, vars: Vars): ExpressionScope {
  return { collator: collatorFor(collation), names: new Set(Object.keys(vars)), now: new Date() };
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
    vars[name] = compileExpression(source[name], { ...scope, names: new Set(Object.keys(vars)) })({ root: {}, vars: { ...vars } }) ?? null;
  }
  return vars;
}
