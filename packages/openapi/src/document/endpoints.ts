import type { EndpointDescription } from '@framework/core';
import type { Components } from './components.ts';
import { isErrorStatus } from './errors.ts';
import { wordOf } from './names.ts';
import type { MediaTypeObject, OpenApiVersion, OperationObject } from './types.ts';

/** The operation of what a transport answers beside services. */
export function endpointOperation(endpoint: EndpointDescription, version: OpenApiVersion, components: Components): OperationObject {
  const { path, httpMethod, summary, description, headers = {}, type, item, errors } = endpoint;
  const parameters = Object.entries(headers).map(([name, header]) => ({
    name,
    in: 'header' as const,
    description: header.description,
    schema: { type: 'string' },
  }));
  // What one item of a stream is has a word since OpenAPI 3.2 alone.
  const content: MediaTypeObject =
    version === '3.2' && item !== undefined ? { itemSchema: components.written(item) } : { schema: { type: 'string' } };
  const statuses = [...errors].sort((one, other) => one - other);
  return {
    operationId: `${httpMethod}${wordOf(path)}`,
    summary,
    ...(description === undefined ? {} : { description }),
    tags: [path],
    ...(parameters.length > 0 ? { parameters } : {}),
    responses: {
      200: { description: summary, content: { [type]: content } },
      ...Object.fromEntries(statuses.map((status) => [status, components.error(isErrorStatus(status) ? status : 'default')])),
      default: components.error('default'),
    },
    security: [],
  };
}
