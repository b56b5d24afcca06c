// The thread that looks rows up in an SQLite file, beside the one that talks to clients. Plain JavaScript:
// a thread is started from its file, by whichever Node there is.
import { parentPort, workerData } from 'node:worker_threads'
import { DatabaseSync } from '@photostructure/sqlite'

const database = new DatabaseSync(workerData.path)
database.exec('pragma busy_timeout = 100; pragma query_only = on')
const statements = new Map()

function prepare(sql) {
  const known = statements.get(sql)
  if (known) return known
  const statement = database.prepare(sql)
  statement.setReturnArrays(true)
  statements.set(sql, statement)
  return statement
}

/** Of one moment, all of them; each by the first query that finds it. */
function lookUp(queries, keys) {
  const prepared = queries.map(prepare)
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

parentPort.on('message', ({ turn, queries, keys }) => {
  try {
    parentPort.postMessage({ turn, found: lookUp(queries, keys) })
  } catch (error) {
    const { message, errcode } = error
    parentPort.postMessage({ turn, failure: { message, errcode } })
  }
})
