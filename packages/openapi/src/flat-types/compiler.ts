import { createRequire } from 'node:module';
import { join } from 'node:path';
import type ts from 'typescript';

/** The compiler of the application. */
export type Compiler = typeof ts;

/**
 * The compiler that the application has installed.
 *
 * @throws Error that names the command which installs it
 */
export function installedCompiler(): Compiler {
  const command = 'npm install --save-dev typescript@6';
  let found: Partial<Compiler>;
  try {
    found = createRequire(join(process.cwd(), 'package.json'))('typescript') as Partial<Compiler>;
  } catch {
    throw new Error(`framework-types needs the package typescript, which is not installed: ${command}`);
  }
  // From version 7 on there is a compiler, and nothing that other programs could ask.
  if (typeof found.createProgram !== 'function')
    throw new Error(`framework-types needs typescript 5.8 to 6, and not ${String(found.version)}: ${command}`);
  return found as Compiler;
}
