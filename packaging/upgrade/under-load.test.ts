import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases, type TestInstallation } from '../../packages/server/src/testing/databases.ts'
import type { ServerProcess } from '../../packages/server/src/testing/processes/process.ts'
import { Balancer } from './balancer.ts'
import { clientOf, type Made, makeData, type NewClient } from './data.ts'
import { buildRelease, currentRelease, type Release, VERSIONS, type Version } from './release.ts'

const CLIENTS = 4
/** Far more than an upgrade takes: it only ends a test that would never end. */
const MAX_WAIT_MS = 120_000

/** Readers who were granted access while a load ran. */
function startLoad(balancer: Balancer, made: Made, newClient: NewClient, prefix: string) {
  const granted: string[] = []
  let isOver = false
  const clientAt = (url: string) =>
    newClient({ aid: made.aid, privateKey: made.privateKey, baseUrl: made.baseUrl(url) })
  async function use(number: number) {
    for (let n = 0; !isOver; n++) {
      const query = { rid: 'demo-article', user_ref: `${prefix}-${number}-${n}` }
      const grant = { ...query, email: `${query.user_ref}@example.com` }
      await balancer.send((url) => clientAt(url).grantAccess(grant))
      granted.push(query.user_ref)
      expect(await balancer.send((url) => clientAt(url).hasAccess(query))).toBe(true)
    }
  }
  const clients = Promise.all(Array.from({ length: CLIENTS }, (_, number) => use(number)))
  // `stop` reports it.
  clients.catch(() => {})
  return {
    granted,
    async stop() {
      isOver = true
      await clients
    },
  }
}

/** The versions whose processes work with the tables of this one, so that they can be replaced one by one. */
const ROLLING: readonly Version[] = ['0.2.0']

const upgrades = databases
  .filter(({ engine }) => engine === 'postgres')
  .flatMap(({ name, createEmpty }) => VERSIONS.map((version) => ({ version, name, createEmpty })))

describe.each(upgrades)('two processes of $version on $name', ({ version, createEmpty }) => {
  let previous: Release
  let installation: TestInstallation
  let made: Made
  const running: ServerProcess[] = []
  const start = async (release: Release) => {
    const server = await release.serve(installation.env)
    running.push(server)
    return { server, url: await server.url }
  }
  /** Starts two processes of a release, and waits until clients of the previous one use them. */
  const startUnderLoad = async (release: Release, prefix: string) => {
    const old = [await start(release), await start(release)]
    const balancer = new Balancer(
      old.map(({ url }) => url),
      MAX_WAIT_MS,
    )
    const load = startLoad(balancer, made, await clientOf(previous), prefix)
    await expect.poll(() => load.granted.length).toBeGreaterThan(20)
    return { old, balancer, load }
  }
  /** Ends a load when the new processes have served it for a while, and checks that nothing is missing. */
  const requireAll = async (
    { balancer, load }: Awaited<ReturnType<typeof startUnderLoad>>,
    known: number,
  ) => {
    const before = load.granted.length
    await expect.poll(() => load.granted.length).toBeGreaterThan(before + 20)
    await load.stop()
    const { answered, failures, longestMs } = balancer
    console.log(`from ${version}: ${JSON.stringify({ answered, failures, longestMs })}`)
    const client = (await clientOf(currentRelease))({
      aid: made.aid,
      privateKey: made.privateKey,
      baseUrl: made.baseUrl(balancer.urls[0] as string),
    })
    const { total } = await client.searchAccess({})
    expect(total).toBe(known + load.granted.length)
    const doctor = await currentRelease.run(installation.env, 'doctor', '--deep')
    expect(doctor, doctor.stdout).toMatchObject({ code: 0 })
    return total
  }
  /** Replaces two processes by those of this release, one after the other, without a request that fails. */
  const replaceInTurn = async (release: Release, prefix: string, known: number) => {
    const under = await startUnderLoad(release, prefix)
    const { old, balancer } = under
    for (const { server, url } of old) {
      const replacement = await start(currentRelease)
      balancer.urls = [...balancer.urls.filter((one) => one !== url), replacement.url]
      await server.stop()
    }
    const total = await requireAll(under, known)
    expect(balancer).toMatchObject({ failures: 0 })
    return total
  }

  beforeAll(async () => {
    previous = buildRelease(version)
    installation = await createEmpty()
    made = await makeData(previous, installation.env)
  })
  afterAll(async () => {
    await Promise.all(running.map((server) => server.kill()))
    await installation.remove()
  })

  if (ROLLING.includes(version)) {
    it('are replaced one after the other, and then those of this release, without a failed request', async () => {
      const total = await replaceInTurn(previous, 'during', made.total)
      await replaceInTurn(currentRelease, 'rolling', total)
    })
    return
  }
  it('are replaced as the changelog says, under load, and lose nothing', async () => {
    const under = await startUnderLoad(previous, 'during')
    const { old, balancer } = under
    // The first new process prepares and makes the change while the old ones serve; then they are stopped.
    const first = await start(currentRelease)
    balancer.urls = [first.url]
    const stopped = Promise.all(old.map(({ server }) => server.stop()))
    const second = await start(currentRelease)
    balancer.urls = [first.url, second.url]
    await requireAll(under, made.total)
    await stopped
  })
})
