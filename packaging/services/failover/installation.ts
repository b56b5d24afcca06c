import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { spawnedCli } from '../../../packages/server/src/testing/cli.ts'
import type { Checkup } from '../../../packages/server/src/testing/commands/checkup.ts'
import type { TestInstallation } from '../../../packages/server/src/testing/databases.ts'
import { startSmtp, type TestSmtp } from '../../../packages/server/src/testing/smtp/smtp.ts'
import {
  type FakeStripe,
  startFakeStripe,
} from '../../../packages/server/src/testing/stripe/fake-stripe.ts'
import { sandboxSettings } from '../../../packages/server/src/testing/stripe/stripe-shop.ts'
import { PatroniPair } from './pair.ts'

/** Longer than the lease of a comparison that was cut off. */
const MAX_RESUME_MS = 120_000

const LIVE_KEY = 'sk_live_fake0123456789'

/** An installation on a pair of servers, with a payment provider and a mail server that outlive every failover. */
export interface FailoverInstallation extends TestInstallation {
  pair: PatroniPair
  fake: FakeStripe
  smtp: TestSmtp
  /** Runs `gatehouse resume`, as the operator has to after a failover. */
  resume(): Promise<ResumeReport>
  /** Requires that `gatehouse doctor --deep` finds no fault. */
  requireHealthy(): Promise<void>
}

export interface ResumeReport {
  resumed: boolean
  cause: string
  reconciled: { environment: string; repaired: string[]; open: string[] }[]
}

export async function createInstallation(isSynchronous: boolean): Promise<FailoverInstallation> {
  const pair = await PatroniPair.start({ isSynchronous })
  const smtp = await startSmtp()
  const fake = await startFakeStripe()
  // Production accepts only such a key.
  fake.moreKeys.push(LIVE_KEY)
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
  const env = {
    ...{ GATEHOUSE_DATA: folder, GATEHOUSE_DATABASE_URL: pair.url },
    ...{ GATEHOUSE_SMTP_URL: smtp.url, GATEHOUSE_MAIL_PER_SECOND: '10000' },
    ...sandboxSettings(fake),
    GATEHOUSE_STRIPE_SECRET_KEY: LIVE_KEY,
    GATEHOUSE_STRIPE_WEBHOOK_SECRET: fake.webhookSecret,
  }
  const cli = spawnedCli(env)
  return {
    ...{ pair, fake, smtp, env },
    async resume() {
      // The primary may have been killed while the service was comparing with the provider, as it does once a day.
      const end = performance.now() + MAX_RESUME_MS
      for (;;) {
        const { code, stdout, stderr } = await cli.run('resume', '--yes', '--json')
        if (code === 0) return JSON.parse(stdout) as ResumeReport
        if (performance.now() > end || !stderr.includes('try again')) throw new Error(stderr)
        await sleep(5_000)
      }
    },
    async requireHealthy() {
      const { stdout } = await cli.run('doctor', '--deep', '--json')
      const { checks } = JSON.parse(stdout) as Checkup
      expect(checks.filter(({ status }) => status === 'failed')).toEqual([])
    },
    async remove() {
      await smtp.stop()
      await fake.stop()
      await pair.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
