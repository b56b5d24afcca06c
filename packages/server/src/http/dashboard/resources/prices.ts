import { Type } from 'typebox'
import { getApplication } from '../../../domain/apps/applications.ts'
import { currencyField } from '../../../domain/apps/currency-field.ts'
import { requireCurrency } from '../../../domain/payments/provider-problems.ts'
import { periodField } from '../../../domain/resources/periods.ts'
import {
  addPrice,
  archivePrice,
  listPrices,
  restorePrice,
} from '../../../domain/resources/prices.ts'
import { getResource } from '../../../domain/resources/resources.ts'
import { fail } from '../../../errors.ts'
import { readField, readOptionalField } from '../../../parameters.ts'
import { priceItem } from '../../../records/price.ts'
import { appRoute, EDITORS } from '../route.ts'
import { ridFromPath } from './rid.ts'
import type { PriceItem } from './schemas.ts'

const add = appRoute('POST /resources/:rid/prices', {
  management: 'POST /resources/:rid/prices',
  allowed: EDITORS,
  action: 'price.create',
  body: Type.Object({
    amount: Type.Integer({
      description: 'The price, in minor units of the currency, such as cents.',
    }),
    currency: Type.Optional(
      Type.String({
        maxLength: 3,
        description: "ISO 4217 code of the currency; the application's currency by default.",
      }),
    ),
    recurring: Type.Optional(
      Type.Boolean({
        description: 'Whether the price is charged every period until canceled; false by default.',
      }),
    ),
    period: Type.Optional(
      Type.Union([Type.String({ maxLength: 20 }), Type.Null()], {
        description:
          'The period that is paid for, such as `1 month`; null or omitted for lifetime access.',
      }),
    ),
    trial_days: Type.Optional(
      Type.Integer({
        description: 'Length of the free trial of a subscription in days; 0 by default.',
      }),
    ),
  }),
  async handle({ env, aid, params, body, actor, note }): Promise<PriceItem> {
    const rid = ridFromPath(params)
    const currency = body.currency ?? (await getApplication(env.database.read, aid)).currency
    const terms = {
      amount: body.amount,
      currency: readField('currency', currency, currencyField),
      recurring: body.recurring ? (1 as const) : (0 as const),
      period: readOptionalField('period', body.period ?? '', periodField) ?? null,
      trial_days: body.trial_days ?? 0,
    }
    requireCurrency(env.provider, terms.currency)
    note({ rid })
    const row = await env.database.write((trx) =>
      addPrice(trx, { aid, rid, ...terms }, env.clock(), actor),
    )
    return priceItem(row)
  },
})

/** The action `price.retire` has its name from earlier versions, whose entries are in audit logs. */
const VERBS = {
  archive: { action: 'price.retire', change: archivePrice },
  restore: { action: 'price.restore', change: restorePrice },
} as const

const archiving = (verb: keyof typeof VERBS) =>
  appRoute(`POST /resources/:rid/prices/:price/${verb}`, {
    management: `POST /resources/:rid/prices/:price/${verb}`,
    allowed: EDITORS,
    action: VERBS[verb].action,
    async handle({ env, aid, params, actor, note }): Promise<PriceItem> {
      const rid = ridFromPath(params)
      const id = params.price ?? ''
      note({ rid, price: id })
      return await env.database.write(async (trx) => {
        await getResource(trx, aid, rid)
        const prices = await listPrices(trx, aid, rid)
        if (!prices.some((price) => price.id === id)) throw fail('price_not_found')
        return priceItem(await VERBS[verb].change(trx, { aid, id }, env.clock(), actor))
      })
    },
  })

export const priceRoutes = [add, archiving('archive'), archiving('restore')]
