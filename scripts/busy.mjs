// Keeps one core busy until whoever started it goes away or ends it.
const SLICE = 50;

function burn() {
  if (!process.connected) process.exit();
  for (const end = performance.now() + SLICE; performance.now() < end;);
  setImmediate(burn);
}

burn();
