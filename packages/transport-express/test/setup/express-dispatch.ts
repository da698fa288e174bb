// Every application of the suite goes Express's own way (task `test:express-dispatch`).
import express from 'express';
import { FAST_DISPATCH } from '../../src/dispatch/fast-dispatch.ts';

const { application } = express as unknown as { application: { defaultConfiguration(): void; set(name: string, value: unknown): void } };
const configure = application.defaultConfiguration;
application.defaultConfiguration = function (this: typeof application) {
  configure.call(this);
  this.set(FAST_DISPATCH, false);
};
