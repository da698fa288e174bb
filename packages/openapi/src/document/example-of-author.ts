import { getRules, type WriteOperation } from '@framework/core';
import { docsOfMethod, type DescribedService } from './described-service.ts';

/**
 * The example of a body that a service's author gives, unless it tells what is kept from whoever reads the document: the server refuses it.
 *
 * @param refuse told, in the words of a sentence that begins with the service, why an example is left out
 * @returns `undefined` where there is none
 */
export function exampleOfAuthor(service: DescribedService, method: string, refuse: (message: string) => void): unknown {
  const { example } = docsOfMethod(service, method) || {};
  const rules = getRules(service.service);
  if (example === undefined || rules === undefined || !isWrite(method)) return example;
  const records: readonly unknown[] = Array.isArray(example) ? example : [example];
  const refused = records.flatMap((record) => rules.refused(record, method, { params: service.viewer }));
  if (refused.length === 0) return example;
  const paths = [...new Set(refused.map(({ path }) => `'${path}'`))].join(', ');
  refuse(
    `has an example of '${method}' with ${paths}, which callers can not set: it is left out. Take that out of it in its option 'docs'`,
  );
  return undefined;
}

function isWrite(method: string): method is WriteOperation {
  return method === 'create' || method === 'update' || method === 'patch';
}
