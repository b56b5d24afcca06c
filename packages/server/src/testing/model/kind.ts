import type { Draw } from './draw.ts'
import type { Args } from './script.ts'
import type { World } from './world.ts'

/** One letter of the alphabet. */
export interface Kind {
  name: string
  /** How often it is drawn, beside the others. */
  weight: number
  /** The entry points that it goes through: `POST /r2/access/grant`, `gatehouse access grant`. */
  reaches: readonly string[]
  /** Undefined where the history has nothing yet that it could be about. */
  draw(draw: Draw): { label?: string; args: Args } | undefined
  /** Returns what is the same on both databases. */
  play(world: World, args: Args, label: string | undefined): Promise<string>
}

/** What an operation says that is about something that this history does not have. */
export const NOTHING = 'nothing'
