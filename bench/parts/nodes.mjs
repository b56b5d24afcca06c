// Compares the versions of Node that Gatehouse runs on: access checks, memory and start on each.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { accessChecks, writeRequests } from '../load/requests.mjs'
import { linesForAll, measureRounds } from '../load/rounds.mjs'
import { residentMegabytes, startBare, startGatehouse } from '../services.mjs'
import { ratios, spread } from '../statistics.mjs'

const VERSIONS = [20, 22, 24]

/** The newest release of a version, from npm. */
function findNode(version) {
  const args = ['--yes', '--package', `node@${version}`, '--', 'node', '-p', 'process.execPath']
  return execFileSync('npx', args, { encoding: 'utf8' }).trim()
}

async function startPair(home, version, body) {
  const node = findNode(version)
  const gatehouse = await startGatehouse(home, { name: `Gatehouse on Node ${version}`, node })
  const memoryAfterStart = residentMegabytes(gatehouse.pid)
  const bare = await startBare(body, node)
  const release = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()
  return { version, release, gatehouse, bare, memoryAfterStart }
}

/** The text that a bare server answers with: as long as a usual answer of Gatehouse. */
const BODY = 'x'.repeat(300)

/** Measures access checks on each version in turns, beside a bare server on the same version. */
export async function measureNodes({ home, folder, settings, limit }) {
  const path = join(folder, `${home.engine}-nodes`)
  const requests = writeRequests(path, accessChecks(home, 'zipf', linesForAll(settings)))
  const pairs = []
  for (const version of VERSIONS) pairs.push(await startPair(home, version, BODY))
  const services = pairs.flatMap(({ gatehouse, bare }) => [gatehouse, bare])
  const loaded = services.map((service) => ({ ...service, requests }))
  const results = await measureRounds({ services: loaded, settings, limit })
  for (const service of services) await service.stop()
  const [first] = results
  return pairs.map(({ version, release, gatehouse, memoryAfterStart }, at) => {
    const [ours, bare] = results.slice(2 * at)
    return {
      version,
      release,
      perSecond: spread(ours.perSecond),
      processor: spread(ours.processor),
      toBare: ratios(ours.perSecond, bare.perSecond),
      toFirst: ratios(ours.perSecond, first.perSecond),
      memoryAfterStart,
      startedIn: gatehouse.startedIn,
    }
  })
}
