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
  if (type === 'opaqueredirect' || (status > 299 && status < 400)) {
    discard(answer);
    const target = (headers.get('location') ?? 'another address').slice(0, 200);
    throw new FrameworkClientError('redirect', `The server sends the call to ${target}`, { response });
  }
  const text = await textOf(answer, most);
  if (text === undefined) throw new FrameworkClientError('too-large', `The answer is larger than 'maxResponse' (${most})`, { response });
  if (status === 204 || status === 205) return { result: null, response };
  let result: unknown;
  try {
    if (!/^[^;]*[/+]json\b/i.test(headers.get('content-type') ?? '')) throw undefined;
    result = JSON.parse(text);
  } catch {
    const code = status > 399 ? status : undefined;
    throw new FrameworkClientError('not-json', `The server answered ${status} with no JSON. Are the services at this address?`, {
      code,
      response,
      received: text,
    });
  }
  if (status > 399) throw errorOfBody(result, response);
  return { result, response };
}

/** @returns `undefined` where there is more than that */
async function textOf(answer: Response, most: number): Promise<string | undefined> {
  const { body, headers } = answer;
  if (Number(headers.get('content-length')) > most) {
    discard(answer);
    return undefined;
  }
  // Not every platform streams.
  if (body !== null && !body?.getReader) {
    const text = await answer.text();
    return text.length > most ? undefined : text;
  }
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let bytes = 0; ;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done || !value) return text + decoder.decode();
    bytes += value.length;
    if (bytes > most) {
      reader?.cancel().catch(ignore);
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}

function discard({ body }: Response): void {
  body?.cancel?.().catch(ignore);
}

function ignore(): void {
  // The answer is not wanted any more.
}
