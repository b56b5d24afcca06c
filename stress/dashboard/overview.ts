import { expect, it } from 'vitest'
import { formatted, type Stage } from './stage.ts'

const DAY = 86_400

interface Span {
  from: number
  to: number
}

const TAKEN = `status not in ('pending', 'failed')`
const isWithin = (column: string, { from, to }: Span) =>
  `${column} >= ${from} and ${column} < ${to}`
/** The time zone of the application is UTC. */
const spanOf = ({ searchParams }: URL): Span => ({
  from: Date.parse(searchParams.get('first') ?? '1970-01-01') / 1000,
  to: Date.parse(searchParams.get('last') ?? '') / 1000 + DAY,
})

const HAS_PAID = '(trial_ends is null or periods >= 1)'
const PAID_SINCE = 'coalesce(trial_ends, created)'
/** The sum hides the column from SQLite's planner, which would read all that ended before for each subscription. */
const CAME_BACK = `exists (select 1 from subscriptions e where e.aid = s.aid and e.uid = s.uid
  and e.id <> s.id and e.ended + 0 <= s.created)`

/** Counts that need nothing but the rows, written without looking at the product's own queries. */
const COUNTS = {
  'At the end': ({ to }: Span) =>
    `select count(*) from subscriptions where aid = $aid and ${HAS_PAID} and ${PAID_SINCE} < ${to} and (ended is null or ended >= ${to})`,
  New: (span: Span) =>
    `select count(*) from subscriptions s where aid = $aid and ${HAS_PAID} and ${isWithin(PAID_SINCE, span)} and not ${CAME_BACK}`,
  Back: (span: Span) =>
    `select count(*) from subscriptions s where aid = $aid and ${HAS_PAID} and ${isWithin(PAID_SINCE, span)} and ${CAME_BACK}`,
  Left: (span: Span) =>
    `select count(*) from subscriptions where aid = $aid and ${HAS_PAID} and ${isWithin('ended', span)}`,
}

const NOW = `${Math.floor(Date.now() / 1000)}`
/** The numbers of this moment. What ends within minutes of this run is on no border of them. */
const TILES = {
  'Live access': `select count(*) from access where aid = $aid and revoked is null and ends > ${NOW}`,
  'Ending within 7 days': `select count(*) from access a where aid = $aid and revoked is null and ends > ${NOW}
    and ends <= ${NOW} + ${7 * DAY} and not exists (select 1 from subscriptions s where s.aid = a.aid
      and s.access_id = a.id and s.status in ('active', 'trialing'))`,
  'Renewing within 7 days': `select count(*) from access a where aid = $aid and revoked is null and ends > ${NOW}
    and ends <= ${NOW} + ${7 * DAY} and exists (select 1 from subscriptions s where s.aid = a.aid
      and s.access_id = a.id and s.status in ('active', 'trialing'))`,
  'Failed emails': `select count(*) from outbox where aid = $aid and status = 'dead'`,
}

const money = (amount: number) =>
  `${(amount / 100).toLocaleString('en', { minimumFractionDigits: 2 })} USD`

async function sumNet({ number }: Stage, span: Span): Promise<number> {
  const taken = await number(
    `select coalesce(sum(amount), 0) from payments where aid = $aid and currency = 'USD' and ${TAKEN} and ${isWithin('settled', span)}`,
  )
  const refunded = await number(
    `select coalesce(sum(amount), 0) from refunds where aid = $aid and currency = 'USD' and status = 'succeeded' and ${isWithin('settled', span)}`,
  )
  return taken - refunded
}

const sumMonthly = ({ number }: Stage, { to }: Span) =>
  number(`select sum(case period when '1 year' then (2 * amount + 12) / 24 else amount end) from subscriptions
    where aid = $aid and currency = 'USD' and ${HAS_PAID} and ${PAID_SINCE} < ${to} and (ended is null or ended >= ${to})`)

async function checkFigures(stage: Stage, path: string): Promise<void> {
  const { page, open, number, total } = stage
  await open(path)
  const link = (name: string) =>
    page().getByRole('link', { name: new RegExp(`^${name}: .+\\. Open the list$`) })
  const href = (await link('Net revenue').getAttribute('href')) as string
  const span = spanOf(new URL(href, page().url()))
  const shown = async (name: string) =>
    (await link(name).getAttribute('aria-label'))?.replace(/^.+?: (.+)\. Open the list$/, '$1')
  expect(await shown('Net revenue')).toBe(money(await sumNet(stage, span)))
  expect(await shown('MRR')).toBe(money(await sumMonthly(stage, span)))
  expect(await shown('Subscribers')).toBe(formatted(await number(COUNTS['At the end'](span))))

  await link('Net revenue').click()
  const payments = `select count(*) from payments where aid = $aid and currency = 'USD' and ${TAKEN} and ${isWithin('settled', span)}`
  await total(await number(payments))
  for (const [movement, query] of Object.entries(COUNTS)) {
    await open(path)
    const count = await number(query(span))
    const row = page().getByRole('row', { name: movement })
    const sign = movement === 'Left' ? '−' : movement === 'At the end' ? '' : '+'
    await row.getByRole('link', { name: `${sign}${formatted(count)}`, exact: true }).click()
    await total(count)
  }
}

export function walkOverview(stage: Stage): void {
  it.each(['overview', 'overview?range=90d', 'overview?range=year'])(
    'shows at %s what rows counted one by one show, and so do the lists behind it',
    async (path) => await checkFigures(stage, path),
  )

  it('answers for any days that are chosen, such as three years', async () => {
    const { page, open, button } = stage
    const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)
    const last = dayOf(Date.now())
    const first = dayOf(Date.now() - 3 * 365 * DAY * 1000)
    await open('overview')
    await page().getByRole('combobox', { name: 'Time range' }).selectOption('Other days…')
    await page().getByLabel('First day').fill(first)
    await page().getByLabel('Last day').fill(last)
    await stage.stopwatch.time('figures of three years, after “Show”', async () => {
      await button('Show').click()
      await page().waitForURL(/first=/)
      await page().getByRole('figure', { name: 'Net revenue' }).waitFor()
    })
    await checkFigures(stage, `overview?first=${first}&last=${last}`)
  })

  it('counts how things stand now, as the lists do', async () => {
    const { page, open, number, total } = stage
    for (const [label, query] of Object.entries(TILES)) {
      await open('overview')
      const count = await number(query)
      expect(count).toBeGreaterThan(0)
      await page()
        .getByRole('link', { name: new RegExp(`^${label} ?${formatted(count)}\\b`) })
        .click()
      await total(count)
    }
    await open('overview')
    const late = await number(
      `select count(*) from subscriptions where aid = $aid and status = 'past_due'`,
    )
    const line = `${formatted(late)} subscriptions have a failed payment. Open the list`
    await page().getByRole('link', { name: line, exact: true }).click()
    await total(late)
  })
}
