import { setTimeout as sleep } from 'node:timers/promises'
import { Gatehouse } from '@gatehouse/sdk'
import { expect } from 'vitest'
import { createApplicationIn } from '../../../packages/server/src/testing/installations.ts'
import { RECOVERY_MS } from '../../../packages/server/src/testing/postgres/restartable-postgres.ts'
import { ServerGroup } from '../../../packages/server/src/testing/processes/server-group.ts'
import { until } from '../../../scripts/loopback.mjs'
import { ARTICLE, goToPayment, payOn, returnTo } from './buyers.ts'
import { requireNoDoubleCharge, requireSameMoney, untilSettled } from './checks.ts'
import { createInstallation, type FailoverInstallation, type ResumeReport } from './installation.ts'

/** Long enough for the mail worker to have looked several times. */
const LOOK_MS = 3_000

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

async function buy({ installation: { fake }, client }: Scene, user_ref: string): Promise<void> {
  const page = (await goToPayment(client, user_ref)) as string
  await returnTo(payOn(fake, page).success_url)
  expect(await client.hasAccess({ rid: ARTICLE, user_ref })).toBe(true)
}

/** What both servers know. */
async function changeBefore(scene: Scene): Promise<void> {
  const { client, rid } = scene
  await buy(scene, 'early')
  await client.grantAccess(readerOf(rid, 'revoked'))
  await untilSettled(scene.installation)
}

/** What is answered now is on the primary alone, at the provider, and in mailboxes. */
async function changeAlone(scene: Scene): Promise<void> {
  const { client, rid, installation } = scene
  await buy(scene, 'late')
  await client.revokeAccess({ rid: ARTICLE, user_ref: 'early', refund: true })
  await client.grantAccess(readerOf(rid, 'granted'))
  await client.revokeAccess({ rid, user_ref: 'revoked' })
  await untilSettled(installation)
  expect(installation.fake.ledger.charges.size).toBe(2)
  expect(installation.fake.ledger.refunds.size).toBe(1)
}

async function failOver({ installation: { pair }, client, rid }: Scene): Promise<void> {
  const killed = await pair.killPrimary('machine')
  await pair.untilTakenOver(killed)
  await until(
    'the service',
    async () => {
      await client.hasAccess({ rid, user_ref: 'nobody' })
      return true
    },
    RECOVERY_MS / 1000,
  )
  await pair.restoreReplication()
  pair.revive(killed)
}

/** As the documentation says, the last changes are gone, although they were answered. */
async function requireLoss({ client, rid }: Scene): Promise<void> {
  const hasArticle = (user_ref: string) => client.hasAccess({ rid: ARTICLE, user_ref })
  expect([await hasArticle('early'), await hasArticle('late')]).toEqual([true, false])
  expect(await client.hasAccess({ rid, user_ref: 'granted' })).toBe(false)
  expect(await client.hasAccess({ rid, user_ref: 'revoked' })).toBe(true)
}

/** Nothing is sold or mailed, and events of the provider are left for later, until the operator has looked. */
async function requireHold({ installation, client, url, rid }: Scene): Promise<void> {
  const { fake, smtp } = installation
  expect(await goToPayment(client, 'too-early')).toBeUndefined()
  await client.grantAccess(readerOf(rid, 'waiting'))
  await sleep(LOOK_MS)
  expect(smtp.mailsTo('waiting@example.com')).toEqual([])
  expect(new Set(await fake.deliver(`${url}/events/stripe`))).toEqual(new Set([503]))
}

/** The purchase and the refund are back, and nothing was charged, refunded or mailed again. */
async function requireReconciled(scene: Scene): Promise<void> {
  const { installation, client, rid } = scene
  const { fake, smtp, pair } = installation
  await untilSettled(installation)
  expect(await client.hasAccess({ rid: ARTICLE, user_ref: 'late' })).toBe(true)
  expect(await client.hasAccess({ rid: ARTICLE, user_ref: 'early' })).toBe(false)
  expect(await client.hasAccess({ rid, user_ref: 'granted' })).toBe(false)
  await requireSameMoney(installation)
  requireNoDoubleCharge(fake)
  expect([fake.ledger.charges.size, fake.ledger.refunds.size]).toEqual([2, 1])
  expect(smtp.mailsTo('waiting@example.com')).toHaveLength(1)
  await pair.untilWhole()
  await installation.requireHealthy()
}
