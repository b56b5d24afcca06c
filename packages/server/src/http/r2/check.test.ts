import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { CODE_MEANINGS } from '../../domain/decision/codes.ts'
import { createPrice } from '../../domain/resources/prices.ts'
import { entryPointDatabases } from '../../testing/databases.ts'
import { send, sendSigned } from '../../testing/http/requests.ts'
import { MONTHLY } from '../../testing/payments/shop.ts'
import { DAY } from '../../testing/time.ts'
import { useService, useShop } from '../../testing/use-service.ts'

it('is documented with every code and its meaning', () => {
  const page = new URL('../../../../../docs/paywall/explained-check.md', import.meta.url)
  const rows = [...readFileSync(page, 'utf8').matchAll(/^\| `(\w+)` \| (.*\.) \|$/gm)]
  expect(Object.fromEntries(rows.map(([, code, meaning]) => [code, meaning]))).toEqual(
    CODE_MEANINGS,
  )
})

describe.each(entryPointDatabases)('the explained check on $name', (database) => {
  const service = useService(database)
  const shop = useShop(service, 'news', 'extra')

  const now = () => shop.environment.clock()
  const ask = async (path: string, parameters: Record<string, string | number>) => {
    const { status, text } = await sendSigned(shop, 'GET', `/r2/access/${path}`, parameters)
    return { status, ...JSON.parse(text) }
  }
  const check = (user_ref: string, rids: string, more = {}) =>
    ask('check', { user_ref, rids, ...more })

  it('answers a yes and a no with all that a site needs', async () => {
    const { database: db } = shop.environment
    const terms = { amount: 999, currency: 'EUR', recurring: 1, period: '1 month' } as const
    const price = await db.write((trx) =>
      createPrice(trx, { aid: shop.aid, rid: 'extra', ...terms, trial_days: 14 }, now(), 'test'),
    )
    const from = now()
    await shop.buy({ rid: 'news', userRef: 'ann', terms: MONTHLY })
    const [subscription] = (await shop.client.searchSubscriptions({ user_ref: 'ann' })).data
    const until = subscription?.current_period_end
    expect(await check('ann', 'news extra')).toEqual({
      status: 200,
      now: now(),
      user_ref: 'ann',
      checks: [
        {
          rid: 'news',
          granted: true,
          code: 'subscribed',
          sources: [{ kind: 'subscription', id: subscription?.id, from, until }],
          until,
          next_change: until,
          access_id: subscription?.access_id,
          offers: [],
        },
        {
          rid: 'extra',
          granted: false,
          code: 'never_granted',
          sources: [],
          offers: [
            {
              ...{ price: price.id, rid: 'extra', amount: 9.99, currency: 'EUR' },
              ...{ recurring: true, trial_days: 14, period: '1 month' },
            },
          ],
        },
      ],
    })
  })

  it('tells since when, and takes ids of sources for a preview that changes nothing', async () => {
    const { id } = await shop.client.grantAccess({
      ...{ rid: 'news', email: 'bob@example.com', user_ref: 'bob', expiration: now() + DAY },
    })
    await shop.buy({ rid: 'news', userRef: 'bob' })
    const { checks } = await check('bob', 'news')
    const [purchase, grant] = checks[0].sources
    expect([purchase.kind, grant]).toEqual([
      'purchase',
      { kind: 'grant', id, from: expect.any(Number), until: now() + DAY },
    ])
    const previewed = await check('bob', 'news', { if: `refund:${purchase.id}` })
    expect(previewed.checks[0]).toMatchObject({ granted: true, code: 'granted' })
    const revoked = await check('bob', 'news', { if: `revoke:${grant.id}` })
    expect(revoked.checks[0]).toEqual({
      ...{ rid: 'news', granted: false, code: 'revoked', since: now() },
      ...{ sources: [], offers: [] },
    })
    expect((await check('bob', 'news')).checks).toEqual(checks)
    for (const [action, code] of [
      ['revoke', 'access_not_found'],
      ['refund', 'payment_not_found'],
      ['cancel', 'subscription_not_found'],
    ]) {
      const refused = await check('bob', 'news', { if: `${action}:unknown` })
      expect([refused.status, refused.error.code]).toEqual([404, code])
    }
  })

  it.each([
    ['a  b', 'number 2 must not be empty'],
    ['a b\u00a0c', 'number 2 (b\u00a0c) must not contain white space'],
    [`a b ${'x'.repeat(256)}`, `number 3 (${'x'.repeat(40)}) must have at most 255 characters`],
    [Array(101).fill('a').join(' '), 'must be at most 100; POST takes 1000'],
  ])('says what is wrong with a list: %j', async (rids, problem) => {
    const { status, error } = await check('ann', rids)
    expect([status, error.parameter, error.message]).toEqual([400, 'rids', `rids: ${problem}`])
  })

  it.each(['revoke', 'revoke:', 'grant:x', `refund:${'x'.repeat(65)}`])(
    'says what can be previewed, and not %s',
    async (action) => {
      const { status, error } = await check('ann', 'news', { if: action })
      expect([status, error.parameter]).toEqual([400, 'if'])
    },
  )

  it('takes 1,000 rids in a signed body, in their order, and none that is not signed', async () => {
    const rids = Array.from({ length: 1000 }, (_, i) => (i === 500 ? 'news' : `article/${i}`))
    const post = async (body: string, signed: string) => {
      const mac = createHmac('sha256', shop.privateKey).update(`POST /r2/access/check?${signed}`)
      const { origin, pathname } = new URL(shop.baseUrl)
      const { status, text } = await send(origin, `${pathname}/r2/access/check`, {
        method: 'POST',
        body,
        headers: {
          authorization: `${shop.aid}:${mac.digest('base64url')}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
      })
      return { status, ...JSON.parse(text) }
    }
    const body = `user_ref=bob&rids=${rids.join('+')}`
    const { status, checks } = await post(body, body)
    expect(status).toBe(200)
    expect(checks.map(({ rid }: { rid: string }) => rid)).toEqual(rids)
    const granted = checks.flatMap((one: { granted: boolean; rid: string }) =>
      one.granted ? one.rid : [],
    )
    expect(granted).toEqual(['news'])
    expect(await post(`${body}+more`, `${body}+more`)).toMatchObject({
      status: 400,
      error: { message: 'rids: must be at most 1000' },
    })
    expect((await post(body, 'user_ref=bob&rids=news')).status).toBe(401)
  })

  it('lists all that somebody may see, with a cursor that only this list takes', async () => {
    const list = (more: Record<string, string | number> = {}) =>
      ask('list', { user_ref: 'cid', ...more })
    expect(await list()).toEqual({
      status: 200,
      now: now(),
      user_ref: 'cid',
      data: [],
      more: false,
    })
    for (const rid of ['news', 'extra']) {
      await shop.client.grantAccess({ rid, email: 'cid@example.com', user_ref: 'cid' })
    }
    const first = await list({ pagesize: 1 })
    expect(first).toMatchObject({ data: [{ rid: 'extra', granted: true }], more: true })
    const second = await list({ pagesize: 1, cursor: first.cursor })
    expect(second).toMatchObject({ data: [{ rid: 'news', code: 'granted' }], more: false })
    expect(second).not.toHaveProperty('cursor')
    for (const cursor of ['news', 'YSBi', `${first.cursor}=`]) {
      const { status, error } = await list({ cursor })
      expect([status, error.message]).toEqual([400, 'cursor: not a cursor of this list'])
    }
  })
})
