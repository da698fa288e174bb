import type { Application } from '@framework/transport-express';
import type { RunningApplication } from '@framework-internal/testing/http';

export { echo, listen, send, sendJson, type Answer } from '@framework-internal/testing/http';

/** A running application. */
export type Running = RunningApplication<Application>;
