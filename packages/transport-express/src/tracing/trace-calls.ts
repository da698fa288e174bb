import type { HookContext } from '@framework/core';
import { isError } from '@framework/errors';
import { aroundAlone } from '../around-alone.ts';
import { thrownText } from '../thrown-text.ts';

/** A span of OpenTelemetry, as far as it is needed. */
export interface TracingSpan {
  setAttribute(name: string, value: string): unknown;
  setStatus(status: { code: number; message?: string }): unknown;
  recordException(error: Error): unknown;
  end(): void;
}

/** What `@opentelemetry/api` exports, as far as it is needed. */
export interface TracingApi {
  readonly trace: {
    getTracer(name: string): {
      startActiveSpan<T>(
        name: string,
        options: { readonly attributes: Readonly<Record<string, string>> },
        work: (span: TracingSpan) => T,
      ): T;
    };
  };
}

/** `SpanStatusCode.ERROR` of OpenTelemetry. */
const ERROR = 2;

/**
 * An around hook that makes a span of OpenTelemetry for each service call, also for those that services make among each other:
 * `app.hooks({ around: { all: [traceCalls(api)] } })` with `import * as api from '@opentelemetry/api'`.
 *
 * The span is named `users.get` and has the attributes `framework.path`, `framework.method` and, for calls from outside, `framework.provider`; what a call
 * throws is its `error.type`, and its status is an error when that is a fault of the server (500 and above, or no error of ours).
 *
 * @param api what `@opentelemetry/api` exports
 * @throws TypeError when that is something else
 */
export function traceCalls(api: TracingApi): (context: HookContext, next: () => Promise<void>) => Promise<void> {
  if (typeof api?.trace?.getTracer !== 'function') {
    throw new TypeError("traceCalls(api) takes what '@opentelemetry/api' exports: import * as api from '@opentelemetry/api'");
  }
  const tracer = api.trace.getTracer('@framework/transport-express');
  return ({ path, method, params }, next) => {
    aroundAlone('traceCalls(api)', next);
    const { provider } = params;
    const attributes: Record<string, string> = { 'framework.path': path, 'framework.method': method };
    if (typeof provider === 'string') attributes['framework.provider'] = provider;
    return tracer.startActiveSpan(`${path}.${method}`, { attributes }, async (span) => {
      try {
        await next();
      } catch (error) {
        markFailed(span, error);
        throw error;
      } finally {
        span.end();
      }
    });
  };
}

function markFailed(span: TracingSpan, thrown: unknown): void {
  const error = isError(thrown) ? thrown : new Error(thrownText(thrown));
  span.setAttribute('error.type', error.name);
  const code: unknown = Reflect.get(error, 'code');
  if (typeof code === 'number' && code >= 400 && code < 500) return;
  span.recordException(error);
  span.setStatus({ code: ERROR, message: error.message });
}
