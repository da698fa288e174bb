import express from 'express';
import { serveItems } from './express-items.mjs';

serveItems(express);
