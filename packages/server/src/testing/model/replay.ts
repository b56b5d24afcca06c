import { databases, type TestDatabase } from '../databases.ts'
import { LocalSystem } from './local-system.ts'
import { playHistory } from './play.ts'
import { readScript } from './script.ts'

/** Plays a script in the form that a failing history prints, and throws the failure. */
export async function replay(script: string, database: TestDatabase = databases[0]): Promise<void> {
  const system = await LocalSystem.open(database)
  try {
    const { failure } = await playHistory(system, readScript(script))
    if (failure) throw failure
  } finally {
    await system.close()
  }
}
