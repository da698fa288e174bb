import type { HookContext } from '../hooks/hook-types.ts';

/** What the result of a call is. `other` is what a custom method gives: records may be anywhere in it. */
export type ResultForm = 'records' | 'page' | 'stream' | 'other';

const METHODS: ReadonlySet<string> = new Set(['find', 'get', 'create', 'update', 'patch', 'remove']);

interface Paginated {
  readonly paginate?: unknown;
}

/** The page sizes of a service and of a call, as far as they are told here; contexts that are made by hand tell nothing. */
interface Paginates {
  readonly options?: Paginated | undefined;
}

/**
 * Tells by the method and by the page sizes what a result is; its properties do not decide.
 *
 * @param value the result, or what is sent instead
 */
export function formOf({ method, params, service }: HookContext, value: unknown): ResultForm {
  if (typeof value === 'object' && value !== null && isStream(value)) return 'stream';
  if (!METHODS.has(method)) return 'other';
  if (method !== 'find' || Array.isArray(value)) return 'records';
  const paginate = (params as Paginated | undefined)?.paginate ?? (service as Paginates | undefined)?.options?.paginate;
  // A service that does not page gives no pages; what else it gives is looked through.
  return paginate === false ? 'other' : isPage(value) ? 'page' : 'other';
}

/** Records one after another; bytes are no records. */
function isStream(value: object): value is AsyncIterable<unknown> {
  return Symbol.asyncIterator in value && (value as { readonly readableObjectMode?: boolean }).readableObjectMode !== false;
}

/** @returns whether a result of `find` has records as its `data` */
export function isPage(value: unknown): value is { readonly data: readonly unknown[] } {
  return typeof value === 'object' && value !== null && Array.isArray((value as { readonly data?: unknown }).data);
}
