import type { ParameterValue } from '@gatehouse/sdk/signing'
import type { Shop } from './shop.ts'
import type { HttpResponse } from './systems/http-client.ts'

/** A write with an idempotency key that took effect. */
interface KeyedWrite {
  shop: Shop
  path: string
  parameters: Parameters
  /** The text of the response. */
  answer: string
}

type Parameters = Readonly<Record<string, ParameterValue>>

/** The writes that are sent with a key. Those that order refunds are not: if a server is killed meanwhile, their key
 * would have to wait for a lease. */
const KEYED = ['/r2/access/grant', '/r2/subscription/cancel', '/r2/subscription/resume']

/** The writes of a history that can be repeated under their keys. */
export class KeyedWrites {
  readonly all: KeyedWrite[] = []
  #count = 0

  /** Adds a key to the parameters of a write that has none. */
  addKey(path: string, parameters: Parameters): Parameters {
    const isKeyed =
      KEYED.includes(path) || (path === '/r2/access/revoke' && parameters.refund !== true)
    return isKeyed ? { idempotency_key: `key ${++this.#count}`, ...parameters } : parameters
  }

  /** Remembers a write that took effect. */
  add(shop: Shop, path: string, parameters: Parameters, { status, headers, text }: HttpResponse) {
    const isNew = status === 200 && headers['idempotent-replayed'] !== 'true'
    if (!isNew || parameters.idempotency_key === undefined) return
    this.all.push({ shop, path, parameters, answer: text })
  }
}
