import { databases, type TestDatabase } from '../databases.ts'
import { LocalStage } from './local-stage.ts'
import { play } from './play.ts'
import { readScript } from './script.ts'

/** Plays a script in the form that a failing history prints, and throws the failure. */
export async function replay(script: string, database: TestDatabase = databases[0]): Promise<void> {
  const stage = await LocalStage.open(database)
  try {
    const { failure } = await play(stage, readScript(script))
    if (failure) throw failure
  } finally {
    await stage.close()
  }
}
