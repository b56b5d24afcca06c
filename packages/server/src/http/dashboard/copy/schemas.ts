import { type Static, Type } from 'typebox'
import type * as domain from '../../../domain/copy/compare.ts'
import type { CopyProblem } from '../../../domain/copy/outcome.ts'

export type { CopyProblem }

/** A change, with the terms of prices in words. */
export type CopyChange =
  | Exclude<domain.Change, { kind: 'price' }>
  | { kind: 'price'; before: string | null; after: string | null }

export interface CopyItem extends Omit<domain.CopyItem, 'changes'> {
  changes: CopyChange[]
}

type EnvironmentName = 'production' | 'sandbox'

/** An application that can be paired with this one. */
export interface PairCandidate {
  aid: string
  name: string
  currency: string
}

/** The application that this one is paired with. */
export interface PairedApplication {
  aid: string
  /** Null if it no longer exists. */
  name: string | null
  is_archived: boolean
}

export interface PairView {
  /** The other environment. */
  environment: EnvironmentName
  pair: PairedApplication | null
  /** Empty if there is a pair. */
  candidates: PairCandidate[]
}

/** Either an application to pair with, or nothing to create one. */
export const PairBody = Type.Object({
  with: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
})
export type PairBody = Static<typeof PairBody>

/** The changes that copying to the paired application would make. */
export interface CopyView {
  items: CopyItem[]
  version: string
  only_in_target: number
  currencies: { from: string; to: string } | null
}

/** Most rids of resources that can be chosen one by one. */
const MAX_RIDS = 1_000

export const CopyBody = Type.Object({
  /** The `version` of the preview that staff have seen. */
  version: Type.String({ minLength: 1, maxLength: 64 }),
  /** Without it, all resources. */
  rids: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 255 }), { maxItems: MAX_RIDS }),
  ),
  brand: Type.Boolean(),
  templates: Type.Boolean(),
})
export type CopyBody = Static<typeof CopyBody>

/** The outcome of copying one item. */
export interface CopiedItem {
  kind: CopyItem['kind']
  name: string
  rid: string
  /** Null if it was copied. */
  problem: CopyProblem | null
}

/** A line of the response while things are copied. */
export type CopyEvent =
  | { total: number }
  | { item: CopiedItem }
  | { done: { copied: number; failed: number } }
