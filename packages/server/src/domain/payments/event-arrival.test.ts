import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { useFreshFixture } from '../../testing/fixtures.ts'
import { actionsOf, openBooks, stopBooks } from '../../testing/stripe/books.ts'
import { openStripePage, payWithoutWebhook } from '../../testing/stripe/stripe-shop.ts'
import { DAY, HOUR } from '../../testing/time.ts'
import { refreshCheckout } from './checkout/poll-checkouts.ts'
import { doEventsArrive, readEventArrival } from './event-arrival.ts'

const MINUTE = 60

describe.each(databases)('the arrival of events on $name', (database) => {
  const books = useFreshFixture(() => openBooks(database), stopBooks)
  const { env, buy, deliver } = actionsOf(() => books)
  const arrival = () => readEventArrival(env().database.read)
  const doArrive = () => doEventsArrive(env().database.read, env())
  const advance = (seconds: number) => books.service.clock.advance(seconds)
  const now = () => books.service.clock.now

  it('is not relied on before the first one, and is for as long as nothing happens', async () => {
    expect(await doArrive()).toBe(false)
    await buy('ann')
    expect(await doArrive()).toBe(false)
    await deliver()
    expect(await arrival()).toEqual({ last: now(), missingSince: undefined })
    advance(60 * DAY)
    expect(await doArrive()).toBe(true)
  })

  it('is doubted when the event of a sale is missing, until one comes', async () => {
    await buy('ann')
    await deliver()
    advance(HOUR)
    await buy('bob')
    const missingSince = now()
    expect(await arrival()).toMatchObject({ missingSince })
    advance(10 * MINUTE - 1)
    expect(await doArrive()).toBe(true)
    advance(1)
    expect(await doArrive()).toBe(false)
    await buy('cid')
    expect(await arrival()).toMatchObject({ missingSince })
    await deliver()
    expect(await arrival()).toEqual({ last: now(), missingSince: undefined })
    expect(await doArrive()).toBe(true)
  })

  it('is not doubted if the event was faster than the reader', async () => {
    const paid = await payWithoutWebhook(env(), books.app.aid, books.fake, {
      ...{ rid: 'article', userRef: 'ann' },
    })
    await deliver()
    advance(5)
    await refreshCheckout(env(), paid)
    await buy('bob')
    expect(await arrival()).toMatchObject({ missingSince: undefined })
  })

  it('is not doubted because somebody looks again at what was settled before', async () => {
    const visitor = { rid: 'article', userRef: 'ann' }
    const { checkout, session } = await openStripePage(env(), books.app.aid, visitor)
    books.fake.expire(session)
    await deliver()
    advance(HOUR)
    expect(await refreshCheckout(env(), checkout)).toMatchObject({ status: 'expired' })
    expect(await arrival()).toMatchObject({ missingSince: undefined })
  })

  it('is written once a minute at most, and only for events that are signed', async () => {
    await buy('ann')
    const forged = books.fake.signEvent({ object: 'event' }, now(), 'whsec_other')
    const url = `${books.service.url}/sandbox/events/stripe`
    expect((await fetch(url, { method: 'POST', ...forged })).status).toBe(400)
    expect(await arrival()).toMatchObject({ last: undefined })
    await deliver()
    const first = now()
    advance(MINUTE - 1)
    books.fake.ledger.markOdd('pi_other', 'of another system')
    books.fake.ledger.emitEvent('payment_intent.created', { id: 'pi_other', metadata: {} })
    await deliver()
    expect(await arrival()).toMatchObject({ last: first })
    advance(1)
    books.fake.ledger.emitEvent('payment_intent.created', { id: 'pi_other', metadata: {} })
    await deliver()
    expect(await arrival()).toMatchObject({ last: now() })
  })
})
