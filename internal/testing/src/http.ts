export { send, sendJson, type Answer } from './http-client.ts';
export { listen, type RunningApplication } from './listening.ts';
export { echo } from './echo-service.ts';
