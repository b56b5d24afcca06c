import type { TestApplication } from '../service.ts'

/** The resource that the load reads and grants. */
export const RID = 'news'

export interface Trouble {
  at: number
  kind: 'read' | 'grant'
  error: unknown
}

/** Reads and grants without a pause until stopped; each grant is retried until it succeeds. */
export function startLoad(app: TestApplication, name: string) {
  const load = { troubles: [] as Trouble[], granted: new Set<string>(), reads: 0 }
  let stopped = false
  const attempt = async (kind: Trouble['kind'], work: () => Promise<unknown>) => {
    const at = performance.now()
    try {
      await work()
      return true
    } catch (error) {
      load.troubles.push({ at, kind, error })
      return false
    }
  }
  const pause = () => new Promise((resolve) => setTimeout(resolve, 10))
  async function read() {
    while (!stopped) {
      if (await attempt('read', () => app.client.getAccess({ rid: RID, user_ref: 'first' }))) {
        load.reads++
      } else await pause()
    }
  }
  async function grant(lane: number) {
    for (let n = 0; !stopped; n++) {
      const user = `${name}-${lane}-${n}`
      const input = { rid: RID, user_ref: user, email: `${user}@example.com` }
      while (!(await attempt('grant', () => app.client.grantAccess(input)))) await pause()
      load.granted.add(user)
    }
  }
  const running = Promise.all([read(), read(), grant(0), grant(1), grant(2)])
  return {
    ...load,
    get reads() {
      return load.reads
    },
    async stop() {
      stopped = true
      await running
    },
  }
}
