import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { RequestHandler } from 'express';

/** `page/live.ts` and the client, as the build puts them into one file. */
const SCRIPT = `\n${readFileSync(new URL('../dist/page/live.js', import.meta.url), 'utf8')}`;

/** A page that shows the latest changes to cities, in every browser that has it open. */
const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Latest changes to cities</title>
<h1>Latest changes to cities</h1>
<p id="state" role="status">connecting</p>
<ol id="changes" reversed></ol>
<script type="module">${SCRIPT}</script>
</html>
`;

/** The page runs its own script alone, and asks this server alone. */
const SCRIPT_HASH = createHash('sha256').update(SCRIPT).digest('base64');
const POLICY = `default-src 'none'; script-src 'sha256-${SCRIPT_HASH}'; connect-src 'self'; frame-ancestors 'self'`;

/** Serves the page. */
export const livePage: RequestHandler = (_req, res) => {
  res.set('Content-Security-Policy', POLICY).type('html').send(PAGE);
};
