/** How long a part of the setup takes before the log is told, in milliseconds. */
const SLOW = 10_000;

/**
 * Waits for a part of the setup, and tells the log what is waited for where that takes long: calls from outside wait meanwhile, and may do so for ever.
 *
 * @param what names the part, such as `The setup of service 'users'`
 * @param work what the part does; gets a function that says that it waits for others from then on
 * @throws what the work throws
 */
export async function toldWhenSlow<T>(what: string, work: (leave: () => void) => PromiseLike<T> | T): Promise<T> {
  const timer = setTimeout(() => {
    process.emitWarning(
      `${what} has not ended after ${String(SLOW / 1000)} seconds: the application is not set up, and calls from outside wait`,
      {
        code: 'SETUP_SLOW',
      },
    );
  }, SLOW);
  // What waits for nothing that could come ends by itself.
  timer.unref();
  const leave = (): void => {
    clearTimeout(timer);
  };
  try {
    return await work(leave);
  } finally {
    leave();
  }
}
