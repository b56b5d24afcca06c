import type { Engine } from '../../db/database.ts'
import {
  DATABASES,
  ENVIRONMENT_DATABASES,
  type PerDatabase,
  type PerEnvironment,
} from './databases.ts'
import type { IdentityFile } from './file.ts'
import type { HoldCause } from './hold.ts'
import { findServerDifference, type ServerIdentity } from './server.ts'

export interface ComparedServer {
  actual: ServerIdentity
  /** As last stored; undefined if it never was. */
  known: ServerIdentity | undefined
}

/** The current state of the databases and of this machine. */
export interface ActualState {
  engine: Engine
  installations: PerEnvironment<string>
  /** 0 for a database whose generation was never advanced. */
  generations: PerDatabase<number>
  /** Only on PostgreSQL. */
  server: ComparedServer | undefined
  machine: string | undefined
  /** Whether the databases are on this machine, so that a clone of the machine includes them. */
  isLocal: boolean
}

/** How far a database may be ahead of the file: its generation is incremented first, and the process may be killed
 * before the file is written. */
const CRASH = 1

/** Why this is not the installation that ran here before; undefined if it is, or if it is new. */
export function findHoldCause(
  file: IdentityFile | undefined,
  found: ActualState,
): HoldCause | undefined {
  return (found.server && findServerHoldCause(found.server)) ?? judgeFile(file, found)
}

export function findServerHoldCause({ known, actual }: ComparedServer): HoldCause | undefined {
  const difference = known && findServerDifference(known, actual)
  if (difference === undefined) return undefined
  return difference === 'timeline' ? 'other_timeline' : 'other_server'
}

function judgeFile(file: IdentityFile | undefined, found: ActualState): HoldCause | undefined {
  const { engine, generations, installations } = found
  if (!file) {
    // On PostgreSQL, an empty data folder is normal: an additional machine, or a new container.
    const isCounted = DATABASES.some((name) => generations[name] > 0)
    return engine === 'sqlite' && isCounted ? 'no_identity_file' : undefined
  }
  if (ENVIRONMENT_DATABASES.some((name) => file.installations[name] !== installations[name])) {
    return 'other_installation'
  }
  const lead = DATABASES.map((name) => generations[name] - file.generations[name])
  if (lead.some((by) => by < 0)) return 'older_database'
  // On PostgreSQL, other machines advance the generations too, and this folder catches up later.
  if (engine === 'sqlite' && lead.some((by) => by > CRASH)) return 'older_folder'
  return isElsewhere(file, found) ? 'other_machine' : undefined
}

const isElsewhere = ({ machines }: IdentityFile, { machine, isLocal }: ActualState) =>
  isLocal && machine !== undefined && machines.length > 0 && !machines.includes(machine)
