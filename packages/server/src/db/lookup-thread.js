// The thread that looks rows up in an SQLite file, beside the one that talks to clients. Plain JavaScript:
// a thread is started from its file, by whichever Node there is.
import { parentPort, workerData } from 'node:worker_threads'
import { DatabaseSync } from '@photostructure/sqlite'

const database = new DatabaseSync(workerData.path)
database.exec('pragma busy_timeout = 100; pragma query_only = on')
/** What is asked, by the number that it was told under. */
const questions = new Map()

function prepare(sql) {
  const statement = database.prepare(sql)
  statement.setReturnArrays(true)
  return statement
}

/** Of one moment, all of them; each by the first query that finds it. */
function lookUp(question, keys) {
  question.prepared ??= question.queries.map(prepare)
  const { prepared } = question
  database.exec('begin')
  try {
    return keys.map((key) => {
      for (const statement of prepared) {
        const row = statement.get(...key)
        if (row) return row[0]
      }
      return null
    })
  } finally {
    database.exec('commit')
  }
}

parentPort.on('message', ({ turn, question, queries, keys }) => {
  try {
    if (queries) questions.set(question, { queries })
    parentPort.postMessage({ turn, found: lookUp(questions.get(question), keys) })
  } catch (error) {
    const { message, errcode } = error
    parentPort.postMessage({ turn, failure: { message, errcode } })
  }
})
