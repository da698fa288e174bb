import { arch, cpus, hostname, release, totalmem, type as osType, version as osVersion } from 'node:os';
import { ObjectId } from 'bson';
import { MAX_DOCUMENT_SIZE } from '../bson/limits.ts';
import { type Doc, Double, isDocument, type Timestamp } from '../bson/values.ts';
import { commandGroups } from '../declarations/all-commands.ts';
import { parameterChoice, setParameter as setParameterDeclaration } from '../declarations/commands/diagnostic.ts';
import { checkValue, isOn } from '../declarations/field.ts';
import { DocDbError } from '../errors.ts';
import { needsOf } from '../security/command-needs.ts';
import { greetingOfLogin } from './authentication.ts';
import { clientMetadata } from './client-metadata.ts';
import type { Command, ServerState } from './command.ts';
import { SERVER_VERSION } from './server-version.ts';
import { topologyVersion } from './topology-version.ts';

/** Wire version of that server. Clients look at it for what they may ask for, such as `bulkWrite` from 25. */
const WIRE_VERSION = 27;

/** @returns what is told of the replica set, and of the server in it */
export function memberOf({ address, setName, store }: ServerState): Doc {
  const electionId = new ObjectId('7fffffff0000000000000001');
  const lastWrite = lastWriteAt(store.lastTime());
  return { secondary: false, setName, setVersion: 1, electionId, hosts: [address], primary: address, me: address, lastWrite };
}

interface LastWrite {
  readonly opTime: Doc;
  readonly lastWriteDate: Date;
  readonly majorityOpTime: Doc;
  readonly majorityWriteDate: Date;
}

/** Clients that bound how old what they read may be refuse to choose a server that does not tell it. The only node is its own majority. */
function lastWriteAt(time: Timestamp): LastWrite {
  const [opTime, date] = [{ ts: time, t: 1n }, new Date(time.t * 1000)];
  return { opTime, lastWriteDate: date, majorityOpTime: opTime, majorityWriteDate: date };
}

/** `hello` and its older names: the server is the primary of a replica set of one. */
export const hello: Command = async (context) => {
  const { command, name, connection, server } = context;
  const client = clientMetadata(command);
  if (client) {
    connection.client = client;
    if (!server.parameters.quiet) server.log.writeClient(connection.id, connection.remote, client);
  }
  const version = await topologyVersion(context);
  return {
    helloOk: true,
    ...(name === 'hello' ? { isWritablePrimary: true } : { ismaster: true }),
    ...memberOf(server),
    topologyVersion: version,
    maxBsonObjectSize: MAX_DOCUMENT_SIZE,
    maxMessageSizeBytes: 48_000_000,
    maxWriteBatchSize: 100_000,
    localTime: new Date(),
    logicalSessionTimeoutMinutes: 30,
    connectionId: connection.id,
    minWireVersion: 0,
    maxWireVersion: WIRE_VERSION,
    readOnly: false,
    ...greetingOfLogin(context),
  };
};

/** `buildInfo`: says honestly what this is. */
export const buildInfo: Command = () => ({
  version: SERVER_VERSION,
  versionArray: [...SERVER_VERSION.split('.').map(Number), 0],
  gitVersion: 'docdb-embedded',
  modules: ['docdb-embedded'],
  javascriptEngine: 'none',
  openssl: { running: process.versions.openssl },
  storageEngines: ['lmdb'],
  maxBsonObjectSize: MAX_DOCUMENT_SIZE,
  bits: 64,
  debug: false,
});

/** `hostInfo` */
export const hostInfo: Command = () => {
  const memory = Math.floor(totalmem() / 2 ** 20);
  const cores = Math.max(1, cpus().length);
  return {
    system: {
      currentTime: new Date(),
      hostname: hostname(),
      cpuAddrSize: 64,
      memSizeMB: BigInt(memory),
      memLimitMB: BigInt(memory),
      numCores: cores,
      numCoresAvailableToProcess: cores,
      numPhysicalCores: cores,
      numCpuSockets: 1,
      cpuArch: arch(),
      numaEnabled: false,
      numNumaNodes: 1,
    },
    os: { type: osType(), name: osVersion(), version: release() },
    extra: { versionString: osVersion(), pageSize: 4096n },
  };
};

/** `getCmdLineOpts` */
export const getCmdLineOpts: Command = ({ server }) => ({
  argv: [process.argv0, ...process.argv.slice(1)],
  parsed: { net: { bindIp: server.address.replace(/:\d+$/, ''), port: Number(server.address.replace(/^.*:/, '')) } },
});

/** `getLog`: what the server has written down since it began. */
export const getLog: Command = ({ command, server }) => {
  const which = command.getLog as string;
  if (which === '*') return { names: ['global', 'startupWarnings'] };
  if (which === 'startupWarnings') return { totalLinesWritten: 1, log: [...server.log.startupWarnings] };
  if (which !== 'global') throw new DocDbError(96, `No log named '${which}'`);
  return { totalLinesWritten: server.log.written, log: [...server.log.lines] };
};

/** `getParameter` */
export const getParameter: Command = ({ command, server }) => {
  const choice = command.getParameter;
  if (isDocument(choice)) checkValue(choice, parameterChoice, 'getParameter.getParameter');
  const { allParameters, showDetails, setAt } = isDocument(choice) ? choice : ({} as Doc);
  const all = allParameters === true || choice === '*';
  const chosen = server.parameters
    .list()
    .filter(
      ({ name, settableAtRuntime }) =>
        (all || command[name] !== undefined) &&
        (setAt === undefined || setAt === null || !all || settableAtRuntime === (setAt === 'runtime')),
    );
  if (chosen.length === 0) throw new DocDbError(72, 'no option found to get');
  return Object.fromEntries(
    chosen.map(({ name, value, settableAtRuntime }) => [
      name,
      showDetails === true ? { value, settableAtRuntime, settableAtStartup: false } : value,
    ]),
  );
};

/** `setParameter` */
export const setParameter: Command = ({ command, server }) => {
  const { general } = setParameterDeclaration;
  const given = Object.entries(command).filter(([name]) => name !== 'setParameter' && !Object.hasOwn(general, name));
  if (given.length === 0) throw new DocDbError(72, 'no option found to set, use help:true to see options');
  return { was: server.parameters.set(given) };
};

/** `listCommands` */
export const listCommands: Command = () => ({
  commands: Object.fromEntries(
    Object.entries(commandGroups).flatMap(([group, commands]) =>
      commands.map(({ name, adminOnly, stable, fields, aliases }): [string, Doc] => [
        name,
        {
          help: `${group}. Fields: ${Object.keys(fields).join(', ') || 'none'}${aliases.length > 0 ? `. Also called ${aliases.join(', ')}` : ''}`,
          requiresAuth: needsOf(name) !== 'nothing',
          secondaryOk: true,
          adminOnly,
          apiVersions: stable ? ['1'] : [],
          deprecatedApiVersions: [],
        },
      ]),
    ),
  ),
});

/** `whatsmyuri` */
export const whatsmyuri: Command = ({ connection }) => ({ you: connection.remote });

/** `replSetGetStatus`: whatever the only member has written is what the set has, applied, committed and on the disk. */
export const replSetGetStatus: Command = ({ server }) => {
  const { opTime, lastWriteDate: written } = lastWriteAt(server.store.lastTime());
  const nobody = { syncSourceHost: '', syncSourceId: -1 };
  const walls = { lastAppliedWallTime: written, lastDurableWallTime: written, lastWrittenWallTime: written };
  return {
    set: server.setName,
    date: new Date(),
    myState: 1,
    term: 1n,
    ...nobody,
    heartbeatIntervalMillis: 2000n,
    majorityVoteCount: 1,
    writeMajorityCount: 1,
    votingMembersCount: 1,
    writableVotingMembersCount: 1,
    optimes: {
      lastCommittedOpTime: opTime,
      lastCommittedWallTime: written,
      readConcernMajorityOpTime: opTime,
      appliedOpTime: opTime,
      durableOpTime: opTime,
      writtenOpTime: opTime,
      ...walls,
    },
    members: [
      {
        _id: 0,
        name: server.address,
        health: new Double(1),
        state: 1,
        stateStr: 'PRIMARY',
        uptime: Math.floor((Date.now() - server.started) / 1000),
        optime: opTime,
        optimeDate: written,
        optimeWritten: opTime,
        optimeWrittenDate: written,
        ...walls,
        ...nobody,
        infoMessage: '',
        configVersion: 1,
        configTerm: 1,
        self: true,
        lastHeartbeatMessage: '',
      },
    ],
  };
};

/** `replSetGetConfig`: the set has one member, and stays as it is. */
export const replSetGetConfig: Command = ({ server }) => ({
  config: {
    _id: server.setName,
    version: 1,
    term: 1n,
    members: [
      {
        _id: 0,
        host: server.address,
        arbiterOnly: false,
        buildIndexes: true,
        hidden: false,
        priority: new Double(1),
        tags: {},
        secondaryDelaySecs: 0n,
        votes: 1,
      },
    ],
    protocolVersion: 1n,
    writeConcernMajorityJournalDefault: true,
    settings: {
      chainingAllowed: true,
      heartbeatIntervalMillis: 2000,
      heartbeatTimeoutSecs: 10,
      electionTimeoutMillis: 10_000,
      catchUpTimeoutMillis: -1,
      catchUpTakeoverDelayMillis: 30_000,
      getLastErrorModes: {},
      getLastErrorDefaults: { w: 1, wtimeout: 0 },
    },
  },
});

/** `replSetInitiate`: scripts that set a server up ask for it, and go on where it has been done. */
export const replSetInitiate: Command = () => {
  throw new DocDbError(23, 'already initialized');
};

/** `replSetStepDown`: nobody would take the place of the only node. */
export const replSetStepDown: Command = ({ command }) => {
  if (isOn(command.force))
    throw new DocDbError(
      115,
      'The only node of its replica set does not step down in this database. Fail points make commands fail as they do at an election',
    );
  throw new DocDbError(262, 'No electable secondaries caught up: the replica set has one node');
};

/** `replSetFreeze`: it is for nodes that could become the primary. */
export const replSetFreeze: Command = () => {
  throw new DocDbError(95, 'cannot freeze node when primary or running for election. state: Primary');
};

/** `getDefaultRWConcern` */
export const getDefaultRWConcern: Command = () => ({
  defaultReadConcern: { level: 'local' },
  defaultWriteConcern: { w: 'majority', wtimeout: 0 },
  defaultWriteConcernSource: 'implicit',
  defaultReadConcernSource: 'implicit',
});

/** Commands that have nothing to say here. */
export const nothing: Command = () => ({});
