import { expect } from 'vitest'
import type { CopyItem } from '../../domain/copy/compare.ts'
import type { Direction } from '../../domain/copy/context.ts'
import { type CopySelection, copyItems, EVERYTHING, previewCopy } from '../../domain/copy/copy.ts'
import type { CopyItemResult } from '../../domain/copy/outcome.ts'
import { getDirection, pairApplications } from '../../domain/copy/pairs.ts'
import { findDamagedFiles } from '../../domain/downloads/damage.ts'
import { listDownloadsOf } from '../../domain/downloads/downloads.ts'
import { type ImageOwner, setImage } from '../../domain/images/attach.ts'
import { storeConverted } from '../../domain/images/images.ts'
import { createPrice, listOffers, type Terms } from '../../domain/resources/prices.ts'
import type { TestDatabase } from '../databases.ts'
import { testActor } from '../downloads/downloads.ts'
import { useFreshFixture } from '../fixtures.ts'
import type { TestApplication } from '../service.ts'
import { useFreshApplication, useService } from '../use-service.ts'

export const ONCE: Terms = {
  ...{ amount: 999, currency: 'EUR', recurring: 0, period: null, trial_days: 0 },
}
export const MONTHLY: Terms = { ...ONCE, recurring: 1, period: '1 month' }

export const copiedAppOf = ({ environment, aid }: TestApplication) => ({ env: environment, aid })

export async function run(
  direction: Direction,
  selection: CopySelection = EVERYTHING,
  version?: string,
): Promise<CopyItemResult[]> {
  const results: CopyItemResult[] = []
  const copy = await copyItems(direction, selection, { actor: 'test', version })
  for await (const result of copy.results) results.push(result)
  expect(results).toHaveLength(copy.total)
  return results
}

export const outcomes = (results: readonly CopyItemResult[]) =>
  results.map(({ item, outcome, problem }) => `${item.rid || item.kind} ${problem ?? outcome}`)
/** Runs a service; each test has an application in the sandbox, and one in production that it is copied to. */
export function useCopy(database: TestDatabase) {
  const service = useService(database)
  const draft = useFreshApplication(service, { environment: 'sandbox', resources: ['issue'] })
  const live = useFreshApplication(service)
  const toLive = useFreshFixture<Direction>(async () => {
    await pairApplications(service.ctx, copiedAppOf(draft), live.aid, 1)
    return await getDirection(service.ctx, copiedAppOf(draft))
  })

  const doing = ({ environment }: TestApplication) => testActor(environment)
  const addPrice = (app: TestApplication, terms: Terms, rid = 'issue') =>
    app.environment.database.write((trx) =>
      createPrice(trx, { aid: app.aid, rid, ...terms }, app.environment.clock(), 'test'),
    )
  const offers = async (app: TestApplication) =>
    (await listOffers(app.environment.database.read, app.aid, 'issue')).map(
      ({ amount, period }) => `${amount} ${period}`,
    )
  const files = (app: TestApplication, rid = 'issue') =>
    listDownloadsOf(app.environment.database.read, { aid: app.aid, rid })
  /** Shows an image in two sizes, without converting a real one. */
  const show = async (app: TestApplication, owner: ImageOwner, color: string) => {
    const sizes = [10, 20].map((width) => {
      return { width, height: 5, bytes: Buffer.from(`${color} ${width}`) }
    })
    const image = { type: 'image/png' as const, sizes }
    return await storeConverted(app.environment, app.aid, image, async (stored) => {
      await app.environment.database.write((trx) => setImage(trx, owner, stored, doing(app)))
      return stored.id
    })
  }
  const itemOf = async (rid = 'issue') =>
    (await previewCopy(toLive)).items.find((item) => item.rid === rid) as CopyItem
  const damaged = async ({ environment, aid }: TestApplication, stores = environment.stores) =>
    (await findDamagedFiles(environment.database.read, stores, () => {})).filter(
      (file) => file.aid === aid,
    )
  return {
    ...{ service, draft, live, toLive },
    ...{ doing, addPrice, offers, files, show, itemOf, damaged },
  }
}
