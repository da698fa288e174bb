import { Writable } from 'node:stream';
import session from 'express-session';
import helmet from 'helmet';
import morgan from 'morgan';

/** What applications ordinarily have in front: security headers, an access log, a session. */
export const ordinaryMiddleware = () => [
  helmet(),
  morgan('combined', { stream: new Writable({ write: (_line, _encoding, done) => done() }) }),
  session({ secret: 'for benchmarks alone', resave: false, saveUninitialized: false }),
];
