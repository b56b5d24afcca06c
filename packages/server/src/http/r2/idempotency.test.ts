import { EventEmitter, once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { deleteOldRequests } from '../../domain/idempotency/sweep.ts'
import type { PaymentProvider } from '../../domain/payments/provider.ts'
import { eraseUser } from '../../domain/people/erase.ts'
import { mergeUsers } from '../../domain/people/merge.ts'
import { databases } from '../../testing/databases.ts'
import { useRepeatedWrites } from '../../testing/http/repeated-writes.ts'
import { sendSigned } from '../../testing/http/requests.ts'
import { replaceProvider } from '../../testing/payments/replace-provider.ts'
import { MONTHLY } from '../../testing/payments/shop.ts'
import { DAY } from '../../testing/time.ts'

describe.each(databases)('Repeated writes on $name', (database) => {
  const writes = useRepeatedWrites(database)
  const { service, second, shop, db, requireTs, post, postPatiently, parsed, ask } = writes
  const { count, grant, uidOf } = writes

  describe('with a key', () => {
    it('answer a grant as the first time, at any process, and change nothing', async () => {
      const first = await post('/r2/access/grant', {
        ...grant('ann'),
        expires: 2_000_000_000,
        idempotency_key: 'k1',
      })
      await post('/r2/access/grant', grant('ann'))
      const again = { idempotency_key: 'k1', ts: service.clock.seconds, expires: 2_000_000_000 }
      const repeated = await post('/r2/access/grant', { ...again, ...grant('ann') }, 1)
      expect(first.headers['idempotent-replayed']).toBeUndefined()
      expect(repeated.headers['idempotent-replayed']).toBe('true')
      expect(repeated).toMatchObject({ status: 200, text: first.text })
      // The grant without an end, which came between, still counts.
      const now = await shop.client.getAccess({ rid: 'article', user_ref: 'ann' })
      expect(now.expires).toBeUndefined()
    })

    it('refuse another request under the same key, and do nothing', async () => {
      await ask('/r2/access/grant', { ...grant('bob'), idempotency_key: 'k2' })
      const other = await ask('/r2/access/grant', { ...grant('bea'), idempotency_key: 'k2' }, 1)
      expect(other).toMatchObject({ status: 402, code: 'idempotency_key_reused' })
      expect(await shop.client.hasAccess({ rid: 'article', user_ref: 'bea' })).toBe(false)
      // The key of one route is not that of another one.
      const revoked = { rid: 'article', user_ref: 'bob', idempotency_key: 'k2' }
      expect(await ask('/r2/access/revoke', revoked)).toMatchObject({
        status: 200,
        isReplayed: false,
      })
    })

    it('keep no failure: the same request can succeed later', async () => {
      const wanted = { ...grant('cid'), rid: 'new', idempotency_key: 'k3' }
      expect(await ask('/r2/access/grant', wanted)).toMatchObject({ status: 404 })
      await shop.addResource('new')
      const granted = await ask('/r2/access/grant', wanted)
      expect(granted).toMatchObject({ status: 200, isReplayed: false })
      const revoke = { rid: 'new', user_ref: 'nobody', idempotency_key: 'k4' }
      expect(await ask('/r2/access/revoke', revoke)).toMatchObject({ status: 404 })
      await ask('/r2/access/grant', { ...grant('nobody'), rid: 'new' })
      expect(await ask('/r2/access/revoke', revoke)).toMatchObject({ status: 200 })
      expect(await ask('/r2/access/revoke', revoke)).toMatchObject({
        status: 200,
        isReplayed: true,
      })
    })

    it('take effect once of 100 that arrive at two processes at once', async () => {
      await ask('/r2/access/grant', grant('dan'))
      const revoke = { rid: 'article', user_ref: 'dan', idempotency_key: 'k5' }
      for (const [path, parameters] of [
        ['/r2/access/revoke', revoke],
        ['/r2/access/grant', { ...grant('dan'), tags: 'a', idempotency_key: 'k5' }],
      ] as const) {
        const all = await Promise.all(
          Array.from({ length: 100 }, (_, i) => postPatiently(path, parameters, i)),
        )
        expect(new Set(all.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
        expect(all[0]?.status).toBe(200)
        const replayed = all.filter(({ headers }) => headers['idempotent-replayed'] === 'true')
        expect(replayed).toHaveLength(99)
      }
      expect(await count('revoked', 'dan')).toBe(1)
      expect(await count('granted', 'dan')).toBe(2)
    })

    it('cancel and resume a subscription once, each as often as it was asked for', async () => {
      await shop.buy({ rid: 'article', userRef: 'eve', terms: MONTHLY })
      const named = { rid: 'article', user_ref: 'eve' }
      const cancel = { ...named, idempotency_key: 'cancel' }
      const first = await ask('/r2/subscription/cancel', cancel)
      await ask('/r2/subscription/resume', { ...named, idempotency_key: 'resume' })
      const repeated = await ask('/r2/subscription/cancel', cancel, 1)
      expect(repeated).toMatchObject({ isReplayed: true, body: first.body })
      const { data } = await shop.client.searchSubscriptions({ user_ref: 'eve' })
      expect(data[0]?.cancel_at_period_end).toBe(false)
    })

    it('refund a part once, also without a reference, and even when the key is forgotten', async () => {
      const { payment_id: payment } = await shop.buy({ rid: 'article', userRef: 'fay' })
      const refund = { payment: payment as string, amount: '2.00' }
      expect(await ask('/r2/payment/refund', refund)).toMatchObject({
        status: 400,
        parameter: 'reference',
      })
      const keyed = { ...refund, idempotency_key: 'k6' }
      const first = await ask('/r2/payment/refund', keyed)
      expect(first.body).toMatchObject({ amount: 2, status: 'succeeded' })
      expect(await ask('/r2/payment/refund', keyed, 1)).toMatchObject({
        isReplayed: true,
        body: first.body,
      })
      await deleteOldRequests(db(), service.clock.now + 8 * DAY * 1000)
      expect(await ask('/r2/payment/refund', keyed)).toMatchObject({ body: first.body })
      const { data } = await shop.client.searchPayments({ user_ref: 'fay' })
      expect(data[0]?.refunds).toHaveLength(1)
    })

    it('are told to wait while the provider is asked, and get the final answer then', async () => {
      const { payment_id: payment } = await shop.buy({ rid: 'article', userRef: 'gus' })
      const refund = { payment: payment as string, amount: '1.00', idempotency_key: 'k7' }
      const [asked, answered] = [new EventEmitter(), new EventEmitter()]
      const [isAsked, isAnswered] = [once(asked, 'now'), once(answered, 'now')]
      const provider = shop.environment.provider as PaymentProvider
      replaceProvider(shop.environment, {
        ...provider,
        async refund(...input) {
          asked.emit('now')
          await isAnswered
          return await provider.refund(...input)
        },
      })
      const first = ask('/r2/payment/refund', refund)
      await isAsked
      const early = await post('/r2/payment/refund', refund, 1)
      expect(parsed(early)).toMatchObject({ status: 503, code: 'request_running' })
      expect(early.headers['retry-after']).toBe('1')
      // The process that asked seems to have stopped.
      second.clock.advance(60)
      const late = await ask('/r2/payment/refund', refund, 1)
      expect(late).toMatchObject({ status: 200, isReplayed: true, body: { status: 'pending' } })
      answered.emit('now')
      expect((await first).body.status).toBe('succeeded')
      replaceProvider(shop.environment, provider)
      second.clock.advance(-60)
      const last = await ask('/r2/payment/refund', refund, 1)
      expect(last).toMatchObject({ isReplayed: true, body: { status: 'succeeded' } })
    })

    it('move the clock once, and an interrupted move on to the same time', async () => {
      const step = { seconds: 100, idempotency_key: 'k8' }
      const before = shop.environment.clock()
      const first = await ask('/r2/clock/advance', step)
      expect(await ask('/r2/clock/advance', step, 1)).toMatchObject({
        isReplayed: true,
        body: first.body,
      })
      expect(first.body.time).toBe(before + 100)
      await db().write((trx) =>
        trx
          .updateTable('handled_requests')
          .set({ lease_until: 0, body: JSON.stringify({ time: before + 150 }) })
          .where('aid', '=', shop.aid)
          .where('body', '=', JSON.stringify(first.body))
          .execute(),
      )
      expect((await ask('/r2/clock/advance', step)).body.time).toBe(before + 150)
    })

    it('are forgotten after seven days, not before', async () => {
      const wanted = { ...grant('hal'), idempotency_key: 'k9' }
      await ask('/r2/access/grant', wanted)
      await deleteOldRequests(db(), service.clock.now + 7 * DAY * 1000 - 1)
      expect(await ask('/r2/access/grant', wanted)).toMatchObject({ isReplayed: true })
      await deleteOldRequests(db(), service.clock.now + 7 * DAY * 1000)
      expect(await ask('/r2/access/grant', wanted)).toMatchObject({ isReplayed: false })
    })

    it('tell nothing about a reader who was erased, also after a merge, and bring nobody back', async () => {
      const wanted = { ...grant('ida'), idempotency_key: 'k10' }
      await ask('/r2/access/grant', wanted)
      await ask('/r2/access/grant', grant('ivy'))
      const [from, into] = [await uidOf('ida'), await uidOf('ivy')]
      const clocks = { now: shop.environment.clock(), realTime: service.clock.now }
      const who = { aid: shop.aid, actor: 'test' }
      await db().write((trx) => mergeUsers(trx, { ...who, from, into }, clocks.now))
      expect(await ask('/r2/access/grant', wanted)).toMatchObject({ isReplayed: true })
      await db().write((trx) => eraseUser(trx, { ...who, uid: into }, clocks))
      const rows = await db().read.selectFrom('handled_requests').selectAll().execute()
      expect(JSON.stringify(rows)).not.toContain('ida')
      expect(await ask('/r2/access/grant', wanted)).toMatchObject({
        status: 402,
        code: 'answer_erased',
      })
      expect(await shop.client.hasAccess({ rid: 'article', user_ref: 'ida' })).toBe(false)
    })

    it('name what is wrong with the key', async () => {
      const long = { ...grant('jon'), idempotency_key: 'k'.repeat(256) }
      expect(await ask('/r2/access/grant', long)).toMatchObject({
        status: 400,
        parameter: 'idempotency_key',
      })
      const longest = { ...grant('jon'), idempotency_key: 'é'.repeat(255) }
      expect(await ask('/r2/access/grant', longest)).toMatchObject({ status: 200 })
    })
  })

  describe('with a time', () => {
    const at = (seconds: number) => ({ ts: service.clock.seconds + seconds })
    it('are accepted within 300 s of real time, whatever the time of the sandbox is', async () => {
      for (const seconds of [-300, 0, 300]) {
        const answer = await ask('/r2/access/grant', { ...grant('kim'), ...at(seconds) })
        expect(answer).toMatchObject({ status: 200 })
      }
      for (const seconds of [-301, 301]) {
        const answer = await post('/r2/access/grant', { ...grant('kim'), ...at(seconds) })
        const refused = { status: 402, code: 'ts_out_of_range', parameter: 'ts' }
        expect(parsed(answer)).toMatchObject(refused)
        expect(answer.headers['gatehouse-time']).toBe(String(service.clock.seconds))
      }
      // Reads ignore it.
      const read = { rid: 'article', user_ref: 'kim', ts: 1 }
      const answer = await sendSigned(shop, 'GET', '/r2/access', read)
      expect(answer.status).toBe(200)
    })

    it('take effect once if the application requires it, at any process', async () => {
      await requireTs(1)
      for (const { ctx } of [service, second]) await ctx.environments.sandbox.keyring.refresh()
      expect(await ask('/r2/access/grant', grant('leo'))).toMatchObject({
        status: 400,
        parameter: 'ts',
      })
      const captured = { ...grant('leo'), ...at(0) }
      expect(await ask('/r2/access/grant', captured)).toMatchObject({ status: 200 })
      await ask('/r2/access/revoke', { rid: 'article', user_ref: 'leo', ...at(0) })
      for (const process of [0, 1]) {
        expect(await ask('/r2/access/grant', captured, process)).toMatchObject({
          status: 402,
          code: 'request_replayed',
        })
      }
      expect(await shop.client.hasAccess({ rid: 'article', user_ref: 'leo' })).toBe(false)
      // A check of many resources is a POST that changes nothing.
      const question = { user_ref: 'leo', rids: 'article' }
      expect(await ask('/r2/access/check', question)).toMatchObject({ status: 200 })
    })

    it('get the stored answer if they also have a key, until they are too old', async () => {
      await requireTs(1)
      for (const { ctx } of [service, second]) await ctx.environments.sandbox.keyring.refresh()
      const captured = { ...grant('mia'), ...at(-299), idempotency_key: 'k11' }
      const first = await ask('/r2/access/grant', captured)
      expect(await ask('/r2/access/grant', captured, 1)).toMatchObject({
        isReplayed: true,
        body: first.body,
      })
      for (const { clock } of [service, second]) clock.advance(2)
      expect(await ask('/r2/access/grant', captured)).toMatchObject({ code: 'ts_out_of_range' })
      expect(await ask('/r2/access/grant', { ...captured, ...at(0) })).toMatchObject({
        isReplayed: true,
        body: first.body,
      })
    })

    it('can be sent again if they were refused', async () => {
      await requireTs(1)
      for (const { ctx } of [service, second]) await ctx.environments.sandbox.keyring.refresh()
      const wanted = { ...grant('ned'), rid: 'later', ...at(0) }
      expect(await ask('/r2/access/grant', wanted)).toMatchObject({ status: 404 })
      await shop.addResource('later')
      expect(await ask('/r2/access/grant', wanted)).toMatchObject({ status: 200 })
    })
  })
})
