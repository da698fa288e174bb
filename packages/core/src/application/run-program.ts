/**
 * Runs a program that looks at an application, and ends the process with its exit code: an application may hold connections and timers. An
 * error is told on the standard error, and ends it with 2; so does an application that ends the process itself, or that waits for what never comes.
 *
 * @param main the program; gives the exit code
 * @param outcome what there is not when the process ends before it, for example `no audit`
 */
export function runProgram(main: () => Promise<number>, outcome: string): void {
  let isDone = false;
  process.on('exit', () => {
    if (isDone) return;
    console.error(`There is ${outcome}: the application ended the process, or waits for what never comes`);
    process.exitCode = 2;
  });
  const end = (code: number): void => {
    // What was printed leaves first.
    process.stdout.write('', () => {
      isDone = true;
      process.exit(code);
    });
  };
  main().then(end, (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    end(2);
  });
}
