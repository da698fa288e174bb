import type ts from 'typescript';

type Compiler = typeof ts;

/**
 * A compiler whose programs share the files that they read, as those of an editor do: libraries are parsed once. All programs are expected to
 * have the same settings for how files are read.
 *
 * @param folder what is below it changes, and is read each time
 */
export function sharingFiles(compiler: Compiler, folder: string): Compiler {
  const shared = new Map<string, ts.SourceFile | undefined>();
  const createCompilerHost: Compiler['createCompilerHost'] = (...args) => {
    const host = compiler.createCompilerHost(...args);
    return {
      ...host,
      getSourceFile(path, options, ...rest) {
        if (path.startsWith(folder)) return host.getSourceFile(path, options, ...rest);
        const key = `${path} ${JSON.stringify(options)}`;
        if (!shared.has(key)) shared.set(key, host.getSourceFile(path, options, ...rest));
        return shared.get(key);
      },
    };
  };
  return { ...compiler, createCompilerHost };
}
