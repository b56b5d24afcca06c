import { playHistory } from './play.ts'
import { readScript } from './script.ts'
import type { TestSystem } from './systems/test-system.ts'

/** Plays a script in the form that a failing history prints, and throws the failure. */
export async function replay(script: string, system: TestSystem): Promise<void> {
  const { failure } = await playHistory(system, readScript(script))
  if (failure) throw failure
}
