import { createPrice, type Terms } from '../../domain/resources/prices.ts'
import { createResource } from '../../domain/resources/resources.ts'
import { addEndpoint } from '../webhooks/sending.ts'
import { EventConsumer } from './event-consumer.ts'
import { FOREVER } from './holdings.ts'
import { ReferenceModel } from './reference.ts'
import { ShownNames } from './shown-names.ts'
import type { TestSystem } from './systems/test-system.ts'

export const DAY = 86_400
export const RESOURCES = ['r1', 'r2', 'r3'] as const

export interface Price extends Terms {
  rid: string
  /** For how long one payment grants access. */
  seconds: number
}

const price = (
  rid: string,
  amount: number,
  days: number | null,
  more: Partial<Terms> = {},
): Price => ({
  rid,
  amount,
  currency: 'EUR',
  recurring: 0,
  period: days === null ? null : `${days} days`,
  trial_days: 0,
  ...more,
  seconds: days === null ? FOREVER : days * DAY,
})

/** The prices of each application. */
export const PRICES: Readonly<Record<string, Price>> = {
  month: price('r1', 499, 30),
  every_month: price('r1', 599, 30, { recurring: 1 }),
  abo: price('r2', 700, 30, { recurring: 1 }),
  trial: price('r2', 800, 30, { recurring: 1, trial_days: 7 }),
  once: price('r3', 999, null),
  week: price('r3', 250, 7),
}

/** A site that gets webhooks. */
interface Mirror {
  /** The path of its endpoint at the receiver. */
  path: string
  consumer: EventConsumer
  /** How many of the webhooks at the receiver it has handled. */
  taken: number
}

/** An application, and what the model knows about it. */
export interface Shop {
  name: string
  aid: string
  privateKey: string
  reference: ReferenceModel
  /** Its site, which knows its readers by events alone. */
  consumer: EventConsumer
  /** Another site of it, which gets its events by webhooks. */
  mirror: Mirror
  /** The ids of its prices, by label. */
  prices: Record<string, string>
  /** Every name that was ever used for anybody. */
  names: Set<string>
  shown: ShownNames
  isArchived: boolean
}

/** Creates an application with all resources and prices that histories use. */
export async function openShop(system: TestSystem, name: string): Promise<Shop> {
  const { env, now, service, receiver } = system
  const app = await service.newApplication()
  const { aid, privateKey } = app
  const path = `/mirror/${aid}`
  const types = JSON.stringify(['user.*', 'service.*'])
  await addEndpoint(service, app, receiver.url + path, { types })
  const prices: Record<string, string> = {}
  await env.database.write(async (trx) => {
    for (const rid of RESOURCES) {
      await createResource(trx, { aid, rid, name: `Resource ${rid}`, url: '' }, now, 'test')
    }
    for (const [label, { seconds: _, ...terms }] of Object.entries(PRICES)) {
      prices[label] = (await createPrice(trx, { aid, ...terms }, now, 'test')).id
    }
  })
  const reference = new ReferenceModel()
  const consumer = new EventConsumer()
  const mirror: Mirror = { path, consumer: new EventConsumer('webhooks'), taken: 0 }
  const known = {
    ...{ reference, consumer, mirror, prices },
    ...{ names: new Set<string>(), shown: new ShownNames() },
  }
  return { name, aid, privateKey, ...known, isArchived: false }
}
