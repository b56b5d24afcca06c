// The thread that looks up rows in an SQLite file, next to the main thread that serves clients. It is plain
// JavaScript because a worker thread is started from its file, by whatever Node version is installed.
import { parentPort, workerData } from 'node:worker_threads'
import { DatabaseSync } from '@photostructure/sqlite'

const database = new DatabaseSync(workerData.path)
database.exec('pragma busy_timeout = 100; pragma query_only = on')
/** The queries of each lookup, by the number that the main thread gave it. */
const questions = new Map()

function prepare(sql) {
  const statement = database.prepare(sql)
  statement.setReturnArrays(true)
  return statement
}

/** Looks up all keys in one transaction. The first query that finds a key answers it. */
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
