// Measures how soon the dashboard can be used in a real browser: its first page on a slow machine, and each list with
// 100,000 access records. `npm run bench:dashboard -- --records 100000 --rounds 7`
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { BROWSER_ARGS, requireBrowser } from '../../scripts/browser.mjs'
import { readPageOptions } from '../page-options.mjs'
import { startPostgres, stopServers } from '../postgres.mjs'
import { CACHE, openHome, removeHome } from '../records/homes.mjs'
import { startBare, startGatehouse, stopAll } from '../services.mjs'
import { counted, shownSpread, spread, table } from '../statistics.mjs'
import { launchPlainBrowser } from './plain-browser.mjs'
import { addRecords } from './records.mjs'
import { arrive } from './staff.mjs'

const SIZES = { usual: 100_000, least: 1_000 }
const { count: records, rounds, engines } = readPageOptions('records', SIZES)

const SLOWER = 4
const AIMS = { firstPage: 1_000, list: 300 }

const ROW = 'main tr[data-row]'
const NUMBER = 'main a[href*="state=ending"]'
/** The pages to open, and what they show when they can be used. */
const LISTS = [
  { name: 'Overview, 30 days', page: 'overview', shows: NUMBER },
  { name: 'Overview, 90 days', page: 'overview?range=90d', shows: NUMBER },
  { name: 'Resources', page: 'resources', shows: ROW },
  { name: 'Access', page: 'access', shows: ROW },
  { name: 'Access by name', page: 'access?sort=name', shows: ROW },
  { name: 'Access, halfway through', page: `access?page=${Math.floor(records / 200)}`, shows: ROW },
  { name: 'Access that ends soon', page: 'access?state=ending', shows: ROW },
  { name: 'Access that has expired', page: 'access?state=expired', shows: ROW },
  { name: 'Access that was revoked', page: 'access?state=revoked', shows: ROW },
  { name: 'Access of one resource', page: 'access?rid=resource-0000', shows: ROW },
  { name: 'Access, one letter typed', page: 'access?q=r', shows: ROW },
  { name: 'Access, an address typed', page: 'access?q=reader000001234', shows: ROW },
  { name: 'People', page: 'people', shows: ROW },
  { name: 'People by name', page: 'people?sort=name', shows: ROW },
  { name: 'People, one letter typed', page: 'people?q=r', shows: ROW },
  { name: 'Subscriptions', page: 'subscriptions', shows: ROW },
  { name: 'Subscriptions by name', page: 'subscriptions?sort=name', shows: ROW },
  { name: 'Payments', page: 'payments', shows: ROW },
  { name: 'Payments by name', page: 'payments?sort=-name', shows: ROW },
  { name: 'Payments, one letter typed', page: 'payments?q=r', shows: ROW },
  { name: 'Deliveries', page: 'downloads/deliveries', shows: ROW },
  { name: 'Mail', page: 'mail', shows: ROW },
  { name: 'Mail, one letter typed', page: 'mail?q=r', shows: ROW },
  { name: 'Mail that was given up', page: 'mail?status=dead', shows: ROW },
]

/** Opens an address; returns the milliseconds until it shows an element, by the browser's own clock. */
async function visit(page, address, shows) {
  await page.goto(address)
  return await page.evaluate(`new Promise((resolve) => {
    const look = () => {
      if (document.querySelector(${JSON.stringify(shows)})) resolve(performance.now())
      else requestAnimationFrame(look)
    }
    look()
  })`)
}

/** Opens a page of the app like a click on a link, without loading the app again; returns the milliseconds. */
async function openList(page, path, shows) {
  return await page.evaluate(
    ({ path, shows }) =>
      new Promise((resolve, reject) => {
        const began = performance.now()
        history.pushState({}, '', path)
        const look = () => {
          if (document.querySelector(shows)) resolve(performance.now() - began)
          else if (performance.now() - began > 30_000) reject(new Error(`${path} shows nothing`))
          else requestAnimationFrame(look)
        }
        requestAnimationFrame(look)
      }),
    { path, shows },
  )
}

async function measureLists(browser, url, cookie, aid) {
  const at = `/dashboard/production/${aid}`
  const times = LISTS.map(() => [])
  // The first round fills caches and warms up the JIT compilers.
  for (let round = 0; round <= rounds; round++) {
    const context = await browser.newContext({ reducedMotion: 'reduce' })
    await context.addCookies([{ ...cookie, url }])
    const page = await context.newPage()
    for (const [index, { page: path, shows }] of LISTS.entries()) {
      // Start on a page that needs none of this data and does not show the list to open.
      await page.goto(`${url}${at}/developers`)
      await page.locator('main h1').waitFor()
      const took = await openList(page, `${at}/${path}`, shows)
      if (round > 0) times[index].push(took)
    }
    await context.close()
  }
  return LISTS.map(({ name }, index) => ({ name, ...spread(times[index]) }))
}

/** Measures the page in a browser profile that has never loaded it, and again in the same one. */
async function measureFirstPage(url, cookie, bare) {
  const times = { first: [], again: [], bare: [] }
  const browser = await launchPlainBrowser()
  try {
    for (let round = 0; round <= rounds; round++) {
      const page = await browser.newPage({ cookie, url, slower: SLOWER })
      const plain = await visit(page, bare, 'body')
      const first = await visit(page, `${url}/dashboard/`, NUMBER)
      await visit(page, 'about:blank', 'body')
      const again = await visit(page, `${url}/dashboard/`, NUMBER)
      await page.close()
      if (round === 0) continue
      times.bare.push(plain)
      times.first.push(first)
      times.again.push(again)
    }
  } finally {
    await browser.close()
  }
  return [
    { name: 'First page, never seen', ...spread(times.first) },
    { name: 'First page, seen before', ...spread(times.again) },
    { name: 'For comparison: a line of text', ...spread(times.bare) },
  ]
}

function show(title, results, aim) {
  const lines = results.map(({ name, ...all }) => [
    name,
    shownSpread(all),
    /comparison/.test(name) ? '' : all.median <= aim ? 'reached' : 'missed',
  ])
  console.log(`\n${title}; the aim is ${aim} ms\n${table([['', 'ms', ''], ...lines])}`)
  return lines.every(([, , verdict]) => verdict !== 'missed')
}

/** Measures on one database; returns whether all aims were reached. The first page is measured on SQLite alone. */
async function measure(browser, engine, server) {
  const home = await openHome(engine, records, { server, mark: `dashboard_${process.pid}` })
  try {
    await addRecords(home)
    const service = await startGatehouse(home)
    const url = `http://localhost:${service.port}`
    const cookie = await arrive(home, url)
    console.log(
      `\n${engine}, ${counted(records)} access records, ${rounds} rounds: median (least–most)`,
    )
    let isSoon = true
    if (engine === 'sqlite') {
      const bare = await startBare('one line')
      const times = await measureFirstPage(url, cookie, `http://localhost:${bare.port}/`)
      isSoon = show(`Processor slowed ${SLOWER} times`, times, AIMS.firstPage)
    }
    const lists = await measureLists(browser, url, cookie, home.aid)
    return show('Lists', lists, AIMS.list) && isSoon
  } finally {
    await stopAll()
    await removeHome(home)
  }
}

const browser = await chromium.launch({ executablePath: requireBrowser(), args: BROWSER_ARGS })
try {
  // Another account runs PostgreSQL, and has to reach its folder.
  mkdirSync(CACHE, { recursive: true, mode: 0o755 })
  for (const engine of engines) {
    const server =
      engine === 'postgres'
        ? await startPostgres(join(CACHE, `postgres-${process.pid}`))
        : undefined
    if (!(await measure(browser, engine, server))) process.exitCode = 1
  }
} finally {
  await browser.close()
  await stopAll()
  await stopServers()
}
