// Writes the picture of the README, docs/images/overview.png: the dashboard of a small publisher after a month of sales.
// Everything happens in a sandbox of its own: `node scripts/readme-picture.mjs`
import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { BROWSER_ARGS, requireBrowser } from './browser.mjs'
import { freePort, stop, until } from './loopback.mjs'
import { prepare } from './prepare.mjs'

prepare()
const { Gatehouse } = await import('@gatehouse/sdk')

const PICTURE = fileURLToPath(new URL('../docs/images/overview.png', import.meta.url))
const COMMAND = fileURLToPath(new URL('../packages/server/bin/gatehouse.mjs', import.meta.url))
const DAY = 86_400
/** Sales on each day of the month. */
const SALES = [1, 2, 1, 3, 2, 4, 2, 1, 2, 3, 5, 3, 2, 2, 1, 3, 4, 2, 3, 6, 4, 3, 2, 4, 5, 3, 4, 6]
const RIDS = ['winter', 'pass', 'winter', 'handbook', 'winter', 'pass']

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-picture-'))
const port = await freePort()
const url = `http://127.0.0.1:${port}`
const env = { ...process.env, GATEHOUSE_DATA: folder, GATEHOUSE_PORT: String(port) }

function cli(...args) {
  const options = { cwd: folder, env, encoding: 'utf8' }
  return JSON.parse(execFileSync(process.execPath, [COMMAND, ...args, '--json'], options))
}

/** Makes an application with three resources, and returns its client. */
function openShop() {
  const [{ aid }] = cli('app', 'list', '--env', 'sandbox')
  cli('app', 'set', aid, '--name', 'Harbor Press', '--currency', 'EUR')
  const sell = (rid, name, ...price) => {
    cli('resource', 'create', '--aid', aid, '--rid', rid, '--name', name)
    cli('price', 'create', '--aid', aid, '--rid', rid, ...price)
  }
  sell('winter', 'Tides: winter issue', '--amount', '6.90')
  sell('handbook', 'Sailing handbook', '--amount', '24')
  sell('pass', 'All issues', '--amount', '9', '--every', '1 month')
  const { keys } = cli('app', 'show', aid, '--reveal')
  const gatehouse = new Gatehouse({
    baseUrl: `${url}/sandbox`,
    aid,
    privateKey: keys[0].private_key,
  })
  return { aid, gatehouse }
}

/** Submits a form as its page does; returns the address that follows. */
async function submit(page, fields) {
  const { origin } = new URL(page)
  const response = await fetch(page, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin, 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams(fields),
  })
  return new URL(response.headers.get('location'), page).href
}

async function buy(gatehouse, rid, reader, now) {
  const email = `${reader}@example.com`
  const link = await gatehouse.purchaseLink({ rid, user_ref: reader, email, expires: now + DAY })
  const form = await (await fetch(link)).text()
  const values = [...form.matchAll(/<input[^>]* name="([^"]+)" value="([^"]*)"/g)]
  const payment = await submit(link, Object.fromEntries(values.map(([, ...pair]) => pair)))
  const card = { number: '4242 4242 4242 4242', expiry: '12/40', cvc: '123' }
  await fetch(await submit(payment, card))
}

async function sellForAMonth(gatehouse) {
  let readers = 0
  for (const sales of SALES) {
    const { time } = await gatehouse.advanceClock({ seconds: DAY })
    for (let n = 0; n < sales; n++, readers++) {
      const rid = RIDS[readers % RIDS.length]
      await buy(gatehouse, rid, `reader-${readers}`, time)
      const isUnhappy = readers % 13 === 12
      if (isUnhappy)
        await gatehouse.revokeAccess({ rid, user_ref: `reader-${readers}`, refund: true })
    }
  }
}

/** Accepts an invitation; returns the cookie of the session. */
async function signIn() {
  const { link } = cli('staff', 'invite', 'anna@example.com', '--role', 'owner')
  const token = link.slice(link.indexOf('#') + 1)
  const response = await fetch(`${url}/dashboard/api/link/use`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url, 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ token, name: 'Anna Berg', password: randomBytes(12).toString('hex') }),
  })
  const [name, value] = response.headers.get('set-cookie').split(';')[0].split('=')
  return { name, value, url, httpOnly: true, sameSite: 'Strict' }
}

const server = spawn(process.execPath, [COMMAND, 'serve'], { cwd: folder, env, stdio: 'ignore' })
try {
  await until('Gatehouse', async () => (await fetch(`${url}/readyz`)).ok)
  const { aid, gatehouse } = openShop()
  await sellForAMonth(gatehouse)
  const browser = await chromium.launch({ executablePath: requireBrowser(), args: BROWSER_ARGS })
  const context = await browser.newContext({ viewport: { width: 1280, height: 840 } })
  await context.addCookies([await signIn()])
  const page = await context.newPage()
  await page.goto(`${url}/dashboard/sandbox/${aid}/overview`, { waitUntil: 'networkidle' })
  await page.screenshot({ path: PICTURE })
  await browser.close()
} finally {
  await stop(server)
  rmSync(folder, { recursive: true, force: true })
}
