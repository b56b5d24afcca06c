import type { Db, Trx } from '../../db/database.ts'
import { deleteRows, findAndLockRow, listRows } from '../../db/queries/rows.ts'
import { type PassEntryTable, type Seconds, WHOLE_RID } from '../../db/tables.ts'
import { fail, invalid } from '../../errors.ts'
import { rid as ridField } from '../../fields.ts'
import { readField } from '../../parameters.ts'
import { recordHistory } from '../history/history.ts'

/** The resources that a pass opens. A resource that opens others is a pass. */
export interface Opens {
  /** The rids of single resources, which need not exist yet. */
  rids: readonly string[]
  /** Prefixes of rids. `*` is an ordinary character. */
  prefixes: readonly string[]
  /** Whether it opens everything in its application. */
  all: boolean
}

/** The value for a resource that is not a pass. */
export const OPENS_NOTHING: Opens = { rids: [], prefixes: [], all: false }

/** The maximum number of rids and prefixes of a pass together. */
export const MAX_OPENS = 500

/** Identifies a pass, or a resource that may become one. */
export interface PassKey {
  aid: string
  rid: string
}

type Entry = Pick<PassEntryTable, 'size' | 'value'>

/** Whether a pass opens a resource. One level deep: what the resource opens itself is not asked. */
export const doesOpen = ({ rids, prefixes, all }: Opens, rid: string): boolean =>
  all || rids.includes(rid) || prefixes.some((prefix) => rid.startsWith(prefix))

/** Validates what a pass is to open, and returns it sorted and without repetitions. */
export function readOpens({ rid }: Pick<PassKey, 'rid'>, opens: Opens): Opens {
  const rids = unique(opens.rids.map((text) => readField('opens_rids', text, ridField)))
  const prefixes = unique(opens.prefixes.map((text) => readField('opens_prefixes', text, ridField)))
  if (rids.includes(rid)) throw invalid('opens_rids', `${rid} can't open itself`)
  if (rids.length + prefixes.length > MAX_OPENS) {
    const parameter = rids.length > prefixes.length ? 'opens_rids' : 'opens_prefixes'
    throw invalid(parameter, `a pass opens at most ${MAX_OPENS} resources and beginnings of ids`)
  }
  return { rids, prefixes, all: opens.all }
}

/** Returns what a resource opens: nothing, if it is not a pass. */
export async function getOpens(db: Db, { aid, rid }: PassKey): Promise<Opens> {
  return toOpens(await listRows(db, 'pass_entries', { aid, pass: rid }))
}

/** Maps the rids of an application's passes to what they open. */
export async function listOpens(db: Db, aid: string): Promise<ReadonlyMap<string, Opens>> {
  return byPass(await listRows(db, 'pass_entries', { aid }))
}

/** Does the same for some of the application's resources. Resources that are no passes are left out. */
export async function findOpens(
  db: Db,
  aid: string,
  rids: readonly string[],
): Promise<ReadonlyMap<string, Opens>> {
  return byPass(await listRows(db, 'pass_entries', { aid, pass: [...new Set(rids)] }))
}

/** Sets what a resource opens, whole, in one history row. Every check that begins after the commit follows it. */
export async function setOpens(
  trx: Trx,
  key: PassKey,
  input: Opens,
  now: Seconds,
  actor: string,
): Promise<Opens> {
  const { aid, rid } = key
  const opens = readOpens(key, input)
  // The lock makes changes of one pass follow each other.
  if (!(await findAndLockRow(trx, 'resources', key))) throw fail('resource_not_found')
  const old = await listRows(trx, 'pass_entries', { aid, pass: rid })
  const wanted = entriesOf(opens)
  const removed = without(old, wanted)
  const added = without(wanted, old)
  if (removed.length === 0 && added.length === 0) return opens
  if (removed.length === old.length) await deleteRows(trx, 'pass_entries', { aid, pass: rid })
  else {
    for (const { size, value } of removed) {
      await deleteRows(trx, 'pass_entries', { aid, pass: rid, size, value })
    }
  }
  if (added.length > 0) {
    const rows = added.map(({ size, value }) => ({ aid, size, value, pass: rid }))
    await trx.insertInto('pass_entries').values(rows).execute()
  }
  // The row names what was removed and added: all that a pass opens may be long.
  const change = { before: toOpens(removed), after: toOpens(added) }
  await recordHistory(trx, [
    { aid, rid, at: now, actor, action: 'resource opens changed', ...change },
  ])
  return opens
}

const entriesOf = ({ rids, prefixes, all }: Opens): Entry[] => [
  ...(all ? [{ size: 0, value: '' }] : []),
  ...prefixes.map((value) => ({ size: [...value].length, value })),
  ...rids.map((value) => ({ size: WHOLE_RID, value })),
]

function toOpens(entries: readonly Entry[]): Opens {
  const values = (some: readonly Entry[]) => some.map(({ value }) => value).sort()
  return {
    rids: values(entries.filter(({ size }) => size === WHOLE_RID)),
    prefixes: values(entries.filter(({ size }) => size > 0)),
    all: entries.some(({ size }) => size === 0),
  }
}

function byPass(entries: readonly PassEntryTable[]): ReadonlyMap<string, Opens> {
  const grouped = new Map<string, PassEntryTable[]>()
  for (const entry of entries) {
    const group = grouped.get(entry.pass)
    if (group) group.push(entry)
    else grouped.set(entry.pass, [entry])
  }
  return new Map([...grouped].map(([pass, group]) => [pass, toOpens(group)]))
}

const keyOf = ({ size, value }: Entry) => `${size} ${value}`

function without(entries: readonly Entry[], others: readonly Entry[]): Entry[] {
  const known = new Set(others.map(keyOf))
  return entries.filter((entry) => !known.has(keyOf(entry)))
}

const unique = (texts: readonly string[]) => [...new Set(texts)].sort()
