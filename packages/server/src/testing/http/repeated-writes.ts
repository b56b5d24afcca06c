import { beforeEach } from 'vitest'
import { changeSettings } from '../../domain/apps/applications.ts'
import type { TestDatabase } from '../databases.ts'
import { useService, useShop } from '../use-service.ts'
import { sendSigned, type TestResponse } from './requests.ts'

export type Parameters = Record<string, string | number | boolean>

/** Runs two services on one database, because a retry may reach another process, and sends them writes. */
export function useRepeatedWrites(database: TestDatabase) {
  const service = useService(database)
  const second = useService(database, () => ({ installation: service.installation }))
  const shop = useShop(service, 'article')
  const urls = () => [service.url, second.url].map((url) => `${url}/sandbox`)
  const db = () => shop.environment.database
  const requireTs = (value: 0 | 1) =>
    db().write((trx) => changeSettings(trx, shop.aid, { require_ts: value }, 0, 'test'))

  beforeEach(async () => {
    await requireTs(0)
    for (const { ctx } of [service, second]) await ctx.environments.sandbox.keyring.refresh()
  })

  const post = (path: string, parameters: Parameters, at = 0): Promise<TestResponse> =>
    sendSigned({ ...shop, baseUrl: urls()[at % 2] as string }, 'POST', path, parameters)
  /** Sends a request again while the service has no time for it, as any client would. */
  async function postPatiently(path: string, parameters: Parameters, at: number) {
    for (;;) {
      const response = await post(path, parameters, at)
      if (response.status !== 503) return response
    }
  }
  const parsed = ({ status, text, headers }: TestResponse) => {
    const body = JSON.parse(text)
    const isReplayed = headers['idempotent-replayed'] === 'true'
    return { status, isReplayed, body, code: body.error?.code, parameter: body.error?.parameter }
  }
  const ask = async (path: string, parameters: Parameters, at = 0) =>
    parsed(await post(path, parameters, at))
  const count = async (action: string, reader: string) => {
    const uid = await db()
      .read.selectFrom('user_refs')
      .select('uid')
      .where((eb) => eb.and({ aid: shop.aid, ref: reader }))
      .executeTakeFirst()
    const rows = db().read.selectFrom('history').select('seq').where('aid', '=', shop.aid)
    const ofReader = rows.where('uid', '=', uid?.uid ?? '').where('action', '=', action)
    return (await ofReader.execute()).length
  }
  const grant = (reader: string) => ({
    rid: 'article',
    email: `${reader}@example.com`,
    user_ref: reader,
    suppress_email: true,
  })
  const uidOf = async (reader: string) =>
    (await shop.client.getAccess({ rid: 'article', user_ref: reader })).uid
  return {
    service,
    second,
    shop,
    db,
    requireTs,
    post,
    postPatiently,
    parsed,
    ask,
    count,
    grant,
    uidOf,
  }
}
