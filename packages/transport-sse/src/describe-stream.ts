import type { EndpointDescription } from '@framework/core';

/** What the stream of events is, for tools that describe applications. */
export function describeStream(path: string): EndpointDescription {
  return {
    path,
    httpMethod: 'get',
    summary: 'Follow events as they happen',
    description:
      'A stream of server-sent events that does not end by itself. Events of services are named by the path of the service and the event, and have the ' +
      'record as JSON. The event `connection` tells the id of the stream, `reset` that something may have been missed.',
    headers: { 'Last-Event-ID': { description: 'The last id that the client has got: it gets what it has missed since.' } },
    type: 'text/event-stream',
    item: {
      type: 'object',
      properties: {
        event: { type: 'string', description: '`<path> <event>`, `connection`, `position` or `reset`.' },
        id: { type: 'string', description: 'The place in the log of events.' },
        data: { type: 'string', contentMediaType: 'application/json' },
      },
    },
    errors: [400, 401, 403, 405, 406, 429, 503],
  };
}
