import { createHash } from 'node:crypto'
import { fail, invalid } from '../../errors.ts'
import { type CopyItem, compareBrands, compareTemplates, describePlan } from './compare.ts'
import type { Direction } from './context.ts'
import { type CopyItemResult, problemOf } from './outcome.ts'
import { planResource, type ResourcePlan } from './plan.ts'
import {
  type AppState,
  brandContent,
  readAppState,
  resourceContent,
  templatesContent,
} from './state.ts'
import { copyResource } from './write-resource.ts'
import { copyBrand, copyTemplates } from './write-settings.ts'

/** The changes that copying would make. */
export interface CopyPreview {
  items: CopyItem[]
  /** Identifies the compared state: a copy that passes it changes nothing if anything is different by then. */
  version: string
  /** How many resources only the target has. They stay as they are. */
  onlyInTarget: number
  /** The currencies of new prices and other defaults, if the applications have different ones. */
  currencies: { from: string; to: string } | null
}

/** The selection of items to copy. */
export interface CopySelection {
  /** All of them if undefined. */
  rids?: readonly string[] | undefined
  brand: boolean
  templates: boolean
}

export const EVERYTHING: CopySelection = { brand: true, templates: true }

interface Comparison {
  from: AppState
  to: AppState
  plans: readonly ResourcePlan[]
}

async function compare({ from, to }: Direction): Promise<Comparison> {
  const [source, target] = [
    await from.env.database.snapshot((db) => readAppState(db, from.aid)),
    await to.env.database.snapshot((db) => readAppState(db, to.aid)),
  ]
  const known = new Map(target.resources.map((state) => [state.row.rid, state]))
  const plans = source.resources.map((state) => planResource(state, known.get(state.row.rid)))
  return { from: source, to: target, plans }
}

/** Everything that the comparison looked at, as a short text. */
function versionOf({ from, to, plans }: Comparison): string {
  const hash = createHash('sha256')
  for (const state of [from, to])
    hash.update(JSON.stringify([brandContent(state), templatesContent(state)]))
  for (const plan of plans) {
    const contents = [resourceContent(plan.from), resourceContent(plan.to)]
    hash.update(JSON.stringify([plan.from.row.rid, ...contents]))
  }
  return hash.digest('base64url').slice(0, 22)
}

/** Shows what copying would change, and changes nothing. */
export async function previewCopy(direction: Direction): Promise<CopyPreview> {
  const comparison = await compare(direction)
  const { from, to, plans } = comparison
  const isSame = from.app.currency === to.app.currency
  return {
    items: [...plans.map(describePlan), compareBrands(from, to), compareTemplates(from, to)],
    version: versionOf(comparison),
    onlyInTarget: to.resources.length - plans.filter((plan) => plan.to).length,
    currencies: isSame ? null : { from: from.app.currency, to: to.app.currency },
  }
}

interface Step {
  item: CopyItem
  work(): Promise<void>
}

interface CopyOptions {
  actor: string
  /** The version of the preview that somebody has seen; undefined to copy whatever is there now. */
  version?: string | undefined
  /** Called before each item. Throws to stop. */
  beforeEach?: () => Promise<void>
}

/** A copy that proceeds while its results are read. */
export interface CopyRun {
  /** The number of items that are copied. */
  total: number
  results: AsyncGenerator<CopyItemResult>
}

/** Copies the selected items one after the other and reports each. An item is copied whole or not at all, and one that is
 * the same already is left alone: a copy that was interrupted is finished by the next one. */
export async function copyItems(
  direction: Direction,
  selection: CopySelection,
  options: CopyOptions,
): Promise<CopyRun> {
  const comparison = await compare(direction)
  if (options.version !== undefined && options.version !== versionOf(comparison)) {
    throw fail('copy_changed')
  }
  const steps = listSteps(direction, comparison, selection, options.actor)
  return { total: steps.length, results: runSteps(steps, options) }
}

async function* runSteps(
  steps: readonly Step[],
  { beforeEach = async () => {} }: CopyOptions,
): AsyncGenerator<CopyItemResult> {
  for (const { item, work } of steps) {
    await beforeEach()
    try {
      await work()
      yield { item, outcome: 'copied', problem: null }
    } catch (error) {
      const problem = problemOf(error)
      if (problem === undefined) throw error
      yield { item, outcome: 'failed', problem }
    }
  }
}

/** Lists what has to be done. Items that are the same, or can't be copied, need nothing. */
function listSteps(
  direction: Direction,
  { from, to, plans }: Comparison,
  { rids, brand, templates }: CopySelection,
  actor: string,
): Step[] {
  const known = new Set(plans.map((plan) => plan.from.row.rid))
  const unknown = rids?.find((rid) => !known.has(rid))
  if (unknown !== undefined) throw invalid('rids', `there is no resource ${unknown} to copy`)
  const wanted = rids && new Set(rids)
  const steps: Step[] = plans
    .filter((plan) => wanted?.has(plan.from.row.rid) ?? true)
    .map((plan) => ({
      item: describePlan(plan),
      work: () => copyResource(direction, plan, actor),
    }))
  if (brand) {
    const work = () => copyBrand(direction, from, to, actor)
    steps.push({ item: compareBrands(from, to), work })
  }
  if (templates) {
    const work = () => copyTemplates(direction, from, to, actor)
    steps.push({ item: compareTemplates(from, to), work })
  }
  return steps.filter(({ item }) => item.status === 'new' || item.status === 'changed')
}
