import type { Viewer } from './record-rules.ts';

/** A caller of whom nothing is known: whoever an event is sent to. */
export const NOBODY: Viewer = Object.freeze({ params: Object.freeze({}) });
