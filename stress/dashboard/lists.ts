import { expect, it } from 'vitest'
import { ISSUES, issueName, PASS, personOf } from './crowd.ts'
import { formatted, type Stage } from './stage.ts'

const PAGESIZE = 50
const halfwayOf = (people: number) => Math.floor(people / PAGESIZE / 2)

/** The names of the people on a page of the list, in the order of the rows. */
async function shownPeople({ page }: Stage): Promise<(string | undefined)[]> {
  const cells = await page().locator('tr[data-row] td:first-child a').allInnerTexts()
  // The initials come first.
  return cells.map((text) => text.split('\n').find((line) => line.length > 2))
}

async function checkPage(stage: Stage, sort: string, names: readonly string[], at: number) {
  await stage.open(`people?sort=${sort}&page=${at}`)
  const from = at * PAGESIZE + 1
  const to = Math.min(from + PAGESIZE - 1, names.length)
  const range = `${formatted(from)}–${formatted(to)} of ${formatted(names.length)}`
  await stage.page().getByRole('navigation', { name: 'Pages' }).getByText(range).waitFor()
  expect(await shownPeople(stage)).toEqual(names.slice(from - 1, to))
}

async function checkSorting(stage: Stage): Promise<void> {
  const { people } = stage
  const pages = [0, halfwayOf(people), Math.ceil(people / PAGESIZE) - 1]
  const isBefore = (one: string, other: string) =>
    one.toLowerCase() < other.toLowerCase() ? -1 : 1
  const names = Array.from({ length: people }, (_, n) => personOf(n).name).sort(isBefore)
  for (const at of pages) {
    await checkPage(stage, 'name', names, at)
    await checkPage(stage, '-name', [...names].reverse(), at)
  }
  const rows = await stage.server.service.ctx.environments.production.database.read
    .selectFrom('users')
    .select(['uid', 'created', 'first_name', 'last_name'])
    .where('aid', '=', stage.aid())
    .execute()
  const newest = rows
    .sort((one, other) => other.created - one.created || (one.uid < other.uid ? -1 : 1))
    .map(({ first_name, last_name }) => `${first_name} ${last_name}`)
  for (const at of pages) await checkPage(stage, '-created', newest, at)
}

/** Types into the search box of a list, and waits until it shows the person in the middle alone. */
async function search(stage: Stage, list: string, q: string): Promise<void> {
  const { open, page, row, middle } = stage
  await open(list)
  await row('').first().waitFor()
  await page().getByLabel('Search').fill(q)
  await row(middle.email).first().waitFor()
  await row('').filter({ hasNotText: middle.email }).first().waitFor({ state: 'detached' })
}

async function filterByResource(stage: Stage, list: string, name: string): Promise<void> {
  const { open, page, button, number, total } = stage
  await open(list)
  await button('Filter').click()
  await page().getByLabel('Resource').selectOption({ label: name })
  await button('Apply').click()
  await page().getByRole('list', { name: 'Filters' }).getByText(name).waitFor()
  const isLive = `and revoked is null and ends > ${Math.floor(Date.now() / 1000)}`
  const count = await number(`select count(*) from ${list} where aid = $aid
    ${list === 'access' ? isLive : ''} and rid in (select rid from resources where aid = $aid and name = '${name}')`)
  expect(count).toBeGreaterThan(0)
  await total(count)
}

async function saveView(stage: Stage): Promise<void> {
  const { open, page, button, dialog, shown, number, total } = stage
  const all = 'select count(*) from subscriptions where aid = $aid'
  const ended = await number(`${all} and status = 'ended'`)
  await open('subscriptions?status=ended&sort=-amount')
  await total(ended)
  await button('Save view').click()
  await dialog().getByLabel('Name').fill('Who left')
  await button('Save', dialog()).click()
  await shown('View “Who left” saved.')
  await open('subscriptions')
  await total(await number(all))
  await page().reload()
  await button('Who left').click()
  await total(ended)
  const sorted = page().getByRole('columnheader', { name: /Amount|Price/ })
  expect(await sorted.getAttribute('aria-sort')).toBe('descending')
}

/** Pages with rows, of which the second one of a pair is as far in the list as can be. */
const timedPages = (halfway: number, lastName: string) => [
  ...['people', `people?page=${halfway}`, 'people?sort=name', `people?sort=name&page=${halfway}`],
  ...['people?q=a', `people?q=${lastName}`],
  ...['access', `access?page=${halfway}`, 'access?sort=name', 'access?state=expired'],
  ...['access?rid=issue-7', 'access?q=an'],
  ...['subscriptions', 'subscriptions?status=ended', 'subscriptions?sort=name'],
  ...['payments', `payments?page=${halfway}`, 'payments?sort=-amount', 'payments?sort=name'],
  ...['payments?rid=issue-7', 'mail', 'mail?status=dead', `mail?page=${halfway}`],
]

async function timePages(stage: Stage): Promise<void> {
  const { stopwatch, people, middle } = stage
  const time = (path: string, shows?: string) =>
    stopwatch.timePage(stage.page(), `/dashboard/production/${stage.aid()}/${path}`, shows)
  for (const range of ['', '?range=90d', '?range=year']) {
    await time(`overview${range}`, 'main a[href*="money=taken"]')
  }
  for (const path of timedPages(halfwayOf(people), middle.last)) await time(path)
  await time(`people/${middle.uid}`, 'main li h3')
}

export function walkLists(stage: Stage): void {
  const { people, middle } = stage

  it('show all people', async () => {
    await stage.open('people')
    await stage.total(people)
  })

  it.each(['people', 'access', 'subscriptions', 'payments', 'mail'])(
    'find one by name and by address, with initials: %s',
    async (list) => {
      for (const q of [middle.last, middle.name, middle.email]) await search(stage, list, q)
      const row = stage.row(middle.name).first()
      await row.getByText(middle.initials, { exact: true }).waitFor()
    },
  )

  it('are sorted by name and by day, in the middle as at both ends', () => checkSorting(stage))

  it.each([
    ['access', issueName(ISSUES - 2)],
    ['payments', issueName(ISSUES - 2)],
    ['subscriptions', PASS.name],
  ])('are filtered by a resource that is chosen by its name: %s', (list, name) =>
    filterByResource(stage, list, name),
  )

  it('come back as a saved view after a reload', () => saveView(stage))

  it('open soon', () => timePages(stage))
}
