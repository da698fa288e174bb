import originalExpress from 'express';

/** Parses form bodies (interface 4.3). */
export const urlencoded: typeof originalExpress.urlencoded = originalExpress.urlencoded;

/** Parses text bodies. */
export const text: typeof originalExpress.text = originalExpress.text;

/** Leaves bodies as bytes. */
export const raw: typeof originalExpress.raw = originalExpress.raw;

/** Hosts files from a folder (interface 4.3). */
export const serveStatic: typeof originalExpress.static = originalExpress.static;

/** Creates a router (interface 4.3). */
export const Router: typeof originalExpress.Router = originalExpress.Router;

/** Express itself. */
export const original: typeof originalExpress = originalExpress;
