import express from 'express';
import { serveItems } from './express-items.mjs';
import { ordinaryMiddleware } from './shared-middleware.mjs';

serveItems(express, ordinaryMiddleware());
