import type { ErrorRequestHandler, NextFunction, Request, RequestHandler, Response } from 'express';

/** A middleware function of Express, for requests or for errors. */
export type Middleware = RequestHandler | ErrorRequestHandler;

export type { NextFunction, Request, Response };
