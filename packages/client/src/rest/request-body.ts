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
  if (!isRaw(data)) return { body: JSON.stringify(data), type: 'application/json', repeatable: true };
  const kind = kindOf(data);
  return {
    body: data,
    type: /Form|Blob|File|Params/.test(kind) ? undefined : 'application/octet-stream',
    repeatable: !/Stream/.test(kind),
  };
}

/** By name, since not every platform has all of these. */
function isRaw(data: unknown): data is BodyInit {
  return /Form|Blob|File|Params|Buffer|\dArray|View|Stream/.test(kindOf(data));
}

function kindOf(data: unknown): string {
  return Object.prototype.toString.call(data);
}
