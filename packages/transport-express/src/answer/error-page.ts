import type { FrameworkError } from '@framework/errors';

/**
 * The HTML page of an error. Everything from outside is escaped, and a page of 500 and above has no message.
 *
 * @see security S40
 */
export function errorPage(error: FrameworkError, correlationId: string | undefined): string {
  const title = TITLES[error.code] ?? (error.code >= 500 ? 'Something went wrong' : 'The request failed');
  const text = error.code >= 500 ? 'The server could not complete the request.' : error.message;
  const reference = correlationId === undefined ? '' : `\n<p>Reference: <code>${escapeHtml(correlationId)}</code></p>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>body{font-family:system-ui,sans-serif;max-width:40rem;margin:15vh auto;padding:0 1rem;color:#222}h1{font-size:4rem;margin:0}</style>
</head>
<body>
<h1 id="error-code">${String(error.code)}</h1>
<h2 id="error-message">${escapeHtml(title)}</h2>
<p>${escapeHtml(text)}</p>${reference}
</body>
</html>
`;
}

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Not Authorized',
  403: 'Forbidden',
  404: 'Page Not Found',
  500: 'Internal Server Error',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${String(char.charCodeAt(0))};`);
}
