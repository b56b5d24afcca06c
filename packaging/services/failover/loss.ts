import { setTimeout as sleep } from 'node:timers/promises'
import { Gatehouse, UnavailableError } from '@gatehouse/sdk'
import { expect } from 'vitest'
import { createApplicationIn } from '../../../packages/server/src/testing/installations.ts'
import { ServerGroup } from '../../../packages/server/src/testing/processes/server-group.ts'
import { ARTICLE, goToPayment, payOn, returnTo } from './buyers.ts'
import { requireNoDoubleCharge, requireSameMoney, untilSettled } from './checks.ts'
import { createInstallation, type FailoverInstallation, type ResumeReport } from './installation.ts'

/** Long enough for the mail worker to have looked several times. */
const LOOK_MS = 3_000
const REPEAT_MS = 200
const MAX_REPEAT_MS = 60_000

interface Scene {
  installation: FailoverInstallation
  client: Gatehouse
  /** The address of the service. */
  url: string
  rid: string
}

/**
 * Fails over to a standby that lacks the last changes, as can happen with asynchronous replication. Returns what
 * `gatehouse resume` has found.
 */
export async function loseByFailover(): Promise<ResumeReport> {
  const installation = await createInstallation(false)
  const service = new ServerGroup(installation.env, { isFrail: true })
  try {
    const { rid, ...credentials } = await createApplicationIn(installation)
    await service.start()
    const url = service.next() as string
    const client = new Gatehouse({ baseUrl: url, ...credentials })
    const scene = { installation, client, url, rid }
    await changeBefore(scene)
    await installation.pair.cutReplication()
    await changeAlone(scene)
    await failOver(scene)
    await requireLoss(scene)
    await requireHold(scene)
    const report = await installation.resume()
    await requireReconciled(scene)
    await service.stop()
    return report
  } catch (error) {
    console.error(installation.pair.readLogs(), service.readLogs())
    throw error
  } finally {
    await service.end()
    await installation.remove()
  }
}

const readerOf = (rid: string, user_ref: string) => ({
  ...{ rid, user_ref, email: `${user_ref}@example.com` },
})

/** Repeats a request that is answered with 503, as clients should. */
async function repeat<T>(request: () => Promise<T | undefined>): Promise<T> {
  for (const end = performance.now() + MAX_REPEAT_MS; ; await sleep(REPEAT_MS)) {
    const answer = await request().catch((error: unknown) => {
      if (!(error instanceof UnavailableError)) throw error
    })
    if (answer !== undefined) return answer
    if (performance.now() > end) throw new Error('a request was refused again and again')
  }
}

async function buy({ installation: { fake }, client }: Scene, user_ref: string): Promise<void> {
  const page = await repeat(() => goToPayment(client, user_ref))
  const { success_url } = payOn(fake, page)
  await repeat(() => returnTo(success_url))
  expect(await repeat(() => client.hasAccess({ rid: ARTICLE, user_ref }))).toBe(true)
}

/** Makes changes that both servers have. */
async function changeBefore(scene: Scene): Promise<void> {
  const { client, rid } = scene
  await buy(scene, 'early')
  await repeat(() => client.grantAccess(readerOf(rid, 'revoked')))
  await untilSettled(scene.installation)
}

/** Makes changes that only the primary has, besides the payment provider and mailboxes. */
async function changeAlone(scene: Scene): Promise<void> {
  const { client, rid, installation } = scene
  await buy(scene, 'late')
  await repeat(() => client.revokeAccess({ rid: ARTICLE, user_ref: 'early', refund: true }))
  await repeat(() => client.grantAccess(readerOf(rid, 'granted')))
  await repeat(() => client.revokeAccess({ rid, user_ref: 'revoked' }))
  await untilSettled(installation)
  expect(installation.fake.ledger.charges.size).toBe(2)
  expect(installation.fake.ledger.refunds.size).toBe(1)
}

async function failOver({ installation: { pair }, client, rid }: Scene): Promise<void> {
  const killed = await pair.killPrimary('machine')
  await pair.untilTakenOver(killed)
  await repeat(() => client.hasAccess({ rid, user_ref: 'nobody' }))
  await pair.restoreReplication()
  pair.revive(killed)
}

/** As the documentation says, the last changes are gone, although they were answered. */
async function requireLoss({ client, rid }: Scene): Promise<void> {
  const hasArticle = (user_ref: string) =>
    repeat(() => client.hasAccess({ rid: ARTICLE, user_ref }))
  expect([await hasArticle('early'), await hasArticle('late')]).toEqual([true, false])
  expect(await repeat(() => client.hasAccess({ rid, user_ref: 'granted' }))).toBe(false)
  expect(await repeat(() => client.hasAccess({ rid, user_ref: 'revoked' }))).toBe(true)
}

/** Nothing is sold or mailed, and events of the provider are left for later, until the operator has looked. */
async function requireHold({ installation, client, url, rid }: Scene): Promise<void> {
  const { fake, smtp } = installation
  expect(await goToPayment(client, 'too-early')).toBeUndefined()
  await repeat(() => client.grantAccess(readerOf(rid, 'waiting')))
  await sleep(LOOK_MS)
  expect(smtp.mailsTo('waiting@example.com')).toEqual([])
  expect(new Set(await fake.deliver(`${url}/events/stripe`))).toEqual(new Set([503]))
}

/** The purchase and the refund are back, and nothing was charged, refunded or mailed again. */
async function requireReconciled(scene: Scene): Promise<void> {
  const { installation, client, rid } = scene
  const { fake, smtp, pair } = installation
  await untilSettled(installation)
  expect(await repeat(() => client.hasAccess({ rid: ARTICLE, user_ref: 'late' }))).toBe(true)
  expect(await repeat(() => client.hasAccess({ rid: ARTICLE, user_ref: 'early' }))).toBe(false)
  expect(await repeat(() => client.hasAccess({ rid, user_ref: 'granted' }))).toBe(false)
  await requireSameMoney(installation)
  requireNoDoubleCharge(fake)
  expect([fake.ledger.charges.size, fake.ledger.refunds.size]).toEqual([2, 1])
  expect(smtp.mailsTo('waiting@example.com')).toHaveLength(1)
  const subjectsTo = (reader: string) =>
    smtp.mailsTo(`${reader}@example.com`).map(({ mail }) => mail.subject)
  const [receipt, refund] = ['receipt', 'refund'].map(
    (what) => `Test magazine: ${what} for Article`,
  )
  // The mails about the restored purchase and refund were sent once before the failover, which lost the record of that.
  expect(subjectsTo('early')).toEqual([receipt, refund, refund])
  expect(subjectsTo('late')).toEqual([receipt, receipt])
  await pair.untilWhole()
  await installation.requireHealthy()
}
