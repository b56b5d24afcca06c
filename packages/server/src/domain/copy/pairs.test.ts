import { describe, expect, it } from 'vitest'
import { findControlViolations } from '../../db/invariants/invariants.ts'
import { databases } from '../../testing/databases.ts'
import type { TestApplication } from '../../testing/service.ts'
import { useFreshApplication, useService } from '../../testing/use-service.ts'
import { archiveApplication, reserveAid } from '../apps/applications.ts'
import {
  endPairing,
  findBrokenPairs,
  findCounterpart,
  getDirection,
  listCandidates,
  pairApplications,
} from './pairs.ts'

const copiedAppOf = ({ environment, aid }: TestApplication) => ({ env: environment, aid })

describe.each(databases)('pairs of applications on $name', (database) => {
  const service = useService(database)
  const draft = useFreshApplication(service, { environment: 'sandbox' })
  const live = useFreshApplication(service)
  const other = useFreshApplication(service)

  const pair = (one: TestApplication, with_: string) =>
    pairApplications(service.ctx, copiedAppOf(one), with_, 1)
  const counterpart = async (app: TestApplication) =>
    (await findCounterpart(service.ctx, copiedAppOf(app)))?.aid
  const archive = ({ environment, aid }: TestApplication) =>
    environment.database.write((trx) => archiveApplication(trx, aid, environment.clock(), 'test'))

  it('lead from either application to the other, until they are ended from either', async () => {
    expect(await counterpart(draft)).toBeUndefined()
    await pair(draft, live.aid)
    await pair(live, draft.aid)
    expect([await counterpart(draft), await counterpart(live)]).toEqual([live.aid, draft.aid])
    const { from, to } = await getDirection(service.ctx, copiedAppOf(live))
    expect([from.env.name, to.env.name, to.aid]).toEqual(['production', 'sandbox', draft.aid])
    expect(await endPairing(service.ctx, copiedAppOf(live))).toBe(true)
    expect(await endPairing(service.ctx, copiedAppOf(draft))).toBe(false)
    expect(await counterpart(draft)).toBeUndefined()
    await expect(getDirection(service.ctx, copiedAppOf(draft))).rejects.toThrow('not paired')
  })

  it('have two applications, one of each environment, and no application is in two', async () => {
    await expect(pair(draft, draft.aid)).rejects.toMatchObject({ parameter: 'with' })
    await expect(pair(live, other.aid)).rejects.toMatchObject({ parameter: 'with' })
    await expect(pair(draft, 'nothing')).rejects.toMatchObject({ parameter: 'with' })
    const aids = async () =>
      (await listCandidates(service.ctx, { env: draft.environment })).map(({ aid }) => aid)
    expect(await aids()).toEqual(expect.arrayContaining([live.aid, other.aid]))
    const tries = await Promise.allSettled([pair(draft, live.aid), pair(draft, other.aid)])
    expect(tries.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(tries.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'already_paired' },
    })
    const taken = (await counterpart(draft)) as string
    const free = taken === live.aid ? other.aid : live.aid
    expect(await aids()).toContain(free)
    expect(await aids()).not.toContain(taken)
  })

  it('copy nothing to or from an archived application, and pair with none', async () => {
    await archive(other)
    await expect(pair(draft, other.aid)).rejects.toMatchObject({ parameter: 'with' })
    await pair(draft, live.aid)
    await archive(live)
    for (const app of [draft, live]) {
      const direction = getDirection(service.ctx, copiedAppOf(app))
      await expect(direction).rejects.toMatchObject({ code: 'pair_archived' })
    }
    await expect(pair(draft, other.aid)).rejects.toMatchObject({ parameter: 'with' })
    expect(await endPairing(service.ctx, copiedAppOf(draft))).toBe(true)
  })

  it('that lost an application are found, copy nothing, and are replaced by the next pairing', async () => {
    const gone = await reserveAid(service.ctx.control, 'production')
    const row = { production_aid: gone, sandbox_aid: draft.aid, created_at: 1 }
    await service.ctx.control.write((trx) =>
      trx.insertInto('application_pairs').values(row).execute(),
    )
    expect(await findBrokenPairs(service.ctx)).toEqual([
      { production: gone, sandbox: draft.aid, gone: [gone] },
    ])
    expect(await findCounterpart(service.ctx, copiedAppOf(draft))).toMatchObject({ app: undefined })
    await expect(getDirection(service.ctx, copiedAppOf(draft))).rejects.toMatchObject({
      code: 'pair_missing',
    })
    await pair(live, draft.aid)
    expect(await counterpart(draft)).toBe(live.aid)
    expect(await findBrokenPairs(service.ctx)).toEqual([])
  })

  it('that join the wrong environments break a rule', async () => {
    const { control } = service.ctx
    const row = { production_aid: draft.aid, sandbox_aid: live.aid, created_at: 1 }
    await control.write((trx) => trx.insertInto('application_pairs').values(row).execute())
    expect(await findControlViolations(control.read)).toMatchObject([
      { rule: 'a pair joins an application of production with one of the sandbox' },
    ])
    await control.write((trx) =>
      trx.deleteFrom('application_pairs').where('sandbox_aid', '=', live.aid).execute(),
    )
  })
})
