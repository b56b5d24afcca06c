// The options of a benchmark of pages: how many records there are, how often each page is measured, and on which
// databases.
import { parseArgs } from 'node:util'

/** Reads the command line. The option for the number of records is called what the records are. */
export function readPageOptions(records, { usual, least }) {
  const { values } = parseArgs({
    options: {
      [records]: { type: 'string', default: String(usual) },
      rounds: { type: 'string', default: '7' },
      engine: { type: 'string', multiple: true, default: ['sqlite', 'postgres'] },
    },
  })
  const count = Number(values[records])
  const rounds = Number(values.rounds)
  if (!(count >= least) || !(rounds >= 3))
    throw new Error(`--${records} ${least} or more, --rounds 3 or more`)
  return { count, rounds, engines: values.engine }
}
