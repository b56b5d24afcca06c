import { cacheSuccess } from './cache-success.ts'
import { addressesOf, fileAddressesOf, localUrlOf } from './config/addresses.ts'
import type { Config } from './config/config.ts'
import { createChangeWatcher } from './db/changes.ts'
import type { ControlDatabase, EnvironmentDatabase } from './db/database.ts'
import { controlMigrations, environmentMigrations } from './db/migrations.ts'
import { requireMoveOver } from './db/moved.ts'
import { type DatabaseLocation, openDatabase } from './db/open.ts'
import { toOutageFailure } from './db/outage.ts'
import type { ControlTables, Millis, Tables } from './db/tables.ts'
import { createKeyFile, type MasterKey } from './domain/apps/master-key.ts'
import { loadOrCreateMasterKey } from './domain/apps/open-master-key.ts'
import { getOrCreateSecret } from './domain/apps/secrets.ts'
import { withEvents } from './domain/events/emit.ts'
import { createEventTally } from './domain/events/tally.ts'
import { createGate, type Gate } from './domain/hold/gate.ts'
import { readHoldState } from './domain/installation/hold.ts'
import { hashMachineId } from './domain/installation/machine.ts'
import { requireFilesOf, requireKnownFiles } from './domain/installation/missing.ts'
import type { Delivery } from './domain/mail/outbox.ts'
import type { ApiUsageCounter } from './domain/payments/api-usage.ts'
import { type WrittenAudit, withAuditTrail } from './domain/staff/audit-trail.ts'
import {
  type Closable,
  closeAll,
  createEnvironment,
  type Environment,
  type EnvironmentName,
} from './environment.ts'
import { createOutageLogger, type OutageLog } from './logging/outage-logger.ts'
import { inFolder, requireDataFolder } from './start/data-folder.ts'
import { openWithReserve } from './start/reserve.ts'
import { traceDatabase } from './tracing/traced-calls.ts'
import type { Tracer } from './tracing/tracer.ts'

export { ENVIRONMENTS, type Environment, type EnvironmentName } from './environment.ts'

/** Everything that the entry points need. */
export interface Context {
  config: Config
  /** Sets the URL we listen at, once it is known. It is the public URL if none is configured. */
  setListenUrl(url: string): void
  control: ControlDatabase
  masterKey: MasterKey
  /** Every outgoing charge, refund and mail must pass it. */
  gate: Gate
  /** Undefined if no traces are wanted. */
  tracer: Tracer | undefined
  environments: Record<EnvironmentName, Environment>
  /** The secret that signs device cookies and passkey challenges. */
  staffSecret(): Promise<Buffer>
  close(): Promise<void>
}

const QUIET: OutageLog = { error() {}, info() {} }

/** Replacements for defaults, used by tests, benchmarks and commands. */
export interface Overrides {
  realTime?: () => Millis
  /** The maximum number of grants in one transaction. */
  grantsTogether?: number
  /** How long refused access checks are collected before they are stored. */
  refusalPauseMs?: Millis
  /** Receives errors that don't stop the process. By default they are dropped. */
  log?: OutageLog
  /** Set by commands: they can't know whether the service has a mail server, so they queue mails and let it decide. */
  delivery?: Delivery
  /** Follows requests through what they do. */
  tracer?: Tracer | undefined
  /** Called with each entry of the audit log once it is stored. */
  onAudit?(entry: WrittenAudit): void
  /** Where a restore writes to. Its data folder may refer to databases that no longer exist. */
  restoreTo?: DatabaseLocation
}

function locate(config: Config, log: OutageLog): DatabaseLocation {
  if (config.databaseUrl === undefined) return { engine: 'sqlite', folder: config.dataFolder }
  const { databaseUrl: url, databaseConnections: connections, databaseReplicaUrl } = config
  if (databaseReplicaUrl === undefined) return { engine: 'postgres', url, connections }
  const outages = createOutageLogger(log, 'reading from GATEHOUSE_DATABASE_REPLICA_URL')
  return { engine: 'postgres', url, connections, replica: { url: databaseReplicaUrl, outages } }
}

/** Removes the settings that reach the outside world, for a detached copy of an installation. */
const detachedFrom = (config: Config): Config => ({
  ...config,
  smtpUrl: { production: undefined, sandbox: undefined },
  stripe: { production: undefined, sandbox: undefined },
})

/** Whether the databases are on this machine, judging by their URL. */
function isLocal({ databaseUrl }: Config): boolean {
  if (databaseUrl === undefined) return true
  const { hostname, searchParams } = new URL(databaseUrl)
  const host = searchParams.get('host') ?? hostname
  return host === '' || host.startsWith('/') || /^(localhost|127\.[\d.]+|\[?::1\]?)$/.test(host)
}

interface Databases {
  control: ControlDatabase
  production: EnvironmentDatabase
  sandbox: EnvironmentDatabase
}

async function openDatabases(
  { dataFolder }: Config,
  location: DatabaseLocation,
  { restoreTo, log = QUIET }: Overrides,
  opened: Closable[],
): Promise<Databases> {
  async function open<T>(name: string, migrations: typeof environmentMigrations) {
    const onProgress = createProgressLogger(log, name)
    const database = await openWithReserve(dataFolder, () =>
      openDatabase<T>(location, name, migrations, onProgress),
    )
    opened.push(database)
    return database
  }
  if (!restoreTo) requireKnownFiles(dataFolder, location.engine)
  const control = await open<ControlTables>('control', controlMigrations)
  await requireMoveOver(control)
  if (!restoreTo) await requireFilesOf(control, dataFolder)
  const production = await open<Tables>('production', environmentMigrations)
  const sandbox = await open<Tables>('sandbox', environmentMigrations)
  return { control, production, sandbox }
}

/** How often the progress of a long migration is logged. */
const PROGRESS_MS = 5_000

/** Logs what a migration is doing, so that nobody takes a long one for a hanging start. */
function createProgressLogger(log: OutageLog, database: string): (text: string) => void {
  let last = Number.NEGATIVE_INFINITY
  return (text) => {
    if (performance.now() < last + PROGRESS_MS) return
    last = performance.now()
    log.info({ database }, `migrating: ${text}`)
  }
}

const getMasterKey = (config: Config, { control, production, sandbox }: Databases) =>
  loadOrCreateMasterKey(config, control, [production, sandbox], () =>
    inFolder(config.dataFolder, "can't store the master key", () =>
      createKeyFile(config.dataFolder),
    ),
  )

interface GateOptions {
  realTime(): Millis
  isDetached: boolean
  log: OutageLog
}

function openGate(
  config: Config,
  databases: Databases,
  { realTime, isDetached, log }: GateOptions,
): Gate {
  const { dataFolder: folder, machineId } = config
  const machine = hashMachineId(machineId)
  return createGate({
    host: { ...databases, folder, machine, isLocal: isLocal(config) },
    realTime,
    isDetached,
    onTrouble: (err) => {
      const trouble = toOutageFailure(err)?.code ?? 'failed'
      log.error({ err, trouble }, "the installation's generation can't be advanced")
    },
  })
}

/** The database of an environment, whose writes emit events, and the count of these. */
function withTalliedEvents(
  environment: EnvironmentName,
  database: EnvironmentDatabase,
  { realTime, tracer }: { realTime(): Millis; tracer: Tracer | undefined },
) {
  const eventTally = createEventTally()
  const traced = tracer ? traceDatabase(database, environment, tracer) : database
  const currentTrace = tracer?.current
  return {
    eventTally,
    database: withEvents(traced, { environment, realTime, tally: eventTally, currentTrace }),
  }
}

export async function createContext(given: Config, overrides: Overrides = {}): Promise<Context> {
  const { realTime = Date.now, log = QUIET, tracer } = overrides
  requireDataFolder(given.dataFolder)
  const opened: Closable[] = []
  let gate: Gate | undefined
  let usage: readonly ApiUsageCounter[] = []
  const close = async () => {
    await gate?.close()
    await Promise.all(usage.map((one) => one.flush()))
    await closeAll(opened.splice(0))
  }
  try {
    const location = overrides.restoreTo ?? locate(given, log)
    const databases = await openDatabases(given, location, overrides, opened)
    const { production, sandbox } = databases
    const { onAudit } = overrides
    const control = onAudit
      ? withAuditTrail(databases.control, { onWritten: onAudit })
      : databases.control
    const masterKey = await getMasterKey(given, databases)
    const isDetached = (await readHoldState(control.read)).detached !== undefined
    const config = isDetached ? detachedFrom(given) : given
    const ownGate = openGate(config, databases, { realTime, isDetached, log })
    gate = ownGate
    const changes = createChangeWatcher([control, production, sandbox])
    const local = localUrlOf(config.host, config.port)
    let addresses = addressesOf(config, local)
    let fileAddresses = fileAddressesOf(config, local)
    const create = (name: EnvironmentName, database: EnvironmentDatabase) =>
      createEnvironment({
        ...{ name, tracer, config, control, masterKey, gate: ownGate, realTime, isDetached },
        ...withTalliedEvents(name, database, { realTime, tracer }),
        changes,
        address: () => addresses[name],
        fileAddress: () => fileAddresses[name],
        delivery: overrides.delivery,
        grantsTogether: overrides.grantsTogether,
        refusalPauseMs: overrides.refusalPauseMs,
        onOpened: (one) => opened.push(one),
      })
    const environments = {
      production: await create('production', production),
      sandbox: await create('sandbox', sandbox),
    }
    usage = Object.values(environments).map(({ apiUsage }) => apiUsage)
    await environments.sandbox.refreshClock()
    return {
      config,
      setListenUrl(url) {
        addresses = addressesOf(config, url)
        fileAddresses = fileAddressesOf(config, url)
      },
      control,
      masterKey,
      gate: ownGate,
      tracer,
      environments,
      // Stored with production's secrets: staff are in `control`, which has no table for encrypted secrets.
      staffSecret: cacheSuccess(() => getOrCreateSecret(production, masterKey, 'staff')),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
