import http from 'node:http';

/**
 * Sends requests at a steady rate, whether or not earlier ones were answered, and gives the times until their answers.
 *
 * @param target `port`, `path`, `headers`
 * @param rate requests per second
 * @param duration milliseconds
 * @returns milliseconds, sorted
 */
export async function latencies({ port, path, headers }, rate, duration) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
  const times = [];
  const pending = [];
  const start = performance.now();
  for (let sent = 0; performance.now() - start < duration; sent++) {
    const due = start + (sent * 1000) / rate;
    const wait = due - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    const began = performance.now();
    pending.push(
      new Promise((resolve, reject) => {
        http
          .get({ port, path, headers, agent }, (response) => {
            if (response.statusCode !== 200) reject(new Error(`${path}: ${response.statusCode}`));
            response.resume().once('end', () => {
              times.push(performance.now() - began);
              resolve();
            });
          })
          .once('error', reject);
      }),
    );
  }
  await Promise.all(pending);
  agent.destroy();
  return times.sort((a, b) => a - b);
}

/** The value that a share of sorted values does not exceed. */
export function percentile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}
