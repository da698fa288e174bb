// What somebody types who has nothing yet: runs it in a folder, with the packages of a registry and a version of Node.js.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

const LIMIT = 300_000;

/** A person at a terminal: a folder, a Node.js and a registry. */
export class Newcomer {
  #folder;
  #env;

  /**
   * @param {string} folder an empty folder
   * @param {string} registry URL of the registry
   * @param {string} node path of the Node.js that everything runs on
   */
  constructor(folder, registry, node = process.execPath) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
    const inherited = Object.entries(process.env).filter(([name]) => !/^(npm_|CI$|NODE_|TURBO|JEST)/.test(name));
    this.#env = {
      ...Object.fromEntries(inherited),
      PATH: `${dirname(node)}${delimiter}${process.env.PATH}`,
      npm_config_registry: registry,
      npm_config_prefer_offline: 'true',
      npm_config_yes: 'true',
      npm_config_fund: 'false',
      npm_config_audit: 'false',
      npm_config_update_notifier: 'false',
    };
  }

  /**
   * Runs a command of a shell to its end.
   *
   * @param {string} command
   * @param {string} [cwd] below the folder
   * @returns {Promise<string>} what it said
   * @throws Error with all that it said when it fails
   */
  async run(command, cwd = '.', env = {}) {
    const child = spawn('bash', ['-c', command], {
      cwd: join(this.#folder, cwd),
      env: { ...this.#env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: LIMIT,
    });
    const output = collect(child);
    const [code, signal] = await once(child, 'close');
    if (code !== 0) throw new Error(`\`${command}\` ended with ${code ?? signal}:\n${output()}`);
    return output();
  }

  /**
   * Starts a server by a command, and waits until it says where it is.
   *
   * @param {string} command
   * @param {string} cwd below the folder
   * @returns {Promise<{ url: string, stop: () => Promise<number | null>, said: () => string }>} `stop` sends SIGTERM to all that
   *   the command has started, and gives its exit code; `said` is what it has printed
   */
  async start(command, cwd, env = {}) {
    const child = spawn('bash', ['-c', `exec ${command}`], {
      cwd: join(this.#folder, cwd),
      env: { ...this.#env, PORT: '0', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, as a terminal makes: Ctrl+C reaches all of it, what npm has started too.
      detached: true,
    });
    const output = collect(child);
    const ended = once(child, 'close').then(([code]) => code);
    let url;
    while (url === undefined) {
      const over = await Promise.race([ended.then(() => true), new Promise((resolve) => setTimeout(resolve, 20, false))]);
      url = /http:\/\/localhost:\d+/.exec(output())?.[0];
      if (over && url === undefined) throw new Error(`\`${command}\` did not start:\n${output()}`);
    }
    const stop = async () => {
      process.kill(-child.pid, 'SIGTERM');
      return ended;
    };
    return { url: url.replace('localhost', '127.0.0.1'), stop, said: output };
  }
}

function collect(child) {
  let output = '';
  const keep = (chunk) => (output += chunk);
  child.stdout.setEncoding('utf8').on('data', keep);
  child.stderr.setEncoding('utf8').on('data', keep);
  return () => output;
}
