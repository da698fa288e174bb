// New Relic's agent, without its server. A hook names the transaction.
const { createRequire } = require('node:module');

Object.assign(process.env, {
  NEW_RELIC_APP_NAME: 'agents',
  NEW_RELIC_LOG_ENABLED: 'false',
  NEW_RELIC_NO_CONFIG_FILE: 'true',
  NEW_RELIC_SERVERLESS_MODE_ENABLED: 'true',
});
const newrelic = createRequire(`${process.env.AGENTS}/`)('newrelic');
const spans = [];
newrelic.agent.on('transactionFinished', ({ name }) => {
  spans.push({ name });
});
globalThis.takeSpans = () => spans.splice(0);
globalThis.prepare = (app) => {
  const name = (context) => {
    if (context.params.provider === 'rest') newrelic.setTransactionName(`${context.path}.${context.method}`);
  };
  app.hooks({ before: { all: [name] } });
};
