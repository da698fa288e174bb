import { relative } from 'node:path';
import { addService } from './add-service.ts';
import { SERVICE_FLAGS, type FlagValues } from './arguments/flags.ts';
import { npmFlags } from './arguments/npm-flags.ts';
import { parseArguments } from './arguments/parse-arguments.ts';
import { CommandError } from './command-error.ts';
import { planProject, type PlannedProject } from './create-project.ts';
import { makeRepository } from './files/make-repository.ts';
import { told } from './files/told.ts';
import { commandsOf, packageManagerOf } from './package-manager/commands.ts';
import { runCommand } from './package-manager/run-command.ts';
import type { ProjectOptions } from './project-options.ts';
import { repeatCommand } from './project/repeat-command.ts';
import { VERSIONS } from './project/versions.ts';
import { questionsOn } from './questions/ask.ts';
import { collectOptions } from './questions/collect-options.ts';
import { USAGE } from './usage.ts';

/** Where the command runs. */
export interface CommandHost {
  readonly env: NodeJS.ProcessEnv;
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  readonly cwd: string;
}

/**
 * The command.
 *
 * @param args what was typed behind its name
 * @returns the exit code
 * @throws CommandError for what can not be done, with a sentence that says why
 */
export async function main(args: readonly string[], host: CommandHost): Promise<number> {
  const { words, flags: typed } = parseArguments(args);
  const say = (text: string): void => {
    host.output.write(`${text}\n`);
  };
  if (typed.help === true) {
    say(USAGE);
    return 0;
  }
  if (typed.version === true) {
    say(VERSIONS['create-framework'] ?? '');
    return 0;
  }
  const [first, ...more] = words;
  if (first === 'service' && (more.length > 0 || typed.yes !== true)) return service(more, typed, host, say);
  if (more.length > 0) {
    throw new CommandError(
      `One folder is enough: ${words.map((word) => JSON.stringify(word.slice(0, 100))).join(', ')}. A flag is --name=value`,
    );
  }
  const flags = { ...npmFlags(host.env, typed), ...typed };
  return create(first, flags, host, say);
}

type Say = (text: string) => void;

function service(words: readonly string[], flags: FlagValues, { cwd }: CommandHost, say: Say): number {
  const other = Object.keys(flags).find((name) => !SERVICE_FLAGS.some((each) => each === name));
  if (other !== undefined) throw new CommandError(`service takes no --${other}: what it writes follows from the application`);
  const [path, ...more] = words;
  if (path === undefined || more.length > 0) throw new CommandError('service takes one path: create-framework service messages');
  say(told(() => addService(cwd, path, flags['dry-run'] === true)));
  return 0;
}

async function create(folder: string | undefined, flags: FlagValues, host: CommandHost, say: Say): Promise<number> {
  const asks = flags.yes !== true && host.input.isTTY && host.output.isTTY && host.env.CI === undefined;
  const questions = asks ? questionsOn(host) : undefined;
  const packageManager = packageManagerOf(host.env.npm_config_user_agent);
  let options: ProjectOptions;
  try {
    options = await collectOptions(folder, flags, packageManager, questions?.ask);
  } finally {
    questions?.close();
  }
  const project = told(() => planProject(options));
  if (flags['dry-run'] === true) {
    say(`Would write into ${project.path}:\n${[...project.files.keys()].map((file) => `  ${file}`).join('\n')}\n\n${again(options)}`);
    return 0;
  }
  told(() => project.write());
  say(`${String(project.files.size)} files are in ${project.path}`);
  if (flags.git !== false) say(await makeRepository(project.path));
  if (flags.install !== false && !(await install(project, options, say))) return 1;
  say(`\n${nextSteps(project, options, flags.install !== false, host.cwd)}\n\n${again(options)}`);
  return 0;
}

async function install(project: PlannedProject, options: ProjectOptions, say: Say): Promise<boolean> {
  const { install: command } = commandsOf(options.packageManager);
  say(`Installing: ${command}`);
  const { ok, output } = await runCommand(command, project.path);
  if (ok) return true;
  say(`${output}\n${command} failed; all files are there. Once what it says is mended, type\n\n  cd ${quoted(project.path)}\n  ${command}`);
  return false;
}

function nextSteps(project: PlannedProject, options: ProjectOptions, installed: boolean, cwd: string): string {
  const { install: command, start } = commandsOf(options.packageManager);
  const folder = relative(cwd, project.path);
  const steps = [...(folder === '' ? [] : [`cd ${quoted(folder)}`]), ...(installed ? [] : [command]), start];
  return `Next:\n\n${steps.map((step) => `  ${step}`).join('\n')}`;
}

const again = (options: ProjectOptions): string => `The same again:\n\n  ${repeatCommand(options)}`;
const quoted = (path: string): string => (/^[\w./:@%+=,~\\-]+$/.test(path) ? path : JSON.stringify(path));
