import { isDocument, type Value } from '../bson/values.ts';
import { stages as declarations } from '../declarations/stages.ts';
import { DocDbError } from '../errors.ts';
import { stageName } from './stage-name.ts';

const UPDATES: ReadonlySet<string> = new Set(['$addFields', '$set', '$project', '$unset', '$replaceRoot', '$replaceWith']);

/** Fields that are filled with values look at their own document only, as `$addFields` does. */
function fillsValues(operand: Value): boolean {
  const output = isDocument(operand) ? operand.output : undefined;
  return isDocument(output) && Object.values(output).every((field) => isDocument(field) && 'value' in field);
}

/** @throws DocDbError (14, 40323) for what is no stage, (40324) for one that there is not */
export function checkStageNames(stages: readonly Value[]): void {
  for (const name of stages.map(stageName))
    if (!Object.hasOwn(declarations, name)) throw new DocDbError(40324, `Unrecognized pipeline stage name: '${name}'`);
}

/** @throws DocDbError (72) for a stage that a pipeline which changes documents may not have, (14, 40323, 40324) for what is none */
export function checkUpdates(stages: readonly Value[]): void {
  checkStageNames(stages);
  for (const stage of stages) {
    const name = stageName(stage);
    if (UPDATES.has(name)) continue;
    if (!(isDocument(stage) && fillsValues(stage.$fill))) throw new DocDbError(72, `${name} is not allowed to be used within an update`);
  }
}
