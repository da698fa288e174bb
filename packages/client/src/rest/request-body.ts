/** What is sent of the data of a call. */
export interface RequestBody {
  readonly body?: BodyInit;
  /** Type of the content; `undefined` where the platform knows it. */
  readonly type?: string | undefined;
  /** Whether it can be sent a second time. */
  readonly repeatable: boolean;
}

/**
 * The body of a request: JSON, or files, forms and bytes as they are.
 *
 * @param data data of the call
 */
export function requestBody(data: unknown): RequestBody {
  if (data === undefined) return { repeatable: true };
  // By name, since not every platform has all of these.
  const [, known, bytes] = /(Form|Blob|File|Params)|(Buffer|\dArray|View|Stream)/.exec({}.toString.call(data)) ?? [];
  if (!known && !bytes) return { body: JSON.stringify(data), type: 'application/json', repeatable: true };
  return { body: data as BodyInit, ...(bytes && { type: 'application/octet-stream' }), repeatable: bytes !== 'Stream' };
}
