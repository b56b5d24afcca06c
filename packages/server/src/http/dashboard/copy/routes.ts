import type { Context } from '../../../context.ts'
import type * as domain from '../../../domain/copy/compare.ts'
import { otherEnvironment } from '../../../domain/copy/context.ts'
import { type CopyRun, copyItems, previewCopy } from '../../../domain/copy/copy.ts'
import { createCounterpart } from '../../../domain/copy/new-counterpart.ts'
import {
  endPairing,
  findCounterpart,
  getDirection,
  listCandidates,
  pairApplications,
} from '../../../domain/copy/pairs.ts'
import { formatTerms } from '../../../domain/resources/price-text.ts'
import { fail } from '../../../errors.ts'
import { sendReport } from '../report-stream.ts'
import { type AppRequest, appRoute, DEVELOPERS, type Route } from '../route.ts'
import {
  CopyBody,
  type CopyEvent,
  type CopyItem,
  type CopyView,
  PairBody,
  type PairView,
} from './schemas.ts'

type Call = Pick<AppRequest, 'ctx' | 'env' | 'aid'>

const appOf = ({ env, aid }: Call) => ({ env, aid })

async function viewPair(call: Call): Promise<PairView> {
  const { ctx } = call
  const environment = otherEnvironment(call.env.name)
  const found = await findCounterpart(ctx, appOf(call))
  if (found) {
    const { aid, app } = found
    const pair = { aid, name: app?.name ?? null, is_archived: (app?.archived ?? null) !== null }
    return { environment, pair, candidates: [] }
  }
  const candidates = await listCandidates(ctx, appOf(call))
  return {
    environment,
    pair: null,
    candidates: candidates.map(({ aid, name, currency }) => ({ aid, name, currency })),
  }
}

const showPair = appRoute('GET /pair', { allowed: DEVELOPERS, handle: viewPair })

const pair = appRoute('PUT /pair', {
  allowed: DEVELOPERS,
  action: 'application.pair',
  body: PairBody,
  async handle(call): Promise<PairView> {
    const { ctx, body, actor, note } = call
    await refreshClocks(ctx)
    if (body.with === undefined) {
      note({ with: await createCounterpart(ctx, appOf(call), actor), created: true })
    } else {
      await pairApplications(ctx, appOf(call), body.with, call.env.realTime())
      note({ with: body.with })
    }
    const view = await viewPair(call)
    note({ name: view.pair?.name ?? '' })
    return view
  },
})

const unpair = appRoute('DELETE /pair', {
  allowed: DEVELOPERS,
  action: 'application.unpair',
  async handle(call): Promise<PairView> {
    const found = await findCounterpart(call.ctx, appOf(call))
    if (!found || !(await endPairing(call.ctx, appOf(call)))) throw fail('not_paired')
    call.note({ with: found.aid, name: found.app?.name ?? '' })
    return await viewPair(call)
  },
})

const preview = appRoute('GET /copy', {
  allowed: DEVELOPERS,
  async handle(call): Promise<CopyView> {
    const direction = await getDirection(call.ctx, appOf(call))
    const { items, version, onlyInTarget, currencies } = await previewCopy(direction)
    return { items: items.map(toItem), version, only_in_target: onlyInTarget, currencies }
  },
})

const toItem = ({ changes, ...item }: domain.CopyItem): CopyItem => ({
  ...item,
  changes: changes.map((change) =>
    change.kind === 'price'
      ? {
          kind: 'price',
          before: change.before && formatTerms(change.before),
          after: change.after && formatTerms(change.after),
        }
      : change,
  ),
})

/** Both environments take part, and any process can move the clock of the sandbox. */
async function refreshClocks({ environments }: Context): Promise<void> {
  await environments.sandbox.refreshClock()
}

/** Copies to the paired application, and reports each item as a line of JSON. If the client leaves, it stops after the item
 * that it is at; the rest can be copied later. */
const copy = appRoute('POST /copy', {
  allowed: DEVELOPERS,
  action: 'application.copy',
  body: CopyBody,
  async handle(call) {
    await refreshClocks(call.ctx)
    const direction = await getDirection(call.ctx, appOf(call))
    const { version, ...selection } = call.body
    const options = { actor: call.actor, version, beforeEach: call.reauthorize }
    const run = await copyItems(direction, selection, options)
    call.note({
      target: direction.to.env.name,
      resources: 0,
      brand: false,
      templates: false,
      failed: 0,
    })
    return sendReport(call.reply, (write, signal) => report(run, write, signal, call.note))
  },
})

async function report(
  { total, results }: CopyRun,
  write: (event: CopyEvent) => Promise<void>,
  signal: AbortSignal,
  note: AppRequest['note'],
): Promise<void> {
  const copied = { resource: 0, brand: 0, templates: 0 }
  let failed = 0
  await write({ total })
  for await (const { item, problem } of results) {
    const { kind, name, rid } = item
    if (problem === null) copied[kind]++
    else failed++
    note({
      ...{ resources: copied.resource, failed },
      ...{ brand: copied.brand > 0, templates: copied.templates > 0 },
    })
    await write({ item: { kind, name, rid, problem } })
    if (signal.aborted) return
  }
  const { resource, brand, templates } = copied
  await write({ done: { copied: resource + brand + templates, failed } })
}

export const copyRoutes: readonly Route[] = [showPair, pair, unpair, preview, copy]
