import { isRecord } from '../values.ts';

/** Where no issuer is known there is nothing to hold an ID token against, and nobody relies on it: the profile says who it is. */
export async function withoutIdToken(response: Response): Promise<Response> {
  const text = await response.text();
  const { status, headers } = response;
  return new Response(status === 204 ? null : leftOut(text), { status, headers });
}

function leftOut(text: string): string {
  try {
    const answer: unknown = JSON.parse(text);
    return isRecord(answer) ? JSON.stringify(Object.fromEntries(Object.entries(answer).filter(([name]) => name !== 'id_token'))) : text;
  } catch {
    // What is no JSON is refused where it is read.
    return text;
  }
}
