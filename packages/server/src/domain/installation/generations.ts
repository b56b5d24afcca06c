import type { ControlDatabase, Db, Trx } from '../../db/database.ts'
import { getInstallationId, INSTALLATION } from '../../db/installation.ts'
import { readMeta, setMeta } from '../../db/meta.ts'
import type { ControlTables, Millis } from '../../db/tables.ts'
import { newId } from '../../ids.ts'
import {
  asMetaDatabase,
  DATABASES,
  ENVIRONMENT_DATABASES,
  type InstallationDatabases,
  type PerDatabase,
} from './databases.ts'
import { type IdentityFile, readIdentityFile, writeIdentityFile } from './file.ts'
import { type Hold, putOnHold, readHoldState, removeHold } from './hold.ts'
import { type ActualState, type ComparedServer, findHoldCause } from './hold-cause.ts'
import { readServer, type ServerIdentity } from './server.ts'

/** Rows of `meta` that distinguish a database from its copies and restores. They are in no backup. */
export const GENERATION = 'generation'
const SERVER = 'server'
const LOCK = 'installation_lock'
export const IDENTITY_ROWS = [GENERATION, SERVER, LOCK] as const

/** The host of an installation: its databases, its data folder and its machine. */
export interface InstallationHost extends InstallationDatabases {
  folder: string
  /** Hashed id of this machine; undefined if it has none. */
  machine: string | undefined
  isLocal: boolean
}

/**
 * Compares the databases with what the data folder knows about them. If they disagree, the installation is put on
 * hold; if they agree, each database's generation is incremented and the file follows. A database is incremented
 * before the file, and never twice before the file has caught up. So a killed process leaves it at most one ahead,
 * and two processes can't disturb each other.
 */
export async function advanceGenerations(
  host: InstallationHost,
  now: Millis,
): Promise<Hold | undefined> {
  const hold = await locked(host, async (trx) => {
    const known = (await readHoldState(trx)).hold
    if (known) return known
    const file = readIdentityFile(host.folder)
    const found = await lookAt(host, trx)
    const cause = findHoldCause(file, found)
    if (cause) return await putOnHold(trx, { cause, since: now })
    writeIdentityFile(host.folder, identityOf(found, file))
    await countAll(host, trx, (name) => found.generations[name] + 1)
    if (found.server) await setMeta(trx, SERVER, JSON.stringify(found.server.actual))
    return undefined
  })
  if (!hold) await followInFile(host)
  return hold
}

/** Accepts the current databases as the installation and ends the hold. The new generations are higher than any
 * that either side has seen, so that the next start agrees and an older copy does not. */
export async function acceptAndResume(host: InstallationHost): Promise<void> {
  await locked(host, async (trx) => {
    const file = readIdentityFile(host.folder)
    const { generations, server } = await lookAt(host, trx)
    const next = (name: keyof PerDatabase<number>) =>
      Math.max(generations[name], file?.generations[name] ?? 0) + 1
    await countAll(host, trx, next)
    if (server) await setMeta(trx, SERVER, JSON.stringify(server.actual))
  })
  await locked(host, async (trx) => {
    const found = await lookAt(host, trx)
    const file = found.engine === 'sqlite' ? undefined : readIdentityFile(host.folder)
    writeIdentityFile(host.folder, identityOf(found, file))
    await removeHold(trx)
  })
}

/** Updates the file to the committed generations. */
async function followInFile(host: InstallationHost): Promise<void> {
  await locked(host, async (trx) => {
    if ((await readHoldState(trx)).hold) return
    const file = readIdentityFile(host.folder)
    writeIdentityFile(host.folder, identityOf(await lookAt(host, trx), file))
  })
}

/** Makes the file match the SQLite files after an undone move: PostgreSQL may have advanced the generations. */
export async function returnToFiles(
  databases: InstallationDatabases,
  folder: string,
): Promise<void> {
  const file = readIdentityFile(folder)
  if (!file) return
  const generations = {} as PerDatabase<number>
  for (const name of DATABASES) {
    const count = await asMetaDatabase(databases, name).snapshot((db) => readMeta(db, GENERATION))
    generations[name] = Number(count ?? 0)
  }
  writeIdentityFile(folder, { ...file, engine: 'sqlite', generations })
}

/** Gives each database a new installation id: a detached copy is not the installation its rows come from. */
export async function assignNewInstallationIds(databases: InstallationDatabases): Promise<void> {
  for (const name of DATABASES) {
    await asMetaDatabase(databases, name).write((trx) => setMeta(trx, INSTALLATION, newId()))
  }
}

/** Runs `work` in one process at a time, across all machines: they queue for a row lock. `work` may write the file
 * inside the transaction, because that write can be repeated. */
async function locked<R>(
  { control }: { control: ControlDatabase },
  work: (trx: Trx<ControlTables>) => Promise<R>,
): Promise<R> {
  return await control.write(
    async (trx) => {
      await setMeta(trx, LOCK, String(Date.now()))
      return await work(trx)
    },
    { batch: true },
  )
}

async function lookAt(host: InstallationHost, trx: Trx<ControlTables>): Promise<ActualState> {
  const { control, machine, isLocal } = host
  const generations = { control: await readCount<ControlTables>(trx) } as PerDatabase<number>
  const installations = {} as ActualState['installations']
  for (const name of ENVIRONMENT_DATABASES) {
    installations[name] = await getInstallationId(host[name])
    generations[name] = await readCount(host[name].read)
  }
  const server = control.engine === 'postgres' ? await compareServer(control) : undefined
  return { engine: control.engine, generations, installations, server, machine, isLocal }
}

const readCount = async <T>(db: Db<T>) => Number((await readMeta(db, GENERATION)) ?? 0)

/** Runs outside of any transaction: a query that the server refuses would abort it. */
export async function compareServer({ read }: ControlDatabase): Promise<ComparedServer> {
  const known = await readMeta(read, SERVER)
  const parsed = known === undefined ? undefined : (JSON.parse(known) as ServerIdentity)
  return { actual: await readServer(read), known: parsed }
}

async function countAll(
  host: InstallationHost,
  trx: Trx<ControlTables>,
  next: (name: keyof PerDatabase<number>) => number,
): Promise<void> {
  for (const name of ENVIRONMENT_DATABASES) {
    await host[name].write((own) => setMeta(own, GENERATION, String(next(name))))
  }
  await setMeta(trx, GENERATION, String(next('control')))
}

/** On PostgreSQL several machines may share a data folder, so the file lists all of them. */
function identityOf(found: ActualState, before: IdentityFile | undefined): IdentityFile {
  const { engine, installations, generations, machine } = found
  const machines = new Set(engine === 'sqlite' && machine !== undefined ? [] : before?.machines)
  if (machine !== undefined) machines.add(machine)
  return { engine, installations, generations, machines: [...machines] }
}
