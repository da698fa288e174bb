import { type Doc, isDocument, type Value } from '../bson/values.ts';
import { checkFusionPlace, FUSIONS } from '../declarations/fusion-stages.ts';
import { checkStage } from '../declarations/stages.ts';
import { DocDbError } from '../errors.ts';
import { stageName } from './stage-name.ts';

/** Stages that change no document: others may not be in a pipeline whose documents are ranked. */
const SELECTING: ReadonlySet<string> = new Set(['$match', '$sort', '$limit', '$skip', '$sample', '$geoNear', '$search', '$vectorSearch']);
/** Stages that say which document is before which. */
const ORDERING: ReadonlySet<string> = new Set(['$sort', '$geoNear', '$search', '$vectorSearch']);
/**
 * Checks a pipeline whose documents are ranked.
 *
 * @throws DocDbError (14, 15998, 16410, 16412, 40323, 40324, 9191100, 9191103, 9834300, 10170100, 10473002, and the codes of stages) for what gives no
 *   documents of a collection in an order
 */
export function checkRanking(name: string, pipeline: Value): void {
  const path = `$rankFusion.input.pipelines.${name}`;
  if (!Array.isArray(pipeline) || !(pipeline as Value[]).every(isDocument))
    throw new DocDbError(14, `'${path}' must be an array of stages, each of them an object`);
  if (name === '') throw new DocDbError(15998, 'A pipeline of $rankFusion needs a name');
  if (name.startsWith('$')) throw new DocDbError(16410, `The name of a pipeline of $rankFusion may not start with '$': ${name}`);
  if (name.includes('.')) throw new DocDbError(16412, `The name of a pipeline of $rankFusion may not contain '.': ${name}`);
  if (pipeline.length === 0) throw new DocDbError(9834300, `'${path}' may not be empty`);
  const stages = (pipeline as Doc[]).map((stage, at) => {
    const only = stageName(stage);
    if (FUSIONS.has(only) && at === 0) throw new DocDbError(10473002, `'${path}' may not begin with ${only}`);
    checkFusionPlace(only, at);
    checkStage(only, stage[only]);
    return only;
  });
  if (!stages.some((stage) => ORDERING.has(stage)))
    throw new DocDbError(9191100, `'${path}' gives its documents no order: put a $sort into it`);
  for (const [at, stage] of stages.entries())
    if (!SELECTING.has(stage) || (stage === '$geoNear' && (at > 0 || changesDocuments(pipeline[at] as Doc))))
      throw new DocDbError(
        9191103,
        `'${path}' may only choose documents and put them into an order, which ${stage} does not leave at that`,
      );
}

function changesDocuments({ $geoNear: spec }: Doc): boolean {
  return isDocument(spec) && ('distanceField' in spec || 'includeLocs' in spec);
}
