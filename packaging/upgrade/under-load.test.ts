import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases, type TestInstallation } from '../../packages/server/src/testing/databases.ts'
import type { ServerProcess } from '../../packages/server/src/testing/processes/process.ts'
import { Balancer } from './balancer.ts'
import { clientOf, type Made, makeData, type NewClient } from './data.ts'
import { buildPreviousRelease, currentRelease, type Release } from './release.ts'

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

const postgres = databases.filter(({ engine }) => engine === 'postgres')

describe.each(postgres)('two processes of the previous release on $name', ({ createEmpty }) => {
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

  beforeAll(async () => {
    previous = buildPreviousRelease()
    installation = await createEmpty()
    made = await makeData(previous, installation.env)
  })
  afterAll(async () => {
    await Promise.all(running.map((server) => server.kill()))
    await installation.remove()
  })

  it('are replaced as the changelog says, under load, and lose nothing', async () => {
    const { old, balancer, load } = await startUnderLoad(previous, 'during')
    // The first new process prepares and makes the change while the old ones serve; then they are stopped.
    const first = await start(currentRelease)
    balancer.urls = [first.url]
    const stopped = Promise.all(old.map(({ server }) => server.stop()))
    const second = await start(currentRelease)
    balancer.urls = [first.url, second.url]
    const before = load.granted.length
    await expect.poll(() => load.granted.length).toBeGreaterThan(before + 20)
    await load.stop()
    await stopped
    const { answered, failures, longestMs } = balancer
    console.log(`the upgrade: ${JSON.stringify({ answered, failures, longestMs })}`)

    const client = (await clientOf(currentRelease))({
      aid: made.aid,
      privateKey: made.privateKey,
      baseUrl: made.baseUrl(second.url),
    })
    const { total } = await client.searchAccess({})
    expect(total).toBe(made.total + load.granted.length)
    const doctor = await currentRelease.run(installation.env, 'doctor', '--deep')
    expect(doctor, doctor.stdout).toMatchObject({ code: 0 })
  })

  it('of this release are replaced one after the other without a request that waits', async () => {
    const { old, balancer, load } = await startUnderLoad(currentRelease, 'rolling')
    for (const { server, url } of old) {
      const replacement = await start(currentRelease)
      balancer.urls = [...balancer.urls.filter((one) => one !== url), replacement.url]
      await server.stop()
    }
    await load.stop()
    expect(balancer).toMatchObject({ failures: 0 })
  })
})
