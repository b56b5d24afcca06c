import { type LinkInput, openLink, planLink } from '../../domain/downloads/links.ts'
import type { TestDatabase } from '../databases.ts'
import { useFreshApplication, useService } from '../use-service.ts'
import { testActor } from './downloads.ts'

export const NOT_FOUND = { code: 'download_not_found', status: 404 }
export const ENDED = { code: 'access_ended', status: 403 }

/** Runs a service, and plans links of a new application in each test. */
export function usePlannedLinks(database: TestDatabase) {
  const service = useService(database)
  const app = useFreshApplication(service, { resources: ['guide', 'maps'] })

  const db = () => app.environment.database
  const now = () => service.clock.seconds
  const key = (rid = 'guide') => ({ aid: app.aid, rid })
  const doing = () => testActor(app.environment)
  const plan = (input: Partial<LinkInput> = {}, maxLinkLifetime?: number) =>
    planLink(db().read, { ...key(), ...input }, maxLinkLifetime, now())
  const grant = (user_ref: string, more: { rid?: string; expiration?: number } = {}) =>
    app.client.grantAccess({
      ...{ rid: 'guide', email: `${user_ref}@example.com`, user_ref },
      ...more,
    })

  /** Returns the URL of a link, as readers get it. */
  async function addressFor(input: Partial<LinkInput> = {}): Promise<string> {
    return await app.environment.downloadLink(await plan({ lifetime: 3600, ...input }))
  }

  /** Returns what a reader with this URL would get. */
  async function open(address: string) {
    const token = address.slice(address.lastIndexOf('/') + 1)
    const check = await app.environment.readDownloadToken(token)
    if (!check.ok) throw new Error(`the link is ${check.reason}`)
    return await openLink(db().read, check.link, now())
  }
  return { service, app, db, now, key, doing, plan, grant, addressFor, open }
}
