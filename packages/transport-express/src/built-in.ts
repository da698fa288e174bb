import { checkSpelling } from '@framework/core';
import originalExpress from 'express';
import { json as fastJson, type JsonOptions } from './body/json.ts';
import { verifyUtf8 } from './body/utf8-body.ts';

/** Versions of Express may have more: what is near to none of these is theirs. */
const TEXT_OPTIONS: ReadonlySet<string> = new Set(['defaultCharset', 'inflate', 'limit', 'type', 'verify']);
const FORM_OPTIONS: ReadonlySet<string> = new Set([
  ...TEXT_OPTIONS,
  ...['charsetSentinel', 'depth', 'extended', 'interpretNumericEntities', 'parameterLimit'],
]);

/** Parses JSON bodies (interface 4.3); takes the options of Express's own parser, and gives its errors. */
export const json: typeof originalExpress.json = function json(options?: JsonOptions) {
  return fastJson(options);
};

/** Parses form bodies (interface 4.3): Express's parser, which refuses bytes that are no UTF-8 in a form that is said to be UTF-8. */
export const urlencoded: typeof originalExpress.urlencoded = function urlencoded(options) {
  checkSpelling('urlencoded()', options ?? {}, FORM_OPTIONS);
  return originalExpress.urlencoded({ ...options, verify: verifyUtf8(options) });
};

/** Parses text bodies: Express's parser, which refuses bytes that are no UTF-8 in a text that is said to be UTF-8. */
export const text: typeof originalExpress.text = function text(options) {
  checkSpelling('text()', options ?? {}, TEXT_OPTIONS);
  return originalExpress.text({ ...options, verify: verifyUtf8(options) });
};

/** Leaves bodies as bytes. */
export const raw: typeof originalExpress.raw = originalExpress.raw;

/** Hosts files from a folder (interface 4.3). */
export const serveStatic: typeof originalExpress.static = originalExpress.static;

/** Creates a router (interface 4.3). */
export const Router: typeof originalExpress.Router = originalExpress.Router;

/** What applications of the installed Express are made of, as it exports them. */
export const application: typeof originalExpress.application = originalExpress.application;

/** What requests of the installed Express inherit from. */
export const request: typeof originalExpress.request = originalExpress.request;

/** What responses of the installed Express inherit from. */
export const response: typeof originalExpress.response = originalExpress.response;

/** Express itself. */
export const original: typeof originalExpress = originalExpress;
