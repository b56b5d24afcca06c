import type { Engine } from '../../db/database.ts'

/** A rule and a statement that breaks it; `before` removes the constraints that would prevent that. */
export interface Break {
  rule: string
  before?: string | Partial<Record<Engine, string>>
  break: string
}
