import { encodeParameters } from '@gatehouse/sdk/signing'
import { commandName } from '../command-name.ts'
import { type Context, ENVIRONMENTS, type EnvironmentName } from '../context.ts'
import { toOutageFailure } from '../db/outage.ts'
import { findAccess } from '../domain/access/details.ts'
import { listApplications } from '../domain/apps/applications.ts'
import { decryptKey, listLiveKeys } from '../domain/apps/keys.ts'
import { DETACHED_MEANS, describeHold, HOLD_MEANS, HOLD_TODO } from '../domain/installation/hold.ts'
import { TEST_CARDS } from '../domain/payments/test-cards/cards.ts'
import { listOffers } from '../domain/resources/prices.ts'
import { dashboardAddress, linkAddress } from '../domain/staff/link-addresses.ts'
import { createSetupLink } from '../domain/staff/links.ts'
import { curlCommand } from '../signing/curl.ts'
import { DEMO } from './first-start.ts'
import { removeSetUpLink, storeSetUpLink } from './set-up-link.ts'

type Addresses = Record<EnvironmentName, string>

interface Shown {
  /** Whether a person reads the text: other output may be a log, which has no secrets. */
  isTerminal: boolean
  /** Whether this is the first start. */
  isFirst: boolean
}

/** Returns the text that a start prints. Private keys are printed once. */
export async function welcomeText(
  ctx: Context,
  addresses: Addresses,
  { isTerminal, isFirst }: Shown,
): Promise<string> {
  const showKeys = isFirst && isTerminal
  const lines = ['', 'Gatehouse is running.', '', ...(await warnings(ctx))]
  const { sandbox, docs } = ctx.config.exposure
  for (const name of ENVIRONMENTS) {
    if (name === 'sandbox' && sandbox === 'off') continue
    const { database, realTime } = ctx.environments[name]
    lines.push(`  ${name.padEnd(10)}  ${addresses[name]}`)
    for (const { aid, name: title } of await liveApplications(ctx, name)) {
      lines.push(`    application ${aid}  ${title}`)
      if (!showKeys) continue
      const [key] = await listLiveKeys(database.read, aid, realTime())
      if (key) lines.push(`    private key ${decryptKey(ctx.masterKey, key)}`)
    }
  }
  if (docs !== 'off') lines.push(`  ${'reference'.padEnd(10)}  ${addresses.production}/docs`)
  lines.push('', ...(sandbox === 'off' ? [] : await demoLines(ctx, addresses)))
  lines.push(...(await dashboardLines(ctx, isTerminal)), '')
  if (!showKeys) lines.push(`Private keys: ${commandName()} app show AID --reveal`, '')
  return lines.join('\n')
}

/** Returns how to try the sandbox. */
async function demoLines(ctx: Context, addresses: Addresses): Promise<string[]> {
  const lines: string[] = []
  const curl = await demoLine(ctx, addresses.sandbox)
  if (curl) lines.push('A first request, ready to paste:', '', `  ${curl}`, '')
  const page = await demoPage(ctx, addresses.sandbox)
  if (page) lines.push(`A first sale, with the test card ${page.card}:`, '', `  ${page.url}`, '')
  return lines
}

/** Returns what the operator must know first. */
async function warnings({ gate }: Context): Promise<string[]> {
  const { hold, detached } = await gate.state()
  const lines: string[] = []
  if (hold) {
    const since = new Date(hold.since).toISOString()
    lines.push(`ON HOLD since ${since}. ${describeHold(hold)}`, HOLD_MEANS, HOLD_TODO, '')
  }
  if (detached !== undefined) lines.push(DETACHED_MEANS, '')
  return lines
}

/** Says where the dashboard is and, while nobody has an account, where the link is that creates the first one (once, valid
 * for a day). A full disk, or a database that is away for a moment, is no reason not to serve. */
async function dashboardLines(ctx: Context, isTerminal: boolean): Promise<string[]> {
  const address = `Dashboard: ${dashboardAddress(ctx)}`
  try {
    let path: string | undefined
    const now = ctx.environments.production.realTime()
    const setup = await createSetupLink(ctx.control, now, (made) => {
      if (!isTerminal) path = storeSetUpLink(ctx.config.dataFolder, linkAddress(ctx, made))
    })
    if (!setup) {
      removeSetUpLink(ctx.config.dataFolder)
      return [address]
    }
    return isTerminal
      ? [`Dashboard: ${linkAddress(ctx, setup)}`]
      : [address, firstAccountLine(path)]
  } catch (error) {
    const outage = toOutageFailure(error)
    if (!outage) throw error
    const why = `${outage.message} Restart the service then, for a link`
    return [`${address}  (no link for the first account: ${why})`]
  }
}

/** The line never has the link itself: whoever reads a log first would own the installation. */
function firstAccountLine(path: string | undefined): string {
  const command = `${commandName()} staff invite EMAIL --role owner`
  return path === undefined
    ? `First account: run ${command}`
    : `First account: open the link in ${path}, or run ${command}`
}

const MAX_SHOWN = 5

async function liveApplications(ctx: Context, name: EnvironmentName) {
  const all = await listApplications(ctx.environments[name].database.read)
  return all.filter((app) => app.archived === null).slice(0, MAX_SHOWN)
}

/** Returns where the demo article is sold, if it still is, and a card to pay with. */
async function demoPage(ctx: Context, address: string) {
  const { database, provider } = ctx.environments.sandbox
  for (const { aid } of await liveApplications(ctx, 'sandbox')) {
    const offers = await listOffers(database.read, aid, DEMO.rid)
    if (offers.length === 0 || provider?.name !== 'test') continue
    const [{ number }] = TEST_CARDS
    return { url: `${address}/checkout/${aid}/${DEMO.rid}`, card: number }
  }
  return undefined
}

/** Returns a curl command that checks the demo access, if it still exists. */
async function demoLine(ctx: Context, address: string): Promise<string | undefined> {
  const { database, clock, realTime } = ctx.environments.sandbox
  const { rid, userRef } = DEMO
  for (const { aid } of await liveApplications(ctx, 'sandbox')) {
    const [key] = await listLiveKeys(database.read, aid, realTime())
    if (!key || !(await findAccess(database.read, { aid, rid, userRef }, clock()))) continue
    const ts = Math.floor(realTime() / 1000)
    const target = `/r2/access?${encodeParameters({ rid, user_ref: userRef, ts: String(ts) })}`
    return curlCommand(address, aid, decryptKey(ctx.masterKey, key), 'GET', target)
  }
  return undefined
}
