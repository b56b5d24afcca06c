// The figures that the project wants to reach, and where they are in the results.

/** Returns the one with the largest median. */
const worst = (all) => all.reduce((one, other) => (other.median > one.median ? other : one))

const toOther =
  (law, name) =>
  ({ check }) =>
    check?.laws[law].ratios.find(({ to }) => to === name)
function processorRatio(check, one, other) {
  const timeOf = (name) =>
    check?.laws.zipf.contestants.find((contestant) => contestant.name === name)?.processor?.median
  return check && single(timeOf(one) / timeOf(other))
}

const besideGrants =
  (granters, figure) =>
  ({ mixed }) =>
    mixed?.beside.find((one) => one.granters === granters)?.[figure]

const single = (number) =>
  number === undefined ? undefined : { median: number, least: number, most: number }

function firstPage(search) {
  const pages = Object.values(search?.firstPages ?? {})
  return pages.length === 0 ? undefined : worst(pages.map((one) => one.largestToSmallest))
}

const onNode =
  (version) =>
  ({ nodes }) =>
    nodes?.find((one) => one.version === version)?.toFirst

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

/** The processor time of an import as large as a newspaper's, with that of PostgreSQL itself; undefined after a quick
 * run, which imports less. */
function ofImport(bulk) {
  if (bulk?.imported !== 100_000) return undefined
  const { processor, server } = bulk.steps.find(({ name }) => name === 'import')
  return single(processor + server)
}

/** `least` or `most` is the target, on the databases in `on` or on all; figures without one are only reported. `limit`
 * is what the machine, or another way to do the same, would allow. */
const FIGURES = [
  {
    name: 'access check ÷ bare node:http, Zipf',
    least: 0.95,
    limit: '1.15, answered on the socket',
    on: ['sqlite'],
    of: toOther('zipf', 'node:http'),
  },
  {
    name: 'access check ÷ bare node:http, uniform',
    least: 0.9,
    limit: '1.05, answered on the socket',
    on: ['sqlite'],
    of: toOther('uniform', 'node:http'),
  },
  {
    name: 'access check, the ordinary route ÷ bare node:http, Zipf',
    least: 0.4,
    limit: '0.42, a Fastify handler with a prepared statement',
    on: ['sqlite'],
    of: ({ check }) => check?.laws.zipf.routeToBare,
  },
  {
    name: 'processor time of a check ÷ bare node:http’s, Zipf',
    limit: '0.9, answered on the socket',
    of: ({ check }) => processorRatio(check, 'Gatehouse', 'node:http'),
  },
  { name: 'access check ÷ Express + Knex, Zipf', least: 12, of: toOther('zipf', 'Express + Knex') },
  {
    name: 'access check ÷ Express + Knex, uniform',
    least: 12,
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
    least: 0.5,
    limit: '1',
    of: toOther('uniform', 'pgbench select-only'),
  },
  {
    name: 'access check ÷ pgbench select-only, Zipf',
    least: 0.5,
    limit: '1',
    of: toOther('zipf', 'pgbench select-only'),
  },
  {
    name: 'access check ÷ pgbench with our look-up, uniform',
    of: toOther('uniform', 'pgbench, our look-up'),
  },
  {
    name: 'access check: p99 at half load ÷ bare node:http’s',
    most: 2,
    limit: '1',
    of: ({ check }) => check?.halfLoad.ratio,
  },
  {
    name: 'access check over one connection, p50, ms',
    most: 0.8,
    limit: '0.6, with generic plans',
    on: ['postgres'],
    of: ({ check }) => check?.oneAtATime,
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
    name: 'check on a new connection while 64 clients grant, p99, ms',
    most: 10,
    limit: 'as without grants',
    of: besideGrants(64, 'newP99'),
  },
  {
    name: 'check on a kept connection while 64 clients grant, p99, ms',
    most: 10,
    limit: 'as without grants',
    of: besideGrants(64, 'keptP99'),
  },
  { name: 'check on a new connection, nobody grants, p99, ms', of: besideGrants(0, 'newP99') },
  { name: 'grants a second by one client, beside checks', of: besideGrants(1, 'perSecond') },
  {
    name: 'grants, commit slowed by 5 ms: grouped ÷ not',
    least: 12,
    limit: 'processor time of a grant',
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
  { name: 'access check: Node 22 ÷ Node 20, Zipf', of: onNode(22) },
  { name: 'access check: Node 24 ÷ Node 20, Zipf', of: onNode(24) },
  {
    name: 'memory after the start, MB',
    most: 95,
    limit: '42, bare Node',
    of: ({ scaling }) => single(scaling?.processes[0].memoryAfterStart),
  },
  {
    name: 'memory of a process under load, MB',
    most: 150,
    limit: '42, bare Node',
    of: ({ scaling }) =>
      single(scaling && Math.max(...scaling.processes.flatMap(({ memory }) => memory))),
  },
  { name: 'start to first answer, ms', most: 900, of: ({ scaling }) => scaling?.start },
  { name: 'a command, ms', most: 500, of: ({ scaling }) => scaling?.command },
  {
    name: 'idle, % of a processor',
    most: 0.2,
    limit: '0',
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
    const { name, least, most, limit } = figure
    return { name, least, most, limit, found }
  })
}
