/** What came with an answer beside its content. */
export interface ResponseFacts {
  /** HTTP status. */
  readonly status: number;
  /** Headers of the answer. A page of another origin sees those that the server lists in `Access-Control-Expose-Headers`. */
  readonly headers: Headers;
  /** The id under which the server has logged the error: `X-Correlation-Id`. */
  readonly correlationId: string | undefined;
}
