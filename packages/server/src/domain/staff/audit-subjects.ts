import type { Db } from '../../db/database.ts'
import { listRows } from '../../db/queries/rows.ts'
import { findResourceNames } from '../resources/resources.ts'
import { listUsers } from '../users/find.ts'
import type { Details } from './audit.ts'

/** An entry of the audit log about one application. */
interface Entry {
  seq: number
  action: string
  params: Readonly<Record<string, string>>
  details: Details
}

interface Named {
  id: string
  name: string
}

/** The person and the records that an entry is about, by their current names; null if there are none any more. */
export interface AuditSubjects {
  person: Named | null
  /** The person who remained after a merge. */
  into: Named | null
  resource: Named | null
  file: Named | null
}

/** The table of the row that the `id` of an entry names, by the first part of the entry's action. */
const TABLES = {
  access: 'access',
  download: 'downloads',
  mail: 'outbox',
  payment: 'payments',
  subscription: 'subscriptions',
} as const
type Kind = keyof typeof TABLES

interface Row {
  uid?: string
  rid?: string
  title?: string
}

const kindOf = ({ action }: Entry) => action.slice(0, action.indexOf('.'))
const textIn = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

/** Finds the rows that the entries name by id. */
async function findRows(db: Db, aid: string, entries: readonly Entry[]) {
  const found = new Map<string, Row>()
  for (const [kind, table] of Object.entries(TABLES) as [Kind, (typeof TABLES)[Kind]][]) {
    const ids = entries.flatMap((one) => (kindOf(one) === kind ? (one.params.id ?? []) : []))
    const rows = (await listRows(db, table, { aid, id: ids })) as (Row & { id: string })[]
    for (const row of rows) found.set(`${kind} ${row.id}`, row)
  }
  return found
}

/** Finds the people and things that each audit entry is about. The keys are the numbers of the entries. */
export async function findAuditSubjects(
  db: Db,
  aid: string,
  entries: readonly Entry[],
): Promise<ReadonlyMap<number, AuditSubjects>> {
  const rows = await findRows(db, aid, entries)
  const ids = entries.map((entry) => {
    const row = rows.get(`${kindOf(entry)} ${entry.params.id}`)
    const given = { ...entry.params, ...entry.details }
    return {
      seq: entry.seq,
      uid: textIn(given.uid) ?? row?.uid,
      into: textIn(given.into),
      rid: textIn(given.rid) ?? row?.rid,
      file: row?.title === undefined ? null : { id: String(entry.params.id), name: row.title },
    }
  })
  const people = await namesOfPeople(
    db,
    aid,
    ids.flatMap(({ uid = [], into = [] }) => [uid, into].flat()),
  )
  const resources = await findResourceNames(
    db,
    aid,
    ids.flatMap(({ rid }) => rid ?? []),
  )
  const named = (names: ReadonlyMap<string, string>, id: string | undefined) => {
    const name = names.get(id ?? '')
    return id === undefined || name === undefined ? null : { id, name }
  }
  return new Map(
    ids.map(({ seq, uid, into, rid, file }) => [
      seq,
      {
        ...{ person: named(people, uid), into: named(people, into) },
        ...{ resource: named(resources, rid), file },
      },
    ]),
  )
}

/** The names of people, or else their addresses. Erased people have neither. */
async function namesOfPeople(db: Db, aid: string, uids: readonly string[]) {
  const users = await listUsers(db, aid, uids)
  const names = users.map(
    ({ uid, first_name, last_name, email, contact_email }) =>
      [uid, `${first_name} ${last_name}`.trim() || email || contact_email || ''] as const,
  )
  return new Map(names.filter(([, name]) => name !== ''))
}
