import { FOREVER } from '../../db/tables.ts'
import type { HistoryRow } from '../../history/history.ts'
import { showTime, table } from './shared.ts'

/** A change for programs. */
export function showChange(row: HistoryRow) {
  const { uid, rid, access_id, before, after } = row
  return {
    at: row.at,
    action: row.action,
    actor: row.actor,
    ...(rid === null ? {} : { rid }),
    ...(uid === null ? {} : { uid }),
    ...(access_id === null ? {} : { access_id }),
    ...(before === null ? {} : { before: JSON.parse(before) as Facts }),
    ...(after === null ? {} : { after: JSON.parse(after) as Facts }),
  }
}

interface Facts {
  ends?: unknown
  [name: string]: unknown
}

/** Changes for people, a line each. */
export function historyTable(rows: readonly HistoryRow[]): string {
  return table(
    ['when', 'what', 'by', 'rid', 'uid', 'before', 'after'],
    rows
      .map(showChange)
      .map(({ before, after, ...change }) => [
        showTime(change.at),
        change.action,
        change.actor,
        change.rid,
        change.uid,
        factsOf(before, after),
        factsOf(after, before),
      ]),
    'No changes.',
  )
}

const TIMES = new Set(['ends', 'grant_ends', 'revoked', 'created', 'archived', 'erased', 'closed'])

function factsOf(facts: Facts = {}, others: Facts = {}): string {
  return Object.entries(facts)
    .filter(([name, value]) => !isNoNews(name, value, facts, others))
    .map(([name, value]) => `${name} ${factOf(name, value)}`)
    .join(', ')
}

/** Whether a fact says nothing that the line doesn't say already. */
function isNoNews(name: string, value: unknown, facts: Facts, others: Facts): boolean {
  if (value === null || value === '') return true
  if (name === 'ends') return false
  if (name === 'grant_ends') return value === facts.ends
  const text = JSON.stringify(value)
  return text === '[]' || text === JSON.stringify(others[name])
}

const MOST_SHOWN = 60

function factOf(name: string, value: unknown): string {
  if (TIMES.has(name) && typeof value === 'number') {
    return value === FOREVER ? 'never' : showTime(value)
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text
}
