// Datadog's agent. Its hook for requests is told the route.
const { createRequire } = require('node:module');

createRequire(`${process.env.AGENTS}/`)('dd-trace')
  .init({ startupLogs: false, flushInterval: 0, url: process.env.COLLECTOR })
  .use('http', {
    server: {
      hooks: {
        request(span, req) {
          if (req.route) span.setTag('http.route', `${req.baseUrl}${req.route.path}`);
        },
      },
    },
  });
globalThis.takeSpans = () => [];
