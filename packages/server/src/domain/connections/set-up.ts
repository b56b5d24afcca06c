import type { ControlDatabase } from '../../db/database.ts'
import { getApplication } from '../apps/applications.ts'
import { hasSale } from '../payments/payments.ts'
import { hasPrice } from '../resources/prices.ts'
import { hasResource } from '../resources/resources.ts'
import { hasColleague } from '../staff/staff.ts'
import type { ConnectContext } from './payments.ts'
import { providerOf } from './view.ts'

/** The steps that a publisher takes before and after the first sale, in the recommended order. */
export const SET_UP_ITEMS = [
  'payments',
  'mail',
  'seller',
  'logo',
  'price',
  'sale',
  'colleague',
] as const
export type SetUpItem = (typeof SET_UP_ITEMS)[number]

export interface SetUpView {
  items: { item: SetUpItem; is_done: boolean }[]
  is_complete: boolean
  /** Whether there is a resource that only lacks a price. */
  has_resource: boolean
}

/** Checks each item by the stored data, so that nobody has to tick anything off. */
export async function findSetUp(
  { database, connections }: ConnectContext,
  control: ControlDatabase,
  aid: string,
): Promise<SetUpView> {
  const { read } = database
  const app = await getApplication(read, aid)
  const done: Record<SetUpItem, boolean> = {
    payments: providerOf(connections) !== 'none',
    mail: connections.mailer !== undefined,
    // The name has a default: that of the application.
    seller: app.seller_address !== null,
    logo: app.logo_id !== null,
    price: await hasPrice(read, aid),
    sale: await hasSale(read, aid),
    colleague: await hasColleague(control.read),
  }
  const items = SET_UP_ITEMS.map((item) => ({ item, is_done: done[item] }))
  return {
    items,
    is_complete: items.every(({ is_done }) => is_done),
    has_resource: await hasResource(read, aid),
  }
}
