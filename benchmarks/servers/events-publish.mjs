/** Size of what a publisher is asked for. */
const LIMIT = 1000;

/**
 * Publishes events of a fixed size; the last one ends with the mark by which readers know it.
 *
 * @param order `{ count, bytes }`
 * @param emit publishes one event
 */
export async function publishAll({ count, bytes }, emit) {
  for (let number = 0; number < count; number++) {
    const mark = number === count - 1 ? LAST : '';
    emit({ number, text: String(number).padEnd(bytes - mark.length, 'x') + mark });
    // Others have their turn.
    if (number % 16 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
}

/** What the last event of those that are published ends with. */
export const LAST = '#last#';

/** Pings would be measured with what is published. */
export const NO_PINGS = Object.freeze({ pingInterval: 3_600_000, pingTimeout: 3_600_000 });

/**
 * Listener of Node's own server for `POST /publish`, for servers without a framework.
 *
 * @param emit publishes one event
 * @param other answers all other requests
 */
export function publisher(emit, other = (req, res) => res.writeHead(404).end()) {
  return async (req, res) => {
    if (req.url !== '/publish') return other(req, res);
    let text = '';
    for await (const chunk of req.setEncoding('utf8')) if ((text += chunk).length > LIMIT) return res.writeHead(413).end();
    await publishAll(JSON.parse(text), emit);
    return res.writeHead(201, { 'Content-Type': 'application/json' }).end('{}');
  };
}
