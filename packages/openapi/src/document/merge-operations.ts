import type { DescribedSchema } from '@framework/core';
import { FORM_TYPE } from './parameters.ts';
import type { MediaTypeObject, OperationObject, ParameterObject, Reference, ResponseObject } from './types.ts';

/** An operation with the method that it calls. */
export interface MethodOperation {
  readonly method: string;
  readonly operation: OperationObject;
  /** Whether a header names the method. */
  readonly byHeader: boolean;
}

/**
 * Puts operations together that share path and HTTP method, and that a header tells apart.
 *
 * @param operations the one without a header first, if there is one
 */
export function mergedOperations(operations: readonly MethodOperation[]): OperationObject | undefined {
  const [first, ...others] = operations;
  if (first === undefined || (others.length === 0 && !first.byHeader)) return first?.operation;
  const custom = operations.filter(({ byHeader }) => byHeader);
  const described = custom.map(
    ({ method, operation }) =>
      `- \`X-Service-Method: ${method}\`: ${[operation.summary, operation.description].filter((text) => text !== undefined).join(' ')}`,
  );
  const {
    description: before,
    requestBody: _body,
    responses: _responses,
    security: _security,
    parameters: _parameters,
    ...rest
  } = first.operation;
  const parameters = [
    ...otherParameters(operations),
    methodParameter(
      custom.map(({ method }) => method),
      first.byHeader,
    ),
  ];
  const requestBody = mergedBody(operations);
  const security = mergedSecurity(operations);
  return {
    ...rest,
    description: [
      ...(before === undefined || first.byHeader ? [] : [before]),
      `The header names the method:\n\n${described.join('\n')}`,
    ].join('\n\n'),
    parameters,
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: mergedResponses(operations),
    ...(security === undefined ? {} : { security }),
  };
}

function methodParameter(methods: readonly string[], required: boolean): ParameterObject {
  const otherwise = required ? '' : ' Without it a record is created.';
  return {
    name: 'X-Service-Method',
    in: 'header',
    description: `The method that is called.${otherwise}`,
    required,
    schema: { type: 'string', enum: methods },
  };
}

function otherParameters(operations: readonly MethodOperation[]): readonly (ParameterObject | Reference)[] {
  const found = new Map<string, ParameterObject | Reference>();
  for (const parameter of operations.flatMap(({ operation }) => operation.parameters ?? [])) {
    const key = '$ref' in parameter ? parameter.$ref : `${parameter.in} ${parameter.name}`;
    const before = found.get(key);
    if (key !== 'header X-Service-Method') found.set(key, before === undefined ? parameter : eitherQuery(before, parameter));
  }
  return [...found.values()];
}

/** The whole query is that of one method or of another; of other parameters the first one counts. */
function eitherQuery(one: ParameterObject | Reference, other: ParameterObject | Reference): ParameterObject | Reference {
  if (!('in' in one) || !('in' in other)) return one;
  const [before, more] = [one.content?.[FORM_TYPE], other.content?.[FORM_TYPE]];
  if (before?.schema === undefined || more?.schema === undefined) return one;
  const encoding = { ...more.encoding, ...before.encoding };
  const content = { schema: { anyOf: distinct([...alternatives(before.schema), more.schema]) } };
  return { ...one, content: { [FORM_TYPE]: { ...content, ...(Object.keys(encoding).length > 0 ? { encoding } : {}) } } };
}

function mergedBody(operations: readonly MethodOperation[]): OperationObject['requestBody'] {
  const bodies = operations.flatMap(({ method, operation: { requestBody } }) => (requestBody ? [{ method, ...requestBody }] : []));
  if (bodies.length === 0) return undefined;
  const content = mergedContent(bodies.map((body) => body.content));
  // One for each method, by its name.
  for (const [type, media] of Object.entries(content)) {
    const examples = bodies.flatMap((body) => {
      const example = body.content[type]?.example;
      return example === undefined ? [] : [[body.method, { value: example }] as const];
    });
    if (examples.length > 0) content[type] = { ...media, examples: Object.fromEntries(examples) };
  }
  return { required: bodies.length === operations.length && bodies.every(({ required }) => required), content };
}

/** What one method takes or gives, or another, type by type: a value may be right for several. */
function mergedContent(contents: readonly Readonly<Record<string, MediaTypeObject>>[]): Record<string, MediaTypeObject> {
  const merged: Record<string, MediaTypeObject> = {};
  for (const type of new Set(contents.flatMap((content) => Object.keys(content)))) {
    const schemas = distinct(contents.flatMap((content) => content[type] ?? []).flatMap(({ schema = {} }) => alternatives(schema)));
    merged[type] = { schema: schemas.length > 1 ? { anyOf: schemas } : (schemas[0] ?? {}) };
  }
  return merged;
}

function mergedResponses(operations: readonly MethodOperation[]): OperationObject['responses'] {
  const merged: Record<string, ResponseObject | Reference> = {};
  for (const { operation } of operations)
    for (const [status, response] of Object.entries(operation.responses)) {
      const before = merged[status];
      merged[status] = before === undefined || '$ref' in before || '$ref' in response ? (before ?? response) : both(before, response);
    }
  return merged;
}

function both(one: ResponseObject, other: ResponseObject): ResponseObject {
  const contents = [one, other].flatMap(({ content }) => (content ? [content] : []));
  const headers = { ...other.headers, ...one.headers };
  return {
    ...one,
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    ...(contents.length > 0 ? { content: mergedContent(contents) } : {}),
  };
}

/** Credentials of all methods; those that need none, and those of which it is not known, make it unknown for the others. */
function mergedSecurity(operations: readonly MethodOperation[]): OperationObject['security'] {
  const all = operations.map(({ operation }) => operation.security);
  const [first] = all;
  if (all.some((security) => security === undefined)) return undefined;
  if (all.every((security) => JSON.stringify(security) === JSON.stringify(first))) return first;
  // An empty requirement says that credentials are not needed by all.
  const found = new Map(all.flatMap((security) => security ?? []).map((one) => [JSON.stringify(one), one]));
  return all.some((security) => security?.length === 0) ? [...found.values(), {}] : [...found.values()];
}

function alternatives(schema: DescribedSchema): readonly DescribedSchema[] {
  const isList = typeof schema === 'object' && Array.isArray(schema.anyOf) && Object.keys(schema).length === 1;
  return isList ? (schema.anyOf as DescribedSchema[]) : [schema];
}

function distinct(schemas: readonly DescribedSchema[]): DescribedSchema[] {
  return [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
}
