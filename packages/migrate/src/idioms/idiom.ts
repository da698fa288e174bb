import type { SourcePlan } from '../rewrite/source-plan.ts';
import type { Source } from '../source/source.ts';

/** Names of a file by what they were imported as: `feathers` of `@feathersjs/feathers`. */
export type ImportedNames = ReadonlyMap<string, { readonly name: string; readonly from: string }>;

/** Changes something that is written differently here, or notes it for a person. */
export type Idiom = (source: Source, imported: ImportedNames, plan: SourcePlan) => void;
