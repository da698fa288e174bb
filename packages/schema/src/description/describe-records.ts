import {
  locationsOn,
  partsOf,
  Sight,
  type DescribedSchema,
  type QueryDescription,
  type RecordDescription,
  type Viewer,
  type WriteOperation,
} from '@framework/core';
import type { JSONSchema } from '../json-schema.ts';
import { elementSchemas } from '../query/element-schemas.ts';
import type { QueryExtensions } from '../query/query-schema.ts';
import { queryable } from '../query/queryable.ts';
import { locationOf, type Location } from '../record-shape/location.ts';
import type { RecordShape } from '../record-shape/record-shape.ts';
import { References, type ForeignSchemas } from '../record-shape/references.ts';
import { relationsOf } from '../relations/relation.ts';
import type { AnySchema } from '../validation/data-validator.ts';
import { closedTogether } from '../validation/intersect.ts';
import { inputSchemaOf } from '../validation/standard-json-schema.ts';
import { DescribedPlace, type Direction } from './place.ts';
import { SchemaWriter, type PlacedRelation } from './schema-writer.ts';

/** Records that are to be described. */
export interface DescribedRecords {
  readonly shape: RecordShape;
  /** Schemas of data, as they are checked. */
  readonly written: Readonly<Record<WriteOperation, AnySchema>>;
  readonly foreign: ForeignSchemas;
  readonly extensions: QueryExtensions;
}

/**
 * Describes records as a viewer may know them.
 *
 * @param exposed whether records of another service may stand in these
 * @param keeps whether the service keeps what callers can not send
 */
export function describeRecords(
  records: DescribedRecords,
  viewer: Viewer,
  exposed: (path: string) => boolean,
  keeps: boolean,
): RecordDescription {
  return new Describer(records, viewer, exposed, keeps).describe();
}

class Describer {
  readonly #records: DescribedRecords;
  readonly #viewer: Viewer;
  readonly #sight: Sight;
  readonly #keeps: boolean;
  readonly #relations: ReadonlyMap<Location, readonly PlacedRelation[]>;
  readonly #relationNames: QueryDescription['relations'];
  readonly #definitions: Record<string, DescribedSchema> = {};
  readonly #problems: string[] = [];
  readonly #secretNames: ReadonlySet<string>;

  constructor(records: DescribedRecords, viewer: Viewer, exposed: (path: string) => boolean, keeps: boolean) {
    const { shape } = records;
    this.#records = records;
    this.#viewer = viewer;
    this.#sight = new Sight(viewer);
    this.#keeps = keeps;
    this.#secretNames = new Set(shape.unseenBy(viewer).flatMap((path) => partsOf(path)));
    const relations = new Map<Location, PlacedRelation[]>();
    const names: Record<string, { readonly service: string; readonly many: boolean }> = {};
    for (const { path, container, as, name, service } of relationsOf(shape.references)) {
      if (!exposed(service) || shape.property(partsOf(path), viewer)?.readable !== true) continue;
      const many = locationsOn(shape.root, partsOf(path)).at(-1)?.listed === true;
      const holder = locationsOn(shape.root, container).at(-1) ?? shape.root;
      for (const location of [holder, ...holder.elements()])
        relations.set(location, [...(relations.get(location) ?? []), { as, service, many }]);
      names[name] = { service, many };
    }
    this.#relations = relations;
    this.#relationNames = names;
  }

  describe(): RecordDescription {
    const { shape } = this.#records;
    const { schema } = shape;
    const writer = this.#writer(shape.referenced);
    const sent = this.#place([shape.root], 'sent');
    const named = typeof schema.$id === 'string' ? schema.$id : schema.title;
    return {
      name: typeof named === 'string' && !this.#secretNames.has(named) ? named : undefined,
      record: writer.write(schema, sent),
      create: this.#data('create'),
      update: this.#data('update'),
      patch: this.#data('patch'),
      query: this.#query(writer),
      definitions: this.#definitions,
      problems: [...new Set(this.#problems)],
    };
  }

  #data(operation: WriteOperation): DescribedSchema | undefined {
    const { shape, written, foreign } = this.#records;
    const input = inputSchemaOf(written[operation]);
    if (input === undefined) {
      this.#problems.push(`has data of '${operation}' by a library that gives no JSON Schema`);
      return undefined;
    }
    const schema = closedTogether(input);
    const references = new References(schema, foreign);
    // Where nothing is kept, an update has everything, as a new record has.
    const direction = operation === 'create' || (operation === 'update' && !this.#keeps) ? 'created' : 'replaced';
    const place = this.#place([locationOf(schema, references, shape.added), shape.root], direction);
    return this.#writer(references).write(schema, place);
  }

  #query(writer: SchemaWriter): QueryDescription {
    const { shape, extensions } = this.#records;
    const { conditions, select } = queryable(shape.root, false);
    const rules = (path: string): ReturnType<RecordShape['property']> => shape.property(partsOf(path), this.#viewer);
    const names = [...conditions.keys()].filter((path) => rules(path)?.queryable === true);
    const { $root: filters = {}, ...operators } = extensions;
    const free = this.#place([], 'sent');
    const written = (schemas: Readonly<Record<string, JSONSchema>>): Record<string, DescribedSchema> =>
      Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, writer.write(schema, free)]));
    return {
      properties: Object.fromEntries(names.map((path) => [path, this.#value(conditions.get(path) ?? {}, path, writer)])),
      select: select.filter((path) => rules(path)?.readable === true),
      operators: Object.fromEntries(
        Object.entries(operators).flatMap(([path, schemas]) => (names.includes(path) ? [[path, written(schemas)] as const] : [])),
      ),
      filters: written(filters),
      relations: this.#relationNames,
    };
  }

  /** What a condition compares with: the value, or an element of a list. */
  #value(schema: JSONSchema, path: string, writer: SchemaWriter): DescribedSchema {
    const { default: _default, ...value } = schema;
    const on = locationsOn(this.#records.shape.root, partsOf(path)).at(-1);
    const place = this.#place(on ? [on] : [], 'sent');
    const whole = writer.write(value, place);
    const elements = elementSchemas(schema, (one) => this.#records.shape.referenced.of(one));
    return elements.length === 0 ? whole : { anyOf: [...elements.map((element) => writer.write(element, place.element())), whole] };
  }

  #place(locations: readonly Location[], direction: Direction): DescribedPlace {
    return new DescribedPlace(locations, this.#sight, direction);
  }

  #writer(references: References): SchemaWriter {
    return new SchemaWriter({
      viewer: this.#viewer,
      references,
      relations: this.#relations,
      secretNames: this.#secretNames,
      definitions: this.#definitions,
      problems: this.#problems,
    });
  }
}
