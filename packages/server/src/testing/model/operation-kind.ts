import type { Draw } from './draw.ts'
import type { Args } from './script.ts'
import type { World } from './world.ts'

/** One kind of operation. */
export interface OperationKind {
  name: string
  /** How often it is drawn, relative to the others. */
  weight: number
  /** The entry points that it uses, such as `POST /r2/access/grant` or `gatehouse access grant`. */
  reaches: readonly string[]
  /** Returns undefined if the history has nothing yet that it could act on. */
  draw(draw: Draw): { label?: string; args: Args } | undefined
  /** Returns the outcome, which must be the same on both databases. */
  play(world: World, args: Args, label: string | undefined): Promise<string>
}

/** The outcome of an operation that refers to something that does not exist in this history. */
export const NOT_APPLICABLE = 'nothing'
