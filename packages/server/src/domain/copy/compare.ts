import { LEGAL_LINKS, readLegalLinks } from '../brand/brand.ts'
import type { DownloadRow } from '../downloads/downloads.ts'
import { readTemplates, STORED_TEMPLATE_KINDS, type TemplateKind } from '../mail/template-kinds.ts'
import { OPENS_NOTHING, type Opens } from '../passes/opens.ts'
import type { Terms } from '../resources/prices.ts'
import {
  type FileMatch,
  needsBytes,
  type Obstacle,
  RESOURCE_TEXTS,
  type ResourcePlan,
  type ResourceText,
} from './plan.ts'
import { type AppState, opensKey, termsOf } from './state.ts'

export type BrandText =
  | 'accent'
  | 'support_email'
  | 'time_zone'
  | `legal_${(typeof LEGAL_LINKS)[number]}`

/** The change of a file: `replaced` has other bytes or another name, `described` other texts or another image. */
export type FileChange = 'added' | 'replaced' | 'described' | 'published' | 'withdrawn'

/** One thing that copying changes in the target. */
export type Change =
  | { kind: 'text'; field: ResourceText | BrandText; before: string; after: string }
  | { kind: 'image'; change: 'added' | 'replaced' | 'removed' }
  /** No `before`: a new price. No `after`: the price is archived. Both: one takes the place of the other. */
  | { kind: 'price'; before: Terms | null; after: Terms | null }
  | { kind: 'file'; change: FileChange; name: string; bytes: number }
  | { kind: 'file_order' }
  /** A change of the resources that a pass opens: how many rids and prefixes of rids are added and removed. `all`: it
   * opens everything from then on. */
  | { kind: 'opens'; added: number; removed: number; all: boolean }
  | { kind: 'template'; template: TemplateKind; change: 'added' | 'replaced' | 'removed' }

export type ItemStatus = 'new' | 'changed' | 'same' | 'blocked'

/** One thing that can be copied, and what that would change. */
export interface CopyItem {
  kind: 'resource' | 'brand' | 'templates'
  /** Empty unless it is a resource. */
  rid: string
  name: string
  status: ItemStatus
  obstacle: Obstacle | null
  changes: Change[]
}

export function describePlan(plan: ResourcePlan): CopyItem {
  const { from, to, obstacle } = plan
  const { rid, name } = from.row
  const item = { kind: 'resource', rid, name } as const
  if (obstacle) return { ...item, status: 'blocked', obstacle, changes: [] }
  const changes = [
    ...(to ? textChanges(plan) : []),
    ...imageChange(to?.row.image_id ?? null, from.row.image_id),
    ...priceChanges(plan),
    ...plan.files.flatMap(fileChanges),
    ...plan.withdraw.map((file) => fileChange('withdrawn', file)),
    ...(plan.isOrderOther ? [{ kind: 'file_order' } as const] : []),
    ...opensChange(to?.opens ?? OPENS_NOTHING, from.opens),
  ]
  const status = to ? (changes.length > 0 ? 'changed' : 'same') : 'new'
  return { ...item, status, obstacle: null, changes }
}

const textChanges = ({ texts, to }: ResourcePlan): Change[] =>
  RESOURCE_TEXTS.flatMap((field) => {
    const after = texts[field]
    return after === undefined ? [] : { kind: 'text', field, before: to?.row[field] ?? '', after }
  })

function imageChange(before: string | null, after: string | null): Change[] {
  if (before === after) return []
  if (before === null) return [{ kind: 'image', change: 'added' }]
  return [{ kind: 'image', change: after === null ? 'removed' : 'replaced' }]
}

const isLike = (one: Terms, other: Terms) =>
  one.currency === other.currency &&
  one.recurring === other.recurring &&
  one.period === other.period

/** A price that takes the place of one with the same period is shown as one change. */
function priceChanges({ prices }: ResourcePlan): Change[] {
  const ended = prices.archive.map(termsOf)
  const begun = [...prices.create, ...prices.restore.map(termsOf)]
  const changes = begun.map((after): Change => {
    const at = ended.findIndex((one) => isLike(one, after))
    const [before = null] = at < 0 ? [] : ended.splice(at, 1)
    return { kind: 'price', before, after }
  })
  return [...changes, ...ended.map((before): Change => ({ kind: 'price', before, after: null }))]
}

const fileChange = (change: FileChange, { title, size }: DownloadRow): Change => ({
  ...{ kind: 'file', change, name: title, bytes: size },
})

function fileChanges(match: FileMatch): Change[] {
  const { from, to } = match
  if (!to) return [fileChange('added', from)]
  const isDescribed =
    to.title !== from.title ||
    to.description !== from.description ||
    to.image !== from.image ||
    to.image_id !== from.image_id
  const isPublished = from.published !== null
  return [
    ...(needsBytes(match) ? [fileChange('replaced', from)] : []),
    ...(isDescribed ? [fileChange('described', from)] : []),
    ...(isPublished === (to.published !== null)
      ? []
      : [fileChange(isPublished ? 'published' : 'withdrawn', from)]),
  ]
}

function opensChange(before: Opens, after: Opens): Change[] {
  if (opensKey(before) === opensKey(after)) return []
  const [old, next] = [entriesOf(before), entriesOf(after)]
  const added = next.filter((entry) => !old.includes(entry)).length
  const removed = old.filter((entry) => !next.includes(entry)).length
  return [{ kind: 'opens', added, removed, all: after.all }]
}

const entriesOf = ({ rids, prefixes }: Opens) => [
  ...rids.map((rid) => `rid ${rid}`),
  ...prefixes.map((prefix) => `prefix ${prefix}`),
]

const settingItem = (kind: 'brand' | 'templates', changes: Change[]): CopyItem => ({
  ...{ kind, rid: '', name: '', obstacle: null, changes },
  status: changes.length > 0 ? 'changed' : 'same',
})

export function compareBrands(from: AppState, to: AppState): CopyItem {
  const [before, after] = [brandTexts(to), brandTexts(from)]
  const fields = Object.keys(after) as BrandText[]
  const texts = fields
    .filter((field) => before[field] !== after[field])
    .map((field): Change => {
      return { kind: 'text', field, before: before[field], after: after[field] }
    })
  return settingItem('brand', [...imageChange(to.app.logo_id, from.app.logo_id), ...texts])
}

function brandTexts({ app }: AppState): Record<BrandText, string> {
  const { accent, support_email, time_zone } = app
  const links = readLegalLinks(app.legal_links)
  const legal = LEGAL_LINKS.map((kind) => [`legal_${kind}`, links[kind] ?? ''])
  return {
    ...{ accent: accent ?? '', support_email: support_email ?? '', time_zone },
    ...Object.fromEntries(legal),
  }
}

export function compareTemplates(from: AppState, to: AppState): CopyItem {
  const [before, after] = [templatesOf(to), templatesOf(from)]
  const kinds = ['grant', ...STORED_TEMPLATE_KINDS] as const
  const changes = kinds.flatMap((template): Change[] => {
    const [old, next] = [before[template], after[template]]
    if (old === next) return []
    const change = old === undefined ? 'added' : next === undefined ? 'removed' : 'replaced'
    return [{ kind: 'template', template, change }]
  })
  return settingItem('templates', changes)
}

const templatesOf = ({ app }: AppState): Partial<Record<TemplateKind, string>> => ({
  ...(app.mail_template === null ? {} : { grant: app.mail_template }),
  ...readTemplates(app.mail_templates),
})
