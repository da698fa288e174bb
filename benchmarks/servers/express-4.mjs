import express from 'express4';
import { serveItems } from './express-items.mjs';

serveItems(express);
