import { type Doc, isDocument, isNumber, type Value } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';
import type { CommandDeclaration } from './command-declaration.ts';

/** Fields of commands that the first version of the stable API does not have; of some of them this database knows no more. */
const UNSTABLE: Readonly<Record<string, readonly string[]>> = {
  find: [
    'min',
    'max',
    'returnKey',
    'noCursorTimeout',
    'showRecordId',
    'tailable',
    'oplogReplay',
    'awaitData',
    'readOnce',
    '$_requestResumeToken',
    '$_resumeAfter',
  ],
  aggregate: ['isMapReduceCommand', '$_requestReshardingResumeToken', 'runtimeConstants', 'collectionUUID'],
};
/** Stages that it does not have. */
const UNSTABLE_STAGES: ReadonlySet<string> = new Set([
  '$currentOp',
  '$indexStats',
  '$listClusterCatalog',
  '$listLocalSessions',
  '$listSessions',
  '$planCacheStats',
  '$rankFusion',
]);
/** Names of commands that it has under another one. */
const FORMER_NAMES: ReadonlySet<string> = new Set(['isMaster', 'ismaster']);
const WRITES: ReadonlySet<string> = new Set(['insert', 'update', 'delete', 'findAndModify']);

/** @returns the API that a command asks for: what goes on with its cursor has to ask for the same */
export function apiOf({ apiVersion, apiStrict, apiDeprecationErrors }: Doc): string {
  return [apiVersion, apiStrict, apiDeprecationErrors].map(String).join(' ');
}

/**
 * Checks what a command asks for beside the version of the stable API that it names.
 *
 * @throws DocDbError (323, 4886600)
 */
export function checkApi(declared: CommandDeclaration, command: Doc, name: string): void {
  const { apiVersion, apiStrict, apiDeprecationErrors } = command;
  if (apiVersion === undefined && (apiStrict === true || apiDeprecationErrors !== undefined))
    throw new DocDbError(4886600, 'Provided apiStrict or apiDeprecationErrors without passing apiVersion');
  if (apiStrict !== true) return;
  if (!declared.stable || FORMER_NAMES.has(name)) throw unstable(`the command ${name} is not in API Version 1`);
  const field = UNSTABLE[declared.name]?.find((one) => Object.hasOwn(command, one));
  if (field !== undefined) throw unstable(`the field ${name}.${field} is not in API Version 1`);
  if (WRITES.has(declared.name) && command[name] === 'system.js') throw unstable(`the command ${name} attempts to write to system.js`);
  checkCatalogue(declared.name, command);
  if (declared.name === 'aggregate' || declared.name === 'create') checkPipeline(command.pipeline);
}

function checkCatalogue(name: string, { capped, size, index, indexes }: Doc): void {
  if (name === 'create' && capped === true && isNumber(size)) throw unstable('capped collections are not in API Version 1');
  if (name === 'collMod' && isDocument(index) && 'prepareUnique' in index)
    throw unstable('the field collMod.index.prepareUnique is not in API Version 1');
  if (name === 'createIndexes' && Array.isArray(indexes) && indexes.some(isOfWords))
    throw unstable('indexes of the kind text are not in API Version 1');
}

function isOfWords(spec: Value): boolean {
  return isDocument(spec) && isDocument(spec.key) && Object.values(spec.key).includes('text');
}

/** Pipelines within its stages count too. */
function checkPipeline(pipeline: Value): void {
  if (!Array.isArray(pipeline)) return;
  for (const stage of pipeline as Value[]) {
    if (!isDocument(stage)) continue;
    const [name = ''] = Object.keys(stage);
    const operand = stage[name];
    const isMore = name === '$collStats' && isDocument(operand) && Object.keys(operand).some((part) => part !== 'count');
    if (isMore || UNSTABLE_STAGES.has(name)) throw unstable(`the stage ${name} is not in API Version 1`);
    if (!isDocument(operand)) continue;
    if (name === '$facet') Object.values(operand).forEach(checkPipeline);
    else if (name === '$lookup' || name === '$unionWith') checkPipeline(operand.pipeline);
  }
}

function unstable(what: string): DocDbError {
  return new DocDbError(323, `Provided apiStrict:true, but ${what}`);
}
