import { FrameworkClientError } from '../errors/client-error.ts';
import { errorOfBody } from '../errors/error-of-body.ts';
import type { ResponseFacts } from '../errors/response-facts.ts';
import type { TransportAnswer } from '../transport.ts';

/**
 * Reads an answer, of which nothing is believed.
 *
 * @param most bytes that are read
 * @throws FrameworkClientError what the answer says, or for one that is no JSON, too large, or leads elsewhere
 */
export async function readAnswer(answer: Response, most: number): Promise<TransportAnswer> {
  const { status, headers, type } = answer;
  const response: ResponseFacts = { status, headers, correlationId: headers.get('x-correlation-id') ?? undefined };
  if (type === 'opaqueredirect' || /^3/.test(`${status}`)) {
    discard(answer.body);
    const target = headers.get('location')?.slice(0, 200) ?? 'elsewhere';
    throw new FrameworkClientError('redirect', `The server sends the call to ${target}`, { response });
  }
  const text = await textOf(answer, most, response);
  if (status === 204 || status === 205) return { result: null, response };
  let result: unknown;
  try {
    if (!/^[^;]*[/+]json\b/i.test(headers.get('content-type') ?? '')) throw undefined;
    result = JSON.parse(text);
  } catch {
    throw new FrameworkClientError('not-json', `The server answered ${status}, no JSON`, {
      code: status > 399 ? status : undefined,
      response,
      received: text,
    });
  }
  if (status > 399) throw errorOfBody(result, response);
  return { result, response };
}

/** @throws FrameworkClientError where there is more than that */
async function textOf(answer: Response, most: number, response: ResponseFacts): Promise<string> {
  // Not every platform streams.
  const reader = answer.body?.getReader?.();
  if (!reader) return answer.text();
  const decoder = new TextDecoder();
  let text = '';
  for (let bytes = Number(answer.headers.get('content-length')) > most ? Infinity : 0; bytes <= most;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    text += decoder.decode(value, { stream: true });
  }
  discard(reader);
  throw new FrameworkClientError('too-large', `The answer has more than ${most} bytes ('maxResponse')`, { response });
}

/** What is not wanted any more may fail. */
function discard(body: Pick<ReadableStreamDefaultReader, 'cancel'> | null): void {
  body?.cancel?.().catch(() => undefined);
}
