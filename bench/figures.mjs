// The figures that the project wants to reach, and where they are in the results.

/** Returns the one with the largest median. */
const worst = (all) => all.reduce((one, other) => (other.median > one.median ? other : one))

const toOther =
  (law, name) =>
  ({ check }) =>
    check?.laws[law].ratios.find(({ to }) => to === name)
const single = (number) =>
  number === undefined ? undefined : { median: number, least: number, most: number }

function firstPage(search) {
  const pages = Object.values(search?.firstPages ?? {})
  return pages.length === 0 ? undefined : worst(pages.map((one) => one.largestToSmallest))
}

const NOTIFICATIONS = 100_000

const mailsAt =
  (name, figure) =>
  ({ mail }) =>
    mail?.ways.find((way) => way.name === name)?.[figure]

/** Minutes for all notifications, at the measured rate. */
function minutesForAll(results) {
  const rate = mailsAt('20 ms', 'perSecond')(results)
  if (!rate) return undefined
  const minutes = (perSecond) => NOTIFICATIONS / perSecond / 60
  return { median: minutes(rate.median), least: minutes(rate.most), most: minutes(rate.least) }
}

/** Of an import as a newspaper would make, not of a quick run's. PostgreSQL's own processor time counts too. */
function ofImport(bulk) {
  if (bulk?.imported !== 100_000) return undefined
  const { processor, server } = bulk.steps.find(({ name }) => name === 'import')
  return single(processor + server)
}

/** `least` or `most` is the target, on the databases in `on` or on all; figures without a target are only reported. */
const FIGURES = [
  {
    name: 'access check ÷ bare node:http, Zipf',
    least: 0.7,
    on: ['sqlite'],
    of: toOther('zipf', 'node:http'),
  },
  {
    name: 'access check ÷ bare node:http, uniform',
    least: 0.5,
    on: ['sqlite'],
    of: toOther('uniform', 'node:http'),
  },
  { name: 'access check ÷ Express + Knex, Zipf', least: 8, of: toOther('zipf', 'Express + Knex') },
  {
    name: 'access check ÷ Express + Knex, uniform',
    least: 8,
    of: toOther('uniform', 'Express + Knex'),
  },
  { name: 'access check ÷ nginx with the same bytes, Zipf', of: toOther('zipf', 'nginx') },
  {
    name: 'access check: fast path on ÷ off, Zipf',
    least: 1.25,
    of: toOther('zipf', 'Gatehouse without the fast path'),
  },
  {
    name: 'access check: fast path on ÷ off, uniform',
    least: 1.25,
    of: toOther('uniform', 'Gatehouse without the fast path'),
  },
  {
    name: 'access check ÷ pgbench select-only, uniform',
    least: 0.25,
    of: toOther('uniform', 'pgbench select-only'),
  },
  {
    name: 'access check ÷ pgbench select-only, Zipf',
    least: 0.25,
    of: toOther('zipf', 'pgbench select-only'),
  },
  {
    name: 'access check ÷ pgbench with our look-up, uniform',
    of: toOther('uniform', 'pgbench, our look-up'),
  },
  {
    name: 'access check: p99 at half load ÷ bare node:http’s',
    of: ({ check }) => check?.halfLoad.ratio,
  },
  {
    name: 'explained check of 100 resources ÷ of one',
    most: 3,
    of: ({ check }) => check?.explained.ratio,
  },
  {
    name: 'access check beside 1,000 passes ÷ without passes',
    least: 0.9,
    of: ({ passes }) => passes?.besideToAlone,
  },
  {
    name: 'access check through a pass ÷ without passes',
    of: ({ passes }) => passes?.byPassToAlone,
  },
  {
    name: 'grants, commit slowed by 5 ms: grouped ÷ not',
    least: 8,
    of: ({ grant }) => grant?.slowed.ratio,
  },
  { name: 'grants, disk as it is: grouped ÷ not', of: ({ grant }) => grant?.asItIs.ratio },
  {
    name: 'search, first page, slowest filter: most records ÷ fewest',
    most: 3,
    of: ({ search }) => firstPage(search),
  },
  { name: 'reading on: last page ÷ first page', most: 5, of: ({ search }) => search?.paging.ratio },
  {
    name: 'mails a second, server takes 50 ms',
    least: 300,
    of: mailsAt('50 ms', 'perSecond'),
  },
  { name: '100,000 mails, server takes 20 ms, minutes', most: 10, of: minutesForAll },
  { name: 'mail of a grant behind them, ms', of: mailsAt('50 ms', 'delay') },
  { name: 'processor time of a mail, ms', of: mailsAt('50 ms', 'processorMs') },
  { name: 'access check: 2 processes ÷ 1', of: ({ scaling }) => scaling?.ratio },
  {
    name: 'memory of a process, MB',
    most: 200,
    of: ({ scaling }) =>
      single(scaling && Math.max(...scaling.processes.flatMap(({ memory }) => memory))),
  },
  { name: 'start to first answer, ms', of: ({ scaling }) => scaling?.start },
  {
    name: 'idle, % of a processor',
    of: ({ scaling }) => single(scaling?.processes[0].idlePercent),
  },
  {
    name: 'import of 100,000 rows, s of a processor',
    most: 12,
    of: ({ bulk }) => ofImport(bulk),
  },
  {
    name: 'webhooks to a fast receiver ÷ a loop of fetch',
    of: ({ webhooks }) => single(webhooks?.ratio),
  },
]

const isReached = ({ least = -Infinity, most = Infinity }, { median }) =>
  median >= least && median <= most

/** Returns one line for each figure: its value on each database, and whether the target is reached. */
export function judge(results, engines) {
  return FIGURES.map((figure) => {
    const found = engines.map((engine) => {
      const value = figure.of(results[engine] ?? {})
      if (!value) return { engine }
      const hasTarget = 'least' in figure || 'most' in figure
      const counts = hasTarget && (figure.on ?? engines).includes(engine)
      return { engine, value, ...(counts ? { reached: isReached(figure, value) } : {}) }
    })
    return { name: figure.name, least: figure.least, most: figure.most, found }
  })
}
