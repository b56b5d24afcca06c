import { afterAll, expect } from 'vitest'
import { type Cli, inProcessCli } from '../cli.ts'
import type { TestDatabase } from '../databases.ts'
import { useFixture } from '../fixtures.ts'
import { useService, useShop } from '../use-service.ts'
import { type CardName, MONTHLY } from './shop.ts'

interface Payment {
  id: string
  status: string
  refunds: { amount: number; status: string }[]
}

/** Runs a service with a shop in its sandbox, and the commands for it. */
export function useShopCommands(database: TestDatabase) {
  const service = useService(database, { useRealTime: true })
  const shop = useShop(service, 'article', 'pass', 'été/1')
  const cli = useFixture<Cli>(async () =>
    inProcessCli({
      ...service.installation.env,
      GATEHOUSE_BASE_URL: 'https://access.example.com',
    }),
  )
  afterAll(async () => {
    expect(cli.printed).not.toContain(shop.privateKey)
    await service.ctx.environments.sandbox.refreshClock()
  })

  const aid = () => ['--aid', shop.aid]
  const named = (userRef: string, rid = 'pass') => [
    ...[...aid(), '--rid', rid, '--user-ref', userRef],
  ]
  const subscribe = (userRef: string, card: CardName = 'good') =>
    shop.buy({ rid: 'pass', userRef, terms: MONTHLY, card })
  const hasAccess = (user_ref: string, rid = 'pass') => shop.client.hasAccess({ rid, user_ref })
  const paymentOf = async (userRef: string, rid = 'article') => {
    const [payment] = await cli.json<Payment[]>('payment', 'list', ...named(userRef, rid))
    return payment as Payment
  }
  return { service, shop, cli, aid, named, subscribe, hasAccess, paymentOf }
}
