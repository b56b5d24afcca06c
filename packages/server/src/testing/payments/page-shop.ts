import type { PurchaseLink } from '@gatehouse/sdk'
import { type ApplicationSettings, changeSettings } from '../../domain/apps/applications.ts'
import { createPrice, type Terms } from '../../domain/resources/prices.ts'
import type { TestService } from '../service.ts'
import { type Fields, redirectTarget, submitForm } from './page-client.ts'
import { openShop, type Shop } from './shop.ts'

const ONCE: Terms = { amount: 290, currency: 'EUR', recurring: 0, period: null, trial_days: 0 }

/** A shop that is used through its pages, like a buyer does. */
export interface PageShop extends Shop {
  /** Adds a price to a resource; returns the price's id. */
  addPrice(rid: string, terms?: Partial<Terms>): Promise<string>
  changeSettings(settings: Partial<ApplicationSettings>): Promise<void>
  /** A purchase link that is valid for an hour of real time. */
  link(input: PurchaseLink): Promise<string>
  pageOf(rid: string): string
}

export async function openPageShop(service: TestService): Promise<PageShop> {
  const shop = await openShop(service)
  const { aid, baseUrl } = shop
  const { database, clock, realTime } = shop.environment
  return {
    ...shop,
    addPrice: async (rid, terms) =>
      (
        await database.write((trx) =>
          createPrice(trx, { aid, rid, ...ONCE, ...terms }, clock(), 'test'),
        )
      ).id,
    async changeSettings(settings) {
      await database.write((trx) => changeSettings(trx, aid, settings, clock(), 'test'))
    },
    link: (input) =>
      shop.client.purchaseLink({ expires: Math.floor(realTime() / 1000) + 3_600, ...input }),
    pageOf: (rid) => `${baseUrl}/checkout/${aid}/${encodeURIComponent(rid)}`,
  }
}

export const GOOD_CARD = '4242 4242 4242 4242'

/** Submits the form at this address; returns the address of the provider's page. */
export async function goToPayment(page: string, fields: Fields): Promise<string> {
  return redirectTarget(await submitForm(page, fields), page)
}

/** Pays on the provider's page; returns the address to which the payer is redirected. */
export async function payOnPage(page: string, number = GOOD_CARD): Promise<string> {
  return redirectTarget(await submitForm(page, { number, expiry: '12/40', cvc: '123' }), page)
}
