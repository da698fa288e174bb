import { FrameworkClientError } from '../src/index.ts';

/** The error that a call fails with. */
export async function failureOf(call: PromiseLike<unknown>): Promise<FrameworkClientError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof FrameworkClientError) return error;
    throw error;
  }
  throw new Error('The call did not fail');
}
