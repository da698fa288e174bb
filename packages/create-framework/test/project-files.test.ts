import { describe, expect, it } from '@jest/globals';
import typescript from 'typescript';
import { projectFiles, type PackageManager, type ProjectOptions } from '../src/index.ts';
import { everyProject, options } from './options.ts';

const SECRET = 'c2VjcmV0IG9mIHRoZSB0ZXN0cyB3aGljaCBpcyBsb25nIGVub3VnaA==';
const filesOf = (different: Partial<ProjectOptions> = {}): ReadonlyMap<string, string> => projectFiles(options(different), SECRET);

const SMALLEST = [
  '.github/workflows/ci.yml',
  '.gitignore',
  'AGENTS.md',
  'Dockerfile',
  'README.md',
  'audit.json',
  'eslint.config.js',
  'package.json',
  'src/app.ts',
  'src/main.ts',
  'src/services/index.ts',
  'src/services/messages.ts',
  'test/app.test.ts',
  'test/messages.test.ts',
  'test/start-app.ts',
  'tsconfig.json',
];

describe('the files of a project', () => {
  it('are these in memory and without logins', () => {
    expect([...filesOf().keys()]).toEqual(SMALLEST);
  });

  it('are these with a database and logins', () => {
    const more = ['.env', 'src/database.ts', 'src/services/users.ts'];
    expect([...filesOf({ database: { kind: 'embedded' }, login: 'local' }).keys()]).toEqual([...SMALLEST, ...more].sort());
  });

  it('tell clients what each service shows, which is less than its class has', () => {
    const files = filesOf({ database: { kind: 'embedded' }, login: 'local' });
    const shown = ['users', 'messages'].map(
      (name) => /interface Services \{\s+(.*;)/.exec(files.get(`src/services/${name}.ts`) ?? '')?.[1],
    );
    expect(shown).toEqual([
      'users: ServiceWith<UsersService, { schema: typeof userSchema }>;',
      'messages: ServiceWith<MessagesService, { schema: typeof messageSchema }>;',
    ]);
  });

  it('are the same in JavaScript, by another ending', () => {
    const ts = [...filesOf({ login: 'oauth', realTime: 'sse' }).keys()];
    expect([...filesOf({ login: 'oauth', realTime: 'sse', language: 'js' }).keys()]).toEqual(
      ts.map((file) => file.replace(/\.ts$/, '.js')),
    );
  });

  it.each(everyProject.map((each) => [`${each.language} ${each.database.kind} ${each.login} ${each.realTime}`, each] as const))(
    '%s: is filled in, parses, and has its secret and its URL in .env alone',
    (_title, each) => {
      const files = projectFiles(each, SECRET);
      for (const [file, text] of files) {
        expect([file, /^%%|[«»‹›¦]/m.exec(text)]).toEqual([file, null]);
        expect([file, /\n{3,}|[ \t]$/m.exec(text)]).toEqual([file, null]);
        if (/\.[jt]s$/.test(file)) expect([file, syntaxErrors(file, text)]).toEqual([file, []]);
        if (file.endsWith('.json')) expect(JSON.parse(text)).toEqual(expect.any(Object));
        if (file !== '.env') expect([file, text.includes(SECRET) || text.includes('s3cret')]).toEqual([file, false]);
      }
      expect(files.get('.env')?.includes(SECRET) ?? false).toBe(each.login !== 'none');
    },
  );

  it.each([
    'mongodb://ann:s3/cret@db.example/app',
    'mongodb://db.example/app?tlsCertificateKeyFilePassword=s3cret&w=majority',
    'mongodb://db.example/app?w=majority&authMechanismProperties=AWS_SESSION_TOKEN:s3cret',
    'mongodb://db.example/app?proxyHost=h&proxyPassword=s3cret',
  ])('has the secrets of %s in .env alone', (url) => {
    const files = filesOf({ database: { kind: 'mongodb', url } });
    expect([...files].filter(([, text]) => /s3/.test(text)).map(([file]) => file)).toEqual(['.env']);
  });

  it('names only packages that the project installs', () => {
    for (const each of everyProject) {
      const files = projectFiles(each, SECRET);
      const { dependencies, devDependencies } = JSON.parse(files.get('package.json') ?? '') as Record<string, Record<string, string>>;
      const sources = [...files].filter(([file]) => /^(src|test)\//.test(file) || file === 'eslint.config.js');
      const used = new Set(
        sources.flatMap(([, text]) => [...text.matchAll(/(?:from|import\() ?'((?:@[\w-]+\/)?[\w.-]+)/g)].map((match) => match[1] ?? '')),
      );
      const known = new Set([...Object.keys(dependencies ?? {}), ...Object.keys(devDependencies ?? {})]);
      expect([...used].filter((name) => !/^(node|\.+)$/.test(name) && !known.has(name))).toEqual([]);
      const unused = Object.keys(dependencies ?? {}).filter(
        (name) => !used.has(name) && !['express', 'socket.io', '@framework/errors'].includes(name),
      );
      expect(unused).toEqual([]);
    }
  });

  it('name a database that a server takes, whatever the project is called', () => {
    const all = everyProject.flatMap((each) => [...projectFiles({ ...each, name: 'admin' }, SECRET).values()]);
    expect(all.filter((text) => /mongodb:\/\/(?:127\.0\.0\.1:27017|host|…)\/admin\b(?!-app)/.test(text))).toEqual([]);
  });

  it('pins its tools', () => {
    const { devDependencies } = JSON.parse(filesOf().get('package.json') ?? '') as { devDependencies: Record<string, string> };
    const others = Object.entries(devDependencies).filter(([name]) => !name.startsWith('@framework/'));
    expect(others.length).toBeGreaterThan(3);
    expect(others.filter(([, version]) => !/^\d/.test(version))).toEqual([]);
  });
});

describe('the container file', () => {
  it.each<PackageManager>([
    { name: 'npm', version: '11.0.0' },
    { name: 'pnpm', version: '10.34.8' },
    { name: 'yarn', version: '1.22.22' },
    { name: 'yarn', version: '4.1.0' },
    { name: 'bun', version: '1.4.5' },
  ])('of $name $version runs without rights, copies what there is, and is process 1', (packageManager) => {
    for (const each of everyProject) {
      const files = projectFiles({ ...each, packageManager }, SECRET);
      const lines = (files.get('Dockerfile') ?? '')
        .replaceAll('\\\n', ' ')
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('#'));
      expect(lines.filter((line) => !/^(FROM|WORKDIR|RUN|COPY|ENV|USER|EXPOSE|HEALTHCHECK|VOLUME|CMD) \S/.test(line))).toEqual([]);
      const last = lines.slice(lines.lastIndexOf('FROM node:24-slim'));
      const user = last.indexOf('USER node');
      expect(user).toBeGreaterThan(0);
      // What comes behind has no more rights, and no secret and no file of this machine is copied.
      expect(last.slice(user).some((line) => /^(RUN|COPY|USER root)/.test(line))).toBe(false);
      expect(lines.some((line) => /^COPY .*(\.env|(^| )\. )/.test(line))).toBe(false);
      const copied = lines
        .filter((line) => line.startsWith('COPY ') && !line.includes('--from'))
        .flatMap((line) => line.split(' ').slice(1, -1));
      const made = ['package-lock.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock'];
      const known = [...files.keys(), ...made];
      expect(copied.filter((path) => !known.some((file) => file === path || file.startsWith(`${path}/`)))).toEqual([]);
      const [command = ''] = lines.filter((line) => line.startsWith('CMD'));
      const [program, main = ''] = JSON.parse(command.slice(4)) as string[];
      expect([program, files.has(main.replace('dist/', '').replace(/js$/, each.language))]).toEqual(['node', true]);
    }
  });
});

describe('the workflow', () => {
  it('names its actions by digest, has no rights that it does not name, and audits', () => {
    const workflow = filesOf().get('.github/workflows/ci.yml') ?? '';
    const uses = workflow.match(/uses: \S+/g) ?? [];
    expect(uses.length).toBeGreaterThan(1);
    expect(uses.filter((use) => !/@[0-9a-f]{40}$/.test(use))).toEqual([]);
    expect(workflow).toContain('\npermissions: {}\n');
    expect(workflow).toContain('run: npm run audit:services');
  });
});

it.each([
  ['1.2.23', 'bun@1.2.23'],
  ['1.4.5', 'bun@1.4.5'],
  ['', 'bun'],
])('container and workflow read the lock file by the Bun that writes it: %s', (version, installed) => {
  const files = filesOf({ packageManager: { name: 'bun', version } });
  for (const file of ['Dockerfile', '.github/workflows/ci.yml'])
    expect([file, /npm install --global (bun\S*)$/m.exec(files.get(file) ?? '')?.[1]]).toEqual([file, installed]);
});

/** Most projects have most files in common: by names and texts. */
const parsed = new Map<string, readonly string[]>();

function syntaxErrors(fileName: string, text: string): readonly string[] {
  const key = `${fileName}\n${text}`;
  const known = parsed.get(key);
  if (known) return known;
  const { diagnostics = [] } = typescript.transpileModule(text, {
    fileName,
    reportDiagnostics: true,
    compilerOptions: { module: typescript.ModuleKind.NodeNext, allowJs: true },
  });
  const errors = diagnostics.map(({ messageText }) => String(typeof messageText === 'string' ? messageText : messageText.messageText));
  parsed.set(key, errors);
  return errors;
}
