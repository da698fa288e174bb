import type { Collator } from '../bson/collation.ts';
import type { Doc, Value } from '../bson/values.ts';
import type { ExpressionScope } from './expression.ts';
import type { GroupSpec } from './group-run.ts';
import type { InOrder } from './in-order.ts';
import { forEach, type InTurns } from './stages/in-turns.ts';

/** Variables by name. */
export type Vars = Readonly<Record<string, Value>>;

/** A compiled stage. */
export type Stage = (docs: Doc[], vars: Vars) => Doc[];

/** Facts about a collection; without `options` there is none. */
export interface CollectionStats {
  readonly count: number;
  readonly size: number;
  readonly indexes: readonly { readonly spec: Doc; readonly usage: { readonly operations: number; readonly since: Date } }[];
  readonly options: Doc | undefined;
  readonly isView: boolean;
}

/** A collection as stages see it. */
export interface PipelineCollection {
  /** Documents that match, by an index where one fits; others may have their turn in it. */
  findInTurns(filter: Doc, collator: Collator | undefined, vars: Vars): InTurns<Doc[]>;
  /** What a `$geoNear` finds, nearest first, with how far away it is. */
  nearest(spec: Doc, scope: ExpressionScope, vars: Vars): InTurns<Doc[]>;
  /** The same a few at a time, for what need not keep them all. */
  steps(filter: Doc, collator: Collator | undefined): Iterable<readonly Doc[]>;
  /** Whether an index finds values of the field, texts by the same collation. */
  hasIndex(field: string, collator: Collator | undefined): boolean;
  /** Facts for `$collStats` and `$indexStats`. */
  stats(): CollectionStats;
}

/** What stages need of the database. */
export interface PipelineHost {
  /** Full name of the collection that the pipeline runs on. */
  readonly ns: string;
  /** Name and port of the server. */
  readonly address: string;
  collection(name: string, database?: string): PipelineCollection;
  /** What a pipeline on another collection needs: names in it are those of the database of that. */
  on(name: string, database?: string): PipelineHost;
  /** The sessions that the server knows: of who asks, or of everybody. */
  sessions(all: boolean): Doc[];
  /** What there is in the database of the pipeline, or in all where that is `admin`, for `$listClusterCatalog`. */
  catalogue(): Doc[];
  /** What the server does, for `$currentOp`. */
  operations(choice: Value): Doc[];
  /** How many requests the collection that the pipeline runs on had, and what they took. */
  latency(): Doc;
}

/** A host that has no collections, for pipelines that are looked at and not run. */
export const NO_COLLECTIONS: PipelineHost = {
  ns: '',
  address: '',
  on: () => NO_COLLECTIONS,
  collection: () => ({
    findInTurns: () => forEach<never, Doc>([], (none) => none),
    nearest: () => forEach<never, Doc>([], (none) => none),
    steps: () => [],
    hasIndex: () => false,
    stats: () => ({ count: 0, size: 0, indexes: [], options: undefined, isView: false }),
  }),
  sessions: () => [],
  catalogue: () => [],
  operations: () => [],
  latency: () => ({}),
};

/** A stage that reads another collection, and may have a pipeline for it. */
export type JoinName = '$lookup' | '$graphLookup' | '$unionWith';

/** What a pipeline is compiled with. */
export interface PipelineContext {
  readonly host: PipelineHost;
  readonly scope: ExpressionScope;
  /** Whether it is a branch of a `$facet`, or inside of which stage of one. */
  readonly facet?: 'branch' | JoinName;
  /** Whether a later stage asks for the values that documents were sorted by. */
  readonly asksForSortKey?: boolean;
  /** How many pipelines this one is inside of. */
  readonly depth?: number;
  /** Opens a pipeline whose documents follow those of this one; only where they come a step at a time. */
  readonly open?: OpenPipeline | undefined;
  /** Compiles a pipeline inside a stage. */
  readonly compile: (pipeline: readonly Value[], context: PipelineContext) => InnerPipeline;
}

/** A pipeline inside a stage. */
export interface InnerPipeline {
  readonly steps: readonly PipelineStep[];
  /** The same as `turns`, with no turns of others. */
  readonly run: Stage;
  readonly turns: (docs: Doc[], vars: Vars) => InTurns<Doc[]>;
}

/** A pipeline on another collection, or without one on documents of its own. */
export interface OtherPipeline {
  readonly collection: CollectionName | undefined;
  readonly stages: readonly Value[];
}

/** A collection as a stage names it. */
export interface CollectionName {
  readonly name: string;
  /** That of the pipeline, unless it is given. */
  readonly database: string | undefined;
}

/** Opens another pipeline, and gives what runs it. */
export type OpenPipeline = (other: OtherPipeline) => () => AsyncIterable<Doc[]>;

/** A stage that need not have all documents at once, and how it is carried out where they come a step at a time. */
export interface StageInSteps {
  readonly run: Stage;
  /** The same as `run`, of a stage that may make much of a small document; others may have their turn in it. */
  readonly turns?: (docs: Doc[], vars: Vars) => InTurns<Doc[]>;
  /** The same, of a stage that has to have all of its documents at once. */
  readonly whole?: (docs: Doc[], vars: Vars) => InTurns<Doc[]>;
  /** Documents that follow those which the stage makes of others. */
  readonly more?: () => AsyncIterable<Doc[]>;
  /** Pipelines that all get the same documents, by the names of what they make. */
  readonly branches?: readonly (readonly [string, readonly PipelineStep[]])[];
  /** Groups in the order of their keys. */
  readonly groups?: GroupSpec;
  /** Documents that are needed in an order. */
  readonly inOrder?: InOrder;
  /** Whether it treats each document by itself. */
  readonly each?: true;
}

/** Compiles the operand of a stage. */
export type StageCompiler = (operand: Value, context: PipelineContext) => Stage | StageInSteps;

/** A stage of a pipeline that runs over more documents than fit into memory. */
export interface PipelineStep extends StageInSteps {
  readonly name: string;
  readonly operand: Value;
}
