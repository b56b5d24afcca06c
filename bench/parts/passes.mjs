// Measures access checks beside passes: what 1,000 passes that open 100,000 resources cost those who check other
// resources, and what a check through a pass costs.
import { join } from 'node:path'
import { accessChecks, passChecks, writeRequests } from '../load/requests.mjs'
import { linesForAll, measureRounds } from '../load/rounds.mjs'
import { changeHome, copyHome, removeHome } from '../records/homes.mjs'
import { passEntriesOf } from '../records/shape.mjs'
import { startGatehouse } from '../services.mjs'
import { ratios, spread } from '../statistics.mjs'

async function measureHomes({ without, having, folder, settings, limit }) {
  await changeHome(having, passEntriesOf(having.aid))
  const [plain, withPasses] = [await startGatehouse(without), await startGatehouse(having)]
  const needed = linesForAll(settings)
  const write = (name, requests) => writeRequests(join(folder, name), requests)
  const services = [
    { ...plain, requests: write('without-passes', accessChecks(without, 'uniform', needed)) },
    { ...withPasses, requests: write('beside-passes', accessChecks(having, 'uniform', needed)) },
    { ...withPasses, requests: write('by-pass', passChecks(having, needed)) },
  ]
  const [alone, beside, byPass] = await measureRounds({ services, settings, limit })
  for (const service of [plain, withPasses]) await service.stop()
  return {
    alone: spread(alone.perSecond),
    beside: spread(beside.perSecond),
    byPass: spread(byPass.perSecond),
    processor: {
      alone: spread(alone.processor),
      beside: spread(beside.processor),
      byPass: spread(byPass.processor),
    },
    besideToAlone: ratios(beside.perSecond, alone.perSecond),
    byPassToAlone: ratios(byPass.perSecond, alone.perSecond),
  }
}

/** Measures checks on two installations that differ only in their passes. */
export async function measurePasses({ home, folder, settings, limit }) {
  const having = await copyHome(home, 'with_passes')
  try {
    return await measureHomes({ without: home, having, folder, settings, limit })
  } finally {
    await removeHome(having)
  }
}
