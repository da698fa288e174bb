import { toNumber } from '../bson/arithmetic.ts';
import { type Doc, isDocument, isNumber } from '../bson/values.ts';
import { badValue, DocDbError } from '../errors.ts';
import type { StageDeclaration } from './stage-declaration.ts';

/** Stages that put rankings together; they begin a pipeline. */
export const FUSIONS: ReadonlySet<string> = new Set(['$rankFusion', '$scoreFusion']);

/** Stages that put several rankings of a collection together. */
export const fusionStages: Readonly<Record<string, StageDeclaration>> = {
  $rankFusion: {
    types: ['object'],
    wrongType: 9,
    unknown: 40415,
    fields: {
      input: {
        types: ['object'],
        missing: 40414,
        nullable: true,
        fields: { pipelines: { types: ['object'], missing: 40414, nullable: true } },
      },
      combination: {
        types: ['object'],
        nullable: true,
        fields: { weights: { types: ['object'], missing: 40414, nullable: true } },
      },
      scoreDetails: { types: ['bool'], nullable: true },
    },
    check(operand) {
      const { input, combination } = operand as Doc;
      const pipelines = (input as Doc).pipelines as Doc;
      const names = Object.keys(pipelines);
      if (names.length === 0) throw badValue('$rankFusion needs at least one pipeline');
      if (isDocument(combination)) checkWeights(combination.weights as Doc, names);
    },
  },
};

/** @throws DocDbError (14, 9460300, 9967500) */
function checkWeights(weights: Doc, names: readonly string[]): void {
  for (const [name, weight] of Object.entries(weights)) {
    if (!names.includes(name))
      throw new DocDbError(
        9967500,
        `'combination.weights' of $rankFusion names a pipeline that there is not: '${name}'. There are: ${names.join(', ')}`,
      );
    if (!isNumber(weight)) throw new DocDbError(14, `The weight of '${name}' in $rankFusion must be a number`);
    if (!(toNumber(weight) >= 0))
      throw new DocDbError(9460300, `The weight of '${name}' in $rankFusion may not be negative: ${String(weight)}`);
  }
}

/** @throws DocDbError (10170100) for a stage of this kind that does not begin its pipeline */
export function checkFusionPlace(name: string, at: number): void {
  if (at > 0 && FUSIONS.has(name)) throw new DocDbError(10170100, `${name} can only be the first stage of a pipeline`);
}
