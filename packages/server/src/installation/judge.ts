import type { Engine } from '../db/database.ts'
import {
  DATABASES,
  ENVIRONMENT_DATABASES,
  type PerDatabase,
  type PerEnvironment,
} from './databases.ts'
import type { IdentityFile } from './file.ts'
import type { HoldCause } from './hold.ts'
import { findDifference, type ServerIdentity } from './server.ts'

export interface ComparedServer {
  actual: ServerIdentity
  /** As it was last written down; undefined where it never was. */
  known: ServerIdentity | undefined
}

/** What the databases and this machine are found to be. */
export interface Found {
  engine: Engine
  installations: PerEnvironment<string>
  /** 0 where a database has never been counted. */
  generations: PerDatabase<number>
  /** On PostgreSQL alone. */
  server: ComparedServer | undefined
  machine: string | undefined
  /** Whether the databases are on this machine, so that a copy of the machine has them too. */
  isLocal: boolean
}

/** How far a database may be ahead of the file: it is counted first, and we may be killed before the file is
 * written. */
const CRASH = 1

/** Why what is found is not the installation that ran here; undefined if it is, or if it is a new one. */
export function judge(file: IdentityFile | undefined, found: Found): HoldCause | undefined {
  return (found.server && judgeServer(found.server)) ?? judgeFile(file, found)
}

export function judgeServer({ known, actual }: ComparedServer): HoldCause | undefined {
  const difference = known && findDifference(known, actual)
  if (difference === undefined) return undefined
  return difference === 'timeline' ? 'other_timeline' : 'other_server'
}

function judgeFile(file: IdentityFile | undefined, found: Found): HoldCause | undefined {
  const { engine, generations, installations } = found
  if (!file) {
    // On PostgreSQL an empty data folder is one more machine, or a new container.
    const isCounted = DATABASES.some((name) => generations[name] > 0)
    return engine === 'sqlite' && isCounted ? 'no_identity_file' : undefined
  }
  if (ENVIRONMENT_DATABASES.some((name) => file.installations[name] !== installations[name])) {
    return 'other_installation'
  }
  const lead = DATABASES.map((name) => generations[name] - file.generations[name])
  if (lead.some((by) => by < 0)) return 'older_database'
  // On PostgreSQL other machines count too, and this folder hears of it later.
  if (engine === 'sqlite' && lead.some((by) => by > CRASH)) return 'older_folder'
  return isElsewhere(file, found) ? 'other_machine' : undefined
}

const isElsewhere = ({ machines }: IdentityFile, { machine, isLocal }: Found) =>
  isLocal && machine !== undefined && machines.length > 0 && !machines.includes(machine)
