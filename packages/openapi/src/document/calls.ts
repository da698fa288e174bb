import { defaultServiceMethods } from '@framework/core';
import { docsOfMethod, ownMethod, type DescribedService } from './described-service.ts';
import { recordTemplateOf, templateOf } from './names.ts';
import type { HttpMethod } from './types.ts';

/** A request that calls a method of a service. */
export interface DescribedCall {
  readonly method: string;
  readonly httpMethod: HttpMethod;
  /** Path with placeholders in braces. */
  readonly template: string;
  /** Name of the placeholder with the id; `undefined` for calls that name no record. */
  readonly id: string | undefined;
  /** Whether the call changes all records that match. */
  readonly many: boolean;
  /** Whether a header names the method. */
  readonly byHeader: boolean;
}

const HTTP: Readonly<Record<string, HttpMethod>> = {
  find: 'get',
  get: 'get',
  create: 'post',
  update: 'put',
  patch: 'patch',
  remove: 'delete',
};
const WITH_ID: ReadonlySet<string> = new Set(['get', 'update', 'patch', 'remove']);

/**
 * The requests that call the methods of a service.
 *
 * @param methodPaths whether custom methods have paths of their own
 */
export function callsOf(service: DescribedService, methodPaths: boolean): DescribedCall[] {
  return service.methods
    .filter((method) => docsOfMethod(service, method) !== false)
    .flatMap((method) => callsOfMethod(service, method, methodPaths));
}

function callsOfMethod(service: DescribedService, method: string, methodPaths: boolean): DescribedCall[] {
  const template = templateOf(service.path);
  const httpMethod = HTTP[method] ?? 'post';
  const plain = { method, httpMethod, template, id: undefined, many: false, byHeader: false };
  if (!defaultServiceMethods.includes(method)) {
    if (!methodPaths) return [{ ...plain, byHeader: true }];
    return [{ ...plain, template: `${template === '/' ? '' : template}/${method}` }];
  }
  if (!WITH_ID.has(method)) return [plain];
  const record = recordTemplateOf(service.path);
  const one = { ...plain, template: record.template, id: record.id };
  const ids = idsOf(service, method);
  return [...(ids === 'one' ? [] : [{ ...plain, many: service.collection !== undefined }]), ...(ids === 'none' ? [] : [one])];
}

function idsOf(service: DescribedService, method: string): 'one' | 'none' | 'either' {
  const said = ownMethod(service, method)?.ids;
  if (said !== undefined) return said;
  // Where each change needs a condition, none of several records is taken.
  const { multi = false } = service.conditional === 'required' ? {} : (service.collection ?? {});
  const allowed = multi === true || (Array.isArray(multi) && multi.includes(method));
  return allowed && (method === 'patch' || method === 'remove') ? 'either' : 'one';
}
