// Elastic's agent, which reads `req.route` by itself.
const { createRequire } = require('node:module');

const spans = [];
createRequire(`${process.env.AGENTS}/`)('elastic-apm-node')
  .start({ serverUrl: process.env.COLLECTOR, centralConfig: false, cloudProvider: 'none', logLevel: 'off', metricsInterval: '0s' })
  .addTransactionFilter((transaction) => {
    spans.push({ name: transaction.name });
    return transaction;
  });
globalThis.takeSpans = () => spans.splice(0);
